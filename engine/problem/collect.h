/* collect.h: reads all documents of all files by the tables and joins them: one market, one list of
 * trades, one block of settings. A second definition is a fault that names the place of the first.
 * Nothing is resolved here. */
#ifndef LEVY_PROBLEM_COLLECT_H
#define LEVY_PROBLEM_COLLECT_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

typedef struct levy_collection {
    levy_check *build;
    levy_market market;
    levy_collected_trade *trades;
    size_t n_trades, capacity;
    size_t trade_errors; /* how many errors are inside trades */
    const char *csv;  /* a file that has trades alone and so needs a market; NULL: there is none */
    const char *book; /* the first file that takes a valuation_date; NULL: there is none */
    const levy_node *simulation, *measures, *report_currency;
    /* the simulation names them; NULL: it names none, or it could not be read */
    struct levy_net *net;
    struct levy_point_set *points;
    const char *net_file, *net_kind; /* as the settings name them; NULL: they do not */
    levy_list scenarios;             /* of levy_raw_scenario */
    levy_names files;                /* names the market files that have been read */
    bool allow_links;                /* whether links of this input may lead out of its folder */
    size_t n_inputs;
    levy_references references; /* what the caller wants */
    levy_names read;            /* the inputs, and the files that they refer to */
    levy_names kept_names;      /* the kept files and their texts: */
    levy_input *kept;
    size_t kept_room;
    const levy_raw_calibration *calibration; /* NULL: there is none */
    uint64_t fingerprint;
    levy_variant *kinds; /* files define them; the list has an end; NULL: there are none */
    const levy_node **kind_nodes;
    size_t n_kinds;
    levy_more_kinds more; /* the same kinds, as readers take them */
} levy_collection;

/* Reads all inputs: kinds of payoffs first, wherever they stand. Faults are collected; false only
 * when memory failed. */
bool levy_collect_inputs(levy_collection *collection, const levy_input *inputs, size_t n);

/* Remembers the name of a file that was read. */
void levy_collect_read(levy_collection *collection, const char *name);

/* Continues the fingerprint with `length` bytes. */
void levy_collect_hash(levy_collection *collection, const char *text, size_t length);

/* market_file.c: adds the file that `market: FILE` names, relative to the folder `base`, to the
 * market. */
void levy_collect_market_file(levy_collection *collection, const levy_raw_market *raw,
                              const char *base);

/* A file that a book names. It must lie in the folder `base`; `full` joins both names for
 * messages. */
typedef struct levy_named_file {
    const char *base, *name, *full;
} levy_named_file;

/* What a file is that a book names. */
typedef struct levy_file_use {
    const char *instead, *large; /* hints: the text names no file; the file is too large */
    void (*take)(levy_collection *collection, const levy_node *root); /* it gets each document */
} levy_file_use;
/* market_file.c: reads the file that a book names at `node`, once if several books name it. */
void levy_collect_file(levy_collection *collection, const levy_node *node, const char *path,
                       const char *name, const char *base, const levy_file_use *use);

/* The first finds the file that a book names at `node`, or adds a fault and returns false. The
 * second loads the file's text, which the caller releases; NULL: a fault was added, or there is no
 * memory. `instead` and `large` are the hints of levy_file_use. */
bool levy_collect_name(levy_collection *collection, const levy_node *node, const char *path,
                       const char *name, const char *base, const char *instead,
                       levy_named_file *file);
char *levy_collect_load(levy_collection *collection, const levy_node *node, const char *path,
                        const levy_named_file *file, const char *large, size_t *length);

/* shocks.c: reads the empirical marks of a model, or its own table of rows, into its terms. Adds a
 * fault if they are not a list of shocks. */
void levy_collect_shocks(levy_collection *collection, const levy_model_kind *kind,
                         levy_model_terms *terms, const char *path, const char *base);

/* nets.c: reads the net or the points that the settings name, if they do. Adds a fault if they are
 * none. */
void levy_collect_net(levy_collection *collection, const levy_node *simulation, const char *base);

/* quote_file.c: takes a document's calibration, of which a book has one at most, with the quotes of
 * the file that it names. */
void levy_collect_calibration(levy_collection *collection, levy_raw_calibration *raw,
                              const char *base);

/* legs.c: the legs of a trade that was read without a fault, its premium among them, as trades of
 * their own: what a leg does not say is the trade's. *n: how many; 0: it is a trade by itself.
 * False: a fault was added. */
bool levy_collect_legs(levy_check *build, const levy_raw_trade *raw, const char *path,
                       levy_collected_trade **legs, size_t *n);

/* Takes one document's valuation date, which must agree with those before. */
void levy_collect_date(levy_collection *collection, levy_date date, const levy_node *root);

/* Reads the documents of a text, which need not outlive the call. False if there are none (a fault
 * was added). */
bool levy_collect_documents(levy_collection *collection, const char *name, uint32_t order,
                            const char *text, size_t length, levy_document *document);

#endif
