/* study.h: shared by levy_converge, levy_coverage and levy_profile: the checked options, a problem
 * of the chosen trades with a variable method and size, its simulations, and reference prices. */
#ifndef LEVY_STUDY_STUDY_H
#define LEVY_STUDY_STUDY_H

#include "engine/book/handles.h"
#include "engine/plan/plan.h"
#include "engine/run/run.h"
#include "kernels/lane/tree.h"

typedef struct levy_study_method {
    const char *name, *generator_name, *construction_name;
    int32_t generator, supply, construction;
    bool pseudo_random; /* independent points: one replicate is enough for an error */
    bool randomised;    /* replicates differ */
    bool net;           /* the direction numbers of the book's net */
    const struct levy_point_set *points; /* of LEVY_SUPPLY_SET */
    bool integrated, plain; /* as its name says, or what makes a study's methods alike (plain
                               alone); neither: as the book has it */
    bool named;             /* its name says which */
} levy_study_method;

/* Checked options, with defaults. */
typedef struct levy_study_request {
    size_t n_methods;
    levy_study_method *methods;
    uint64_t first, last;           /* points of a replicate */
    uint64_t first_step, last_step; /* steps to expiry, in a study by steps; 0: of points */
    uint64_t fit_first, fit_last;
    uint32_t replicates, resamples, seeds;
    bool has_reference;
    double reference, target_rmse;
    size_t n_measures;
    uint32_t *measures; /* LEVY_MEASURE_ bits, in the order that was asked for */
    size_t n_trades;
    size_t *trades; /* indices in the book; no trade has failed */
} levy_study_request;

enum { LEVY_STUDY_CONVERGENCE, LEVY_STUDY_COVERAGE, LEVY_STUDY_PROFILE };

struct levy_study {
    levy_memory memory;
    levy_arena arena; /* texts and arrays of the result */
    int kind;         /* LEVY_STUDY_; what is not of this kind is empty */
    levy_run_info run;
    size_t n_convergences, convergence_room; /* a trade's measures are neighbours */
    levy_convergence *convergences;
    levy_coverage_table coverage;
    levy_profile_table profile;
};

struct levy_study_parts; /* study_parts.h */

/* A running study. */
typedef struct levy_study_job {
    levy_context *context;
    levy_book *book;
    levy_study *study;
    levy_arena scratch;
    levy_study_request request;
    levy_price_options how;
    levy_call_device device;
    /* the book's, but with the chosen trades only, the price as only measure, and its own
     * simulation */
    levy_problem problem;
    uint64_t done, total; /* blocks */
    double start;
    double told; /* when progress was last reported, while planning */
    bool cancelled;
    struct levy_study_parts *parts; /* NULL: all of it is simulated here */
} levy_study_job;

/* What a study does once its trades are known. */
typedef levy_status levy_study_work(levy_study_job *job);

/* The sums of one simulated group. */
typedef struct levy_study_run {
    levy_plan *plan;         /* NULL: there are no sums (levy_study_has_no_sums) */
    tree_sum *sums, *powers; /* as levy_run_plan gives them; powers follow sums in one array */
    double seconds;          /* NaN: no times are wanted */
} levy_study_run;

/* Reads and checks the options; faults say what is wrong. `normals`: a program gives some.
 * LEVY_ARGUMENT: an option is wrong; LEVY_INPUT: a trade is. */
levy_status levy_study_request_read(levy_context *context, levy_book *book, levy_arena *arena,
                                    const levy_study_options *options, bool coverage, bool normals,
                                    levy_study_request *request);

/* "price,delta" as bits, each once; of study_targets.c. */
levy_status levy_study_measures_read(levy_context *context, levy_arena *arena, const char *text,
                                     levy_study_request *request);

/* What the simulation's bridges draw first, as methods say it: ":average"; "": nothing; NULL: no
 * memory. */
const char *levy_study_first(const levy_simulation *simulation, levy_arena *arena);
/* Sets the simulation of the job's problem, with `points` per replicate. */
void levy_study_set(levy_study_job *job, const levy_study_method *method, uint64_t replicates,
                    uint64_t points, uint64_t seed);

/* Blocks of a simulation, for progress totals. */
uint64_t levy_study_blocks(uint64_t replicates, uint64_t points);

/* Plans and simulates a group of the job's problem, to the problem's tolerance if it has one (then
 * n_powers is 0). Faults are kept. Release in any case. */
levy_status levy_study_simulate(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                                levy_study_run *run);
void levy_study_run_release(const levy_study_job *job, levy_study_run *run);

/* Its two halves: the plan, and the sums of all of it (slice NULL) or of one replicate. */
levy_status levy_study_plan(levy_study_job *job, const levy_group *group, levy_study_run *run);
levy_status levy_study_run_cells(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                                 const levy_run_slice *slice, levy_study_run *run);
void levy_study_run_release_sums(const levy_study_job *job, levy_study_run *run);

/* One number of a trade that is studied: a measure and its factor. */
typedef struct levy_study_target {
    uint32_t measure; /* LEVY_MEASURE_ bit */
    const char *factor;
} levy_study_target;

/* What the job's only trade has of the measures asked for (study_targets.c), under its present
 * simulation. Faults say why there is nothing. Names are the study's. */
levy_status levy_study_targets_find(levy_study_job *job, levy_study_target **targets, size_t *n);
/* The row of the only trade's target; SIZE_MAX: this plan has none. */
size_t levy_study_target_row(const levy_plan *plan, const levy_study_target *target);
/* What a unit of it is multiplied by: the position's signed size, or 1. */
double levy_study_target_scale(const levy_trade *trade, const levy_study_target *target);

typedef struct levy_study_reference {
    double value, std_error;
    const char *kind, *text;
} levy_study_reference;

/* The number of blocks that a reference of trade `index` of the job's problem takes. */
uint64_t levy_study_reference_blocks(const levy_study_job *job, size_t index);
/* References of that trade's targets: as given, by closed form, or simulated. One simulation gives
 * all that need one. */
levy_status levy_study_references_find(levy_study_job *job, size_t index,
                                       const levy_study_target *targets, size_t n,
                                       levy_study_reference *references);

/* What levy_converge and levy_coverage share: reads the options, opens the device, runs `work`.
 * kind: LEVY_STUDY_. */
int levy_study_run_entry(levy_book *book, const levy_study_options *options,
                         const levy_price_options *how, int kind, levy_study_work *work,
                         levy_study **study);
levy_study *levy_study_create(const levy_memory *memory, int kind); /* NULL: no memory */
/* levy_profile. */
int levy_profile_entry(levy_book *book, const levy_profile_options *options,
                       const levy_price_options *how, levy_study **study);
void levy_study_release(levy_study *study); /* NULL is fine */

/* What the two studies do with the device open (converge_study.c, coverage_study.c). */
levy_status levy_converge_work(levy_study_job *job);
levy_status levy_coverage_work(levy_study_job *job);
/* steps_study.c: simulates the job's only trade by that method at each number of steps, and sets
 * the methods of its n targets, whose arrays are there. Blocks of all of it, for progress. */
levy_status levy_steps_method(levy_study_job *job, const levy_study_method *method,
                              const levy_study_target *targets, size_t n,
                              levy_convergence_method *const *results);
uint64_t levy_steps_blocks(const levy_study_job *job, uint64_t replicates);
/* Takes the most steps' means as references of what has none. */
void levy_steps_refer(size_t n, levy_convergence *studies);
/* Whether the trade's model has steps whose number changes the price. */
bool levy_trade_has_steps(const levy_trade *trade);
/* Warns if the study's reference is too rough, or if a method contradicts it. */
void levy_converge_warn(levy_study_job *job, const levy_convergence *study);

#endif
