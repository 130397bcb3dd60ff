/* bench.h: what the files of `levy bench` share: the entries, a run over them, and programs run
 * beside it (the peers). An entry is a thing to measure and its unit, and prints a row; a pair is
 * an entry and something it is held against. */
#ifndef LEVY_BENCH_HARNESS_H
#define LEVY_BENCH_HARNESS_H

#include "engine/cli/client.h"
#include "engine/cli/output.h"

enum {
    BENCH_MOST_ENTRIES = 136,
    BENCH_MOST_PAIRS = 512,
    BENCH_MOST_REPEATS = 1000,
    BENCH_PEER_SIZE = 96,
    BENCH_MOST_EXTERNAL = 1024,
    BENCH_MOST_PEERS = 64,
    BENCH_PEER_NAME = 48,
    BENCH_PATH = 4096
};

typedef struct bench_run bench_run;
typedef struct bench_entry bench_entry;
typedef struct bench_result bench_result;

/* Measures an entry: 0, an exit code after a message on stderr, or BENCH_STOPPED. */
typedef int (*bench_measure)(bench_run *run, const bench_entry *entry, bench_result *result);
enum { BENCH_STOPPED = -1 };

struct bench_entry {
    const char *name, *unit;
    const char *against; /* another entry that it is compared with; NULL: none */
    const char *what;
    bench_measure measure;
    unsigned assets, dates;
    bool irregular; /* irregular grid, volatilities by term, dividends */
    bool cash;      /* dividends of fixed amounts, on dates between fixings */
    /* of one asset in another currency than the payment's, or "simulated"; NULL: none */
    const char *conversion;
    const char *model, *terms; /* a kind other than black_scholes, and its keys after `assets` */
    unsigned regimes; /* of a chain in which every regime can follow every other; 0: none */
    unsigned trades;  /* of a book (bench_book.c); 0: the problem is one trade */
    bool one_core;    /* on the CPU, one thread; left out of a GPU's run */
    bool by_size;     /* on the device that auto chooses */
    bool cold;        /* no kernel is cached; left out of a CPU's run, which has none */
    const char *generator, *construction, *precision;
    bool driven;          /* the model has numbers of its own, and assets have no volatility */
    const char *measures; /* NULL: the price alone */
    /* Prices in 100 scenarios too: of its spot or volatility, which this names. NULL: none. */
    const char *scenarios;
    /* log2 of the paths to start with on a GPU, if its blocks take long; 0: the usual start */
    unsigned full;
    /* Keys of a note (bench_notes.c) that expires in so many years, and what of it is integrated;
     * NULL: the European or the Asian option of a year. */
    const char *payoff, *smoothing;
    double years;
    unsigned paths; /* log2 of the paths of every run; 0: as many as take long enough */
    double error;   /* the standard error that bench_measure_error goes on to, over the value */
    bool dear;      /* takes minutes on a CPU; left out of its run */
    bool whole; /* the value is the wall time of the whole call, after one and a move of A.spot */
    char *(*book)(unsigned trades); /* that makes the trades */
};

extern const bench_entry bench_entries[];
extern const size_t bench_entry_count;

struct bench_result {
    const bench_entry *entry;
    double value, spread; /* the median of the repeats, and (largest - smallest) / median */
    /* seconds of one repeat, medians: what the value counts (NaN: nothing), of the whole call, and
     * of the processors that the process took meanwhile, which a busy machine does not change */
    double kernel, wall, processors;
    char device[192];
};

typedef struct bench_pair {
    size_t result;
    char peer[BENCH_PEER_SIZE]; /* "": none */
    double value;
} bench_pair;

/* A row that a program of the peers' folder measures. */
typedef struct bench_external {
    char name[64], unit[64], peer[96], isa[16];
    double value, peer_value, ratio; /* peer_value 0: compared with nothing */
    double threads;                  /* 0, and isa "": as in the run */
} bench_external;

/* The folders in a folder of peers, in the order of names. */
typedef struct bench_peer_names {
    char names[BENCH_MOST_PEERS][BENCH_PEER_NAME];
    size_t n;
} bench_peer_names;

/* The work and time of one pricing, what computed it, and the standard error of its last measure
 * over the value. */
typedef struct bench_measured {
    double steps, seconds, wall, processors, error;
    char device[192], processor[128], isa[16];
    unsigned threads, log2_paths;
    bool gpu;
} bench_measured;

struct bench_run {
    const cli_options *options;
    cli_client client;
    bool gpu;
    char device[128], device_name[192]; /* "cpu", "cuda:0" */
    char processor[128], isa[16];       /* of device_name, where that is a CPU */
    unsigned threads;
    char date[16], levy[4096];
    bool chosen[BENCH_MOST_ENTRIES];
    bench_result results[BENCH_MOST_ENTRIES];
    size_t n_results;
    bench_pair pairs[BENCH_MOST_PAIRS]; /* in the order of results when sorted */
    size_t n_pairs;
    bench_external external[BENCH_MOST_EXTERNAL];
    size_t n_external;
    unsigned repeats;
    int code; /* the first failure: an exit code */
};

/* bench_problem.c: the problem of an entry as YAML, to be freed; NULL: no memory. */
char *bench_problem(const bench_entry *entry);

/* bench_book.c: that many trades of some thousand groups as YAML; NULL: no memory. */
char *bench_book(unsigned trades);
/* bench_notes.c: the same of structured notes of 20 forms; and keys of payoffs. */
char *bench_notes(unsigned trades);
extern const char bench_phoenix[], bench_finpar_autocall[], bench_finpar_barrier[],
    bench_autocall_script[], bench_asian[], bench_digital_asian[], bench_knock_out[];
/* bench_american.c: the same of options that may be exercised early, and one by a fitted rule. */
char *bench_american(unsigned trades);
char *bench_american_dividends(unsigned trades);
char *bench_lsm_put50(unsigned trades);
char *bench_lsm_maxcall5(unsigned trades);
char *bench_lsm_heston5(unsigned trades);
char *bench_lsm_heston5_daily(unsigned trades);
int bench_measure_book(bench_run *run, const bench_entry *entry, bench_result *result);
/* bench_currencies.c: the same in four currencies, and what loading one takes. */
char *bench_currencies(unsigned trades);
int bench_measure_load(bench_run *run, const bench_entry *entry, bench_result *result);

/* bench_measure.c */
int bench_measure_price(bench_run *run, const bench_entry *entry, bench_result *result);
/* The same in prices: what the problem costs over what it costs with neither its measures nor its
 * scenarios, on the same paths. The two take turns. */
int bench_measure_cost(bench_run *run, const bench_entry *entry, bench_result *result);
/* One run of the entry's problem. asked: the paths, as the user has written them; NULL:
 * 2^log2_paths. */
int bench_measure_run(bench_run *run, const bench_entry *entry, const char *text, const char *asked,
                      unsigned log2_paths, bench_measured *out);
/* bench_error.c: seconds to a standard error, by several methods */
int bench_measure_error(bench_run *run, const bench_entry *entry, bench_result *result);
/* Finds the device that computes: run->gpu, run->device and its name. */
int bench_find_device(bench_run *run);
/* "AMD EPYC, 2 threads, avx512" */
void bench_name_device(char device[192], const char *processor, unsigned threads, const char *isa);
void bench_summarize(double *values, unsigned n, bench_result *result);
double bench_median(double *values, unsigned n); /* sorts them */

/* bench_start.c */
int bench_measure_process(bench_run *run, const bench_entry *entry, bench_result *result);
/* The kernels that are cached after a cold run. */
int bench_measure_kernels(bench_run *run, const bench_entry *entry, bench_result *result);

/* bench_peers.c: runs every DIR/NAME/run, in the order of names, and adds pairs for what they
 * print. Also runs every DIR/NAME/rows; with --only those that may bring a named row that is not
 * ours. Returns 0 or BENCH_STOPPED. */
int bench_peers(bench_run *run, const char *folder);
/* 0 or an exit code after a message */
int bench_peers_find(const cli_options *options, bench_peer_names *peers);
bool bench_is_listed(const char *list, const char *word); /* is it in a list with commas? */
void bench_add_pair(bench_run *run, size_t result, const char *peer, double value);

/* bench_external.c: reads what DIR/NAME/rows printed and keeps the rows asked for. Returns NULL, or
 * what is wrong with the text. */
const char *bench_external_read(bench_run *run, char *text);
/* Can DIR/NAME/rows bring the row? DIR/NAME/names says what it brings; without that file it may
 * bring any. */
bool bench_external_may_bring(const char *folder, const char *name, const char *entry,
                              size_t length);
void bench_external_list(const char *folder, const bench_peer_names *peers, cli_output *output);
/* Reports rows of --only that no program brought. */
void bench_external_check(bench_run *run);
typedef void bench_write_text(cli_output *output, const char *text); /* quoted */
void bench_external_json(const bench_run *run, bench_write_text *write, cli_output *output);
void bench_external_table(const bench_run *run, cli_output *output);

/* bench_write.c */
void bench_write_table(const bench_run *run, cli_output *output);
void bench_write_json(const bench_run *run, cli_output *output);

/* bench.c: does all that the options ask for. Returns an exit code. */
int bench_command(const cli_options *options);
/* The index of the entry of that name; bench_entry_count: there is none. */
size_t bench_find(const char *name, size_t length);

/* bench_process.c: runs a program to its end, at most `limit` seconds, in a process group of its
 * own. */
typedef enum bench_end {
    BENCH_ENDED,
    BENCH_NOT_STARTED,
    BENCH_TOO_LONG,
    BENCH_INTERRUPTED
} bench_end;
typedef struct bench_process {
    const char *const *words;       /* the program first; NULL ends them */
    const char *const *environment; /* "NAME=VALUE", added to our own; NULL ends them */
    const char *input;              /* for its standard input; NULL: none */
    double limit;
    char *out; /* what it printed, cut at `size` - 1, ended with a NUL */
    size_t size;
    int status;     /* exit code, 128 + signal, or errno if BENCH_NOT_STARTED */
    double seconds; /* from its start to its end */
} bench_process;
bench_end bench_process_run(bench_process *process);
double bench_now(void);
/* Seconds that processors have worked for this process, all threads together. */
double bench_processors(void);

#endif
