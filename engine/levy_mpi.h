/* levy_mpi.h: levy_price over the ranks of an MPI communicator, for programs that have MPI already.
 * It is compiled by the program's own mpicc, with levy.h beside it: liblevy itself knows no MPI,
 * and nothing here is in it. Any MPI of version 3 will do, in C from C99 on and in C++.
 *
 *     levy_mpi_error error;
 *     int status = levy_book_load_files(context, files, 1, NULL, 0, &book);
 *     status = levy_mpi_agree(MPI_COMM_WORLD, context, status, &error);
 *     if (status == LEVY_STATUS_OK)
 *         status = levy_mpi_price(MPI_COMM_WORLD, context, book, NULL, 0, &results, &error);
 *     if (results) printf("%.6f\n", levy_results_trade(results, 0)->price);
 *
 * Every rank prices the part of its number, and the parts' journals go to the rank that wants the
 * results, from memory to memory: the ranks need no file system in common. The results are those of
 * levy_price with no_times, bit for bit, for any number of ranks.
 *
 * Both functions are collective: all ranks of the communicator call them, in the same order and
 * each from one thread (MPI_THREAD_FUNNELED will do). Errors are collective, too. If a rank fails,
 * every rank gets the status and the words of the lowest one that did, and no rank waits. Only an
 * error of MPI itself may differ from rank to rank: by default MPI then ends the program, and where
 * it returns the status is LEVY_STATUS_IO. Since 0.1.0. */
#ifndef LEVY_MPI_H
#define LEVY_MPI_H

#include <levy.h>
#include <mpi.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEVY_MPI_ALL = -1,      /* in place of a root: all ranks */
    LEVY_MPI_TEXT = 2048,   /* bytes of an error's words */
    LEVY_MPI_BLOCK_ = 4096, /* journals travel in pieces, for MPI counts in int */
    LEVY_MPI_NAME_ = 32
};

/* How a collective call ended, the same on all ranks. */
typedef struct levy_mpi_error {
    int rank;                 /* the lowest that failed; -1: none did, or all, or MPI itself */
    int status;               /* its status; LEVY_STATUS_OK or LEVY_STATUS_TOLERANCE: no error */
    char text[LEVY_MPI_TEXT]; /* "rank 3: book.yaml:7:3: error: ...", a line for each fault */
} levy_mpi_error;

/* Both functions take a communicator of one group of ranks. With MPI_COMM_NULL, or with an
 * intercommunicator (of which MPI_Intercomm_merge makes one that they take), every rank gets
 * LEVY_STATUS_ARGUMENT and error->rank is -1. */

/* Collective: what all ranks know of what each has just done. `status` is that of the rank's last
 * call, which was one of `context`. Returns LEVY_STATUS_OK if that is the status of all, or
 * LEVY_STATUS_TOLERANCE if some have this and the others are OK; else the status of the lowest rank
 * of any other. `error` gets it with its diagnostics; NULL: not wanted. */
static inline int levy_mpi_agree(MPI_Comm communicator, const levy_context *context, int status,
                                 levy_mpi_error *error);

/* Collective: prices the book. All ranks have loaded the same book, with the same settings and
 * quotes; a rank whose book is NULL fails like any other. `options` as for levy_price, on each rank
 * its own (NULL: defaults), but for journal, part, parts and part_write, which must be 0. Ranks of
 * one host share its processors and GPUs by their places there, unless host_processes says so
 * already. `by` must be the same on all. `progress` is called on each rank, for its own part; a
 * cancel ends the call on all ranks once the others are done with their parts.
 *
 * `root`, the same on all ranks, is the rank that gets the results, or LEVY_MPI_ALL. The others get
 * NULL. Destroy them before the context. Returns LEVY_STATUS_OK, LEVY_STATUS_TOLERANCE (there are
 * results, and a tolerance was missed), or the failure of the lowest rank that failed:
 * LEVY_STATUS_RESUME if the ranks have different books, else as levy_price. */
static inline int levy_mpi_price(MPI_Comm communicator, levy_context *context, levy_book *book,
                                 const levy_price_options *options, int root,
                                 levy_results **results, levy_mpi_error *error);

/* ---- What follows is how. Names that end in _ may change. ------------------------------------ */

static inline int levy_mpi_is_good_(int status)
{
    return status == LEVY_STATUS_OK || status == LEVY_STATUS_TOLERANCE;
}

static inline int levy_mpi_broken_(levy_mpi_error *error)
{
    error->rank = -1;
    error->status = LEVY_STATUS_IO;
    snprintf(error->text, sizeof error->text, "an MPI call failed");
    return error->status;
}

/* Is it a communicator on which collective calls reach the own group? Every rank finds the same. */
static inline int levy_mpi_check_(MPI_Comm communicator, levy_mpi_error *error)
{
    const char *why = NULL;
    int is_inter = 0;
    if (communicator == MPI_COMM_NULL)
        why = "the communicator is MPI_COMM_NULL";
    else if (MPI_Comm_test_inter(communicator, &is_inter) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    else if (is_inter)
        why = "it is an intercommunicator: MPI_Intercomm_merge makes a communicator of it";
    error->rank = -1;
    error->status = why ? LEVY_STATUS_ARGUMENT : LEVY_STATUS_OK;
    snprintf(error->text, sizeof error->text, "%s", why ? why : "");
    return error->status;
}

/* The words of this rank's failure: `why`, or else the errors among the context's diagnostics. */
static inline void levy_mpi_describe_(const levy_context *context, int rank, int status,
                                      const char *why, levy_mpi_error *error)
{
    const size_t n = why || !context ? 0 : levy_diagnostic_count(context);
    size_t used = 0;
    for (size_t i = 0; i < n && used < sizeof error->text; ++i) {
        const levy_diagnostic *const d = levy_diagnostic_get(context, i);
        if (d->severity != 0) continue;
        used += (size_t)snprintf(error->text + used, sizeof error->text - used, "%srank %d: %s",
                                 used ? "\n" : "", rank, d->text);
    }
    if (used == 0)
        snprintf(error->text, sizeof error->text, "rank %d: %s", rank,
                 why ? why : levy_status_message(status));
}

static inline int levy_mpi_share_(MPI_Comm communicator, const levy_context *context, int status,
                                  const char *why, levy_mpi_error *error)
{
    int rank = 0, size = 0, mine[2], least[2];
    error->rank = -1;
    error->status = status;
    error->text[0] = '\0';
    if (MPI_Comm_rank(communicator, &rank) != MPI_SUCCESS ||
        MPI_Comm_size(communicator, &size) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    mine[0] = levy_mpi_is_good_(status) ? size : rank;
    mine[1] = status == LEVY_STATUS_TOLERANCE ? LEVY_STATUS_TOLERANCE : LEVY_STATUS_OK;
    if (MPI_Allreduce(mine, least, 2, MPI_INT, MPI_MIN, communicator) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    error->status = least[1];
    if (least[0] == size) return error->status;
    if (rank == least[0]) {
        error->status = status;
        levy_mpi_describe_(context, rank, status, why, error);
    }
    if (MPI_Bcast(&error->status, 1, MPI_INT, least[0], communicator) != MPI_SUCCESS ||
        MPI_Bcast(error->text, LEVY_MPI_TEXT, MPI_CHAR, least[0], communicator) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    error->rank = least[0];
    return error->status;
}

static inline int levy_mpi_agree(MPI_Comm communicator, const levy_context *context, int status,
                                 levy_mpi_error *error)
{
    levy_mpi_error own;
    if (!error) error = &own;
    if (levy_mpi_check_(communicator, error) != LEVY_STATUS_OK) return error->status;
    return levy_mpi_share_(communicator, context, status, NULL, error);
}

/* ---- The own part ---- */

/* The own journal and, where the results are wanted, all journals one behind the other, each in
 * whole blocks. */
typedef struct levy_mpi_job_ {
    MPI_Comm communicator;
    levy_context *context;
    levy_book *book;
    int rank, size, root;
    char *own;
    unsigned long long length, room, *lengths; /* of the own journal; [rank] */
    char *all, *names;
    int *counts, *places; /* [rank]: blocks */
    levy_source *texts;   /* [rank] */
} levy_mpi_job_;

/* Room is always whole blocks, and what is behind the text is zero. */
static inline int levy_mpi_keep_(void *user, const char *text, size_t length)
{
    levy_mpi_job_ *const job = (levy_mpi_job_ *)user;
    if (job->length + length > job->room) {
        const unsigned long long blocks = 2 * (job->length + length) / LEVY_MPI_BLOCK_ + 1,
                                 room = blocks * LEVY_MPI_BLOCK_;
        char *const grown = (char *)realloc(job->own, (size_t)room);
        if (!grown) return 1;
        memset(grown + job->length, 0, (size_t)(room - job->length));
        job->own = grown;
        job->room = room;
    }
    memcpy(job->own + job->length, text, length);
    job->length += length;
    return 0;
}

/* The own options. Returns NULL, or what is wrong with them. */
static inline const char *levy_mpi_options_(const levy_mpi_job_ *job,
                                            const levy_price_options *options,
                                            levy_price_options *own)
{
    memset(own, 0, sizeof *own);
    if (options && (options->struct_size < sizeof(size_t) || options->struct_size > sizeof *own))
        return "struct_size is not that of levy_price_options";
    if (options) memcpy(own, options, options->struct_size);
    own->struct_size = sizeof *own;
    if (!job->context || !job->book) return "there is no book";
    if (own->journal || own->part || own->parts || own->part_write)
        return "levy_mpi_price gives journal, part, parts and part_write";
    if (job->root < LEVY_MPI_ALL || job->root >= job->size) return "the root is no rank";
    return NULL;
}

/* Ranks of a host share what it has. */
static inline int levy_mpi_host_(const levy_mpi_job_ *job, levy_price_options *own)
{
    MPI_Comm host;
    int place = 0, processes = 0;
    if (MPI_Comm_split_type(job->communicator, MPI_COMM_TYPE_SHARED, job->rank, MPI_INFO_NULL,
                            &host) != MPI_SUCCESS)
        return 0;
    const int good = MPI_Comm_rank(host, &place) == MPI_SUCCESS &&
                     MPI_Comm_size(host, &processes) == MPI_SUCCESS;
    if (MPI_Comm_free(&host) != MPI_SUCCESS || !good) return 0;
    if (own->host_processes > 0) return 1;
    own->host_processes = (uint32_t)processes;
    own->host_place = (uint32_t)place;
    return 1;
}

static inline int levy_mpi_part_(levy_mpi_job_ *job, levy_price_options *own)
{
    levy_results *part = NULL;
    own->part = (uint32_t)job->rank + 1;
    own->parts = (uint32_t)job->size;
    own->part_write = levy_mpi_keep_;
    own->part_user = job;
    const int status = levy_price(job->book, own, &part);
    levy_results_destroy(part);
    return status;
}

/* ---- All parts ---- */

static inline int levy_mpi_wants_(const levy_mpi_job_ *job)
{
    return job->root == LEVY_MPI_ALL || job->root == job->rank;
}

/* Room for all parts, whose lengths are known. */
static inline int levy_mpi_room_(levy_mpi_job_ *job)
{
    const size_t n = (size_t)job->size;
    unsigned long long blocks = 0;
    job->counts = (int *)calloc(n, sizeof *job->counts);
    job->places = (int *)calloc(n, sizeof *job->places);
    job->texts = (levy_source *)calloc(n, sizeof *job->texts);
    job->names = (char *)calloc(n, LEVY_MPI_NAME_);
    if (!job->counts || !job->places || !job->texts || !job->names) return LEVY_STATUS_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const unsigned long long own = (job->lengths[i] + LEVY_MPI_BLOCK_ - 1) / LEVY_MPI_BLOCK_;
        if (own > INT_MAX - blocks) return LEVY_STATUS_MEMORY;
        job->counts[i] = (int)own;
        job->places[i] = (int)blocks;
        blocks += own;
    }
    job->all = (char *)calloc((size_t)blocks, LEVY_MPI_BLOCK_);
    if (!job->all) return LEVY_STATUS_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        char *const name = job->names + i * LEVY_MPI_NAME_;
        snprintf(name, LEVY_MPI_NAME_, "the part of rank %d", (int)i);
        job->texts[i].name = name;
        job->texts[i].text = job->all + (size_t)job->places[i] * LEVY_MPI_BLOCK_;
        job->texts[i].length = (size_t)job->lengths[i];
    }
    return LEVY_STATUS_OK;
}

static inline int levy_mpi_lengths_(levy_mpi_job_ *job)
{
    return job->root == LEVY_MPI_ALL
               ? MPI_Allgather(&job->length, 1, MPI_UNSIGNED_LONG_LONG, job->lengths, 1,
                               MPI_UNSIGNED_LONG_LONG, job->communicator)
               : MPI_Gather(&job->length, 1, MPI_UNSIGNED_LONG_LONG, job->lengths, 1,
                            MPI_UNSIGNED_LONG_LONG, job->root, job->communicator);
}

static inline int levy_mpi_texts_(levy_mpi_job_ *job)
{
    const int count = (int)((job->length + LEVY_MPI_BLOCK_ - 1) / LEVY_MPI_BLOCK_);
    MPI_Datatype block;
    if (MPI_Type_contiguous(LEVY_MPI_BLOCK_, MPI_BYTE, &block) != MPI_SUCCESS ||
        MPI_Type_commit(&block) != MPI_SUCCESS)
        return 0;
    const int code = job->root == LEVY_MPI_ALL
                         ? MPI_Allgatherv(job->own, count, block, job->all, job->counts,
                                          job->places, block, job->communicator)
                         : MPI_Gatherv(job->own, count, block, job->all, job->counts, job->places,
                                       block, job->root, job->communicator);
    return MPI_Type_free(&block) == MPI_SUCCESS && code == MPI_SUCCESS;
}

static inline int levy_mpi_merge_(const levy_mpi_job_ *job, const levy_price_options *own,
                                  levy_results **results)
{
    levy_merge_options how;
    memset(&how, 0, sizeof how);
    how.struct_size = sizeof how;
    how.texts = job->texts;
    how.n_texts = (size_t)job->size;
    how.by = own->by;
    return levy_merge(job->book, &how, results);
}

/* A rank that lacks memory says so before the others send. */
static inline int levy_mpi_collect_(levy_mpi_job_ *job, const levy_price_options *own,
                                    levy_results **results, levy_mpi_error *error)
{
    const int wants = levy_mpi_wants_(job);
    int status = LEVY_STATUS_OK;
    if (wants) {
        job->lengths = (unsigned long long *)calloc((size_t)job->size, sizeof *job->lengths);
        if (!job->lengths) status = LEVY_STATUS_MEMORY;
    }
    status = levy_mpi_share_(job->communicator, NULL, status, NULL, error);
    if (status != LEVY_STATUS_OK) return status;
    if (levy_mpi_lengths_(job) != MPI_SUCCESS) return levy_mpi_broken_(error);
    if (wants) status = levy_mpi_room_(job);
    status = levy_mpi_share_(job->communicator, NULL, status, NULL, error);
    if (status != LEVY_STATUS_OK) return status;
    if (!levy_mpi_texts_(job)) return levy_mpi_broken_(error);
    if (wants) status = levy_mpi_merge_(job, own, results);
    return levy_mpi_share_(job->communicator, job->context, status, NULL, error);
}

static inline int levy_mpi_all_(levy_mpi_job_ *job, const levy_price_options *options,
                                levy_results **results, levy_mpi_error *error)
{
    levy_price_options own;
    const char *const why = levy_mpi_options_(job, options, &own);
    int roots[2], least[2];
    int status = levy_mpi_share_(job->communicator, NULL,
                                 why ? LEVY_STATUS_ARGUMENT : LEVY_STATUS_OK, why, error);
    if (status != LEVY_STATUS_OK) return status;
    roots[0] = job->root;
    roots[1] = -job->root;
    if (MPI_Allreduce(roots, least, 2, MPI_INT, MPI_MIN, job->communicator) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    if (least[0] != -least[1])
        return levy_mpi_share_(job->communicator, NULL, LEVY_STATUS_ARGUMENT,
                               "the ranks name different roots", error);
    if (!levy_mpi_host_(job, &own)) return levy_mpi_broken_(error);
    status = levy_mpi_part_(job, &own);
    status = levy_mpi_share_(job->communicator, job->context, status, NULL, error);
    return levy_mpi_is_good_(status) ? levy_mpi_collect_(job, &own, results, error) : status;
}

static inline int levy_mpi_price(MPI_Comm communicator, levy_context *context, levy_book *book,
                                 const levy_price_options *options, int root,
                                 levy_results **results, levy_mpi_error *error)
{
    levy_mpi_error own;
    levy_results *made = NULL;
    levy_mpi_job_ job;
    if (!error) error = &own;
    if (results) *results = NULL;
    if (levy_mpi_check_(communicator, error) != LEVY_STATUS_OK) return error->status;
    memset(&job, 0, sizeof job);
    job.communicator = communicator;
    job.context = context;
    job.book = book;
    job.root = root;
    if (MPI_Comm_rank(communicator, &job.rank) != MPI_SUCCESS ||
        MPI_Comm_size(communicator, &job.size) != MPI_SUCCESS)
        return levy_mpi_broken_(error);
    const int status = levy_mpi_all_(&job, options, &made, error);
    free(job.own);
    free(job.lengths);
    free(job.counts);
    free(job.places);
    free(job.texts);
    free(job.names);
    free(job.all);
    if (!levy_mpi_is_good_(status) || !results) {
        levy_results_destroy(made);
        made = NULL;
    }
    if (results) *results = made;
    return status;
}

#endif
