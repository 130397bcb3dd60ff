/* ranks.c: what tests/test_mpi.sh asks of engine/levy_mpi.h beside prices: that every rank gets the
 * results where all want them, and that every rank ends with the same error where one fails.
 *
 *     ranks FOLDER CASE BOOK [CASE BOOK]...
 *
 * Of each case each rank writes FOLDER/CASE.status.RANK, "STATUS RANK-THAT-FAILED WORDS", and the
 * report it has, if any, as FOLDER/CASE.report.RANK. */
#include <levy_mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ranks_case {
    const char *name, *folder;
    int rank, size;
    levy_context *context;
    levy_book *book;
    levy_results *results;
    levy_mpi_error error;
} ranks_case;

static int ranks_is(const ranks_case *c, const char *name) { return strcmp(c->name, name) == 0; }

static FILE *ranks_open(const ranks_case *c, const char *what)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/%s.%s.%d", c->folder, c->name, what, c->rank);
    FILE *const file = fopen(name, "w");
    if (!file) MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

static int ranks_write(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

static int ranks_stop(void *user, const levy_progress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

static void ranks_tell(const ranks_case *c, int status)
{
    FILE *file = ranks_open(c, "status");
    fprintf(file, "%d %d %s\n", status, c->error.rank, c->error.text);
    if (status != c->error.status) fprintf(file, "the error has status %d\n", c->error.status);
    fclose(file);
    if (!c->results) return;
    file = ranks_open(c, "report");
    levy_results_write(c->results, LEVY_FORMAT_JSON, ranks_write, file);
    fclose(file);
}

/* The last rank is the one that differs. */
static int ranks_price(ranks_case *c)
{
    const int last = c->rank == c->size - 1;
    levy_price_options how;
    int root = ranks_is(c, "last") ? c->size - 1 : 0;
    memset(&how, 0, sizeof how);
    how.struct_size = sizeof how;
    how.device = "cpu";
    how.threads = 1;
    if (ranks_is(c, "all")) root = LEVY_MPI_ALL;
    if (ranks_is(c, "roots") && last) root = LEVY_MPI_ALL;
    if (ranks_is(c, "root")) root = c->size;
    if (ranks_is(c, "journal") && last) how.journal = "journal";
    if (ranks_is(c, "size") && last) how.struct_size = 1;
    if (ranks_is(c, "device") && last) how.device = "cuda:77";
    if (ranks_is(c, "cancel") && last) how.progress = ranks_stop;
    if (ranks_is(c, "by")) how.by = "underlying";
    if (ranks_is(c, "bad-by")) how.by = "colour";
    if (ranks_is(c, "quote") && last) levy_book_set(c->book, "AAPL.spot", 300.0);
    return levy_mpi_price(MPI_COMM_WORLD, c->context, ranks_is(c, "book") && last ? NULL : c->book,
                          &how, root, &c->results, &c->error);
}

static int ranks_load(ranks_case *c, const char *file)
{
    if (ranks_is(c, "file") && c->rank == c->size - 1) file = "none.yaml";
    const int status = levy_book_load_files(c->context, &file, 1, NULL, 0, &c->book);
    return levy_mpi_agree(MPI_COMM_WORLD, c->context, status, &c->error);
}

#ifdef LEVY_TEST_MPI_H
/* Each call of MPI fails once: an error, and nothing is lost (a sanitizer sees that). */
static int ranks_each_call(ranks_case *c)
{
    int failed = 0, status;
    mpi_fails = 0;
    do {
        levy_results_destroy(c->results);
        c->results = NULL;
        mpi_calls = 0;
        ++mpi_fails;
        status = ranks_price(c);
        failed += status == LEVY_STATUS_IO && !c->results;
    } while (mpi_calls >= mpi_fails);
    printf("%d calls failed\n", failed);
    return failed == mpi_fails - 1 ? status : LEVY_STATUS_INTERNAL;
}
#else
static int ranks_each_call(ranks_case *c) { return ranks_price(c); }
#endif

#ifdef LEVY_TEST_MPI_H
static int ranks_inter(ranks_case *c) { return ranks_price(c); }
#else
/* Even ranks on one side, odd ones on the other. */
static int ranks_inter(ranks_case *c)
{
    MPI_Comm side, both;
    levy_mpi_error agreed;
    MPI_Comm_split(MPI_COMM_WORLD, c->rank % 2, c->rank, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - c->rank % 2, 7, &both);
    int status = levy_mpi_agree(both, c->context, LEVY_STATUS_OK, &agreed);
    if (status == LEVY_STATUS_ARGUMENT)
        status = levy_mpi_price(both, c->context, c->book, NULL, 0, &c->results, &c->error);
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
    return status;
}
#endif

static int ranks_null(ranks_case *c)
{
    levy_mpi_error agreed;
    const int status = levy_mpi_agree(MPI_COMM_NULL, c->context, LEVY_STATUS_OK, &agreed);
    if (status != LEVY_STATUS_ARGUMENT) return status;
    return levy_mpi_price(MPI_COMM_NULL, c->context, c->book, NULL, 0, &c->results, &c->error);
}

static int ranks_do(ranks_case *c)
{
    if (ranks_is(c, "calls")) return ranks_each_call(c);
    if (ranks_is(c, "inter")) return ranks_inter(c);
    return ranks_is(c, "null") ? ranks_null(c) : ranks_price(c);
}

static void ranks_run(const char *folder, const char *name, const char *file)
{
    ranks_case c;
    memset(&c, 0, sizeof c);
    c.name = name;
    c.folder = folder;
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &c.size);
    if (levy_context_create(NULL, &c.context) != LEVY_STATUS_OK) MPI_Abort(MPI_COMM_WORLD, 1);
    int status = ranks_load(&c, file);
    if (status == LEVY_STATUS_OK) status = ranks_do(&c);
    ranks_tell(&c, status);
    levy_results_destroy(c.results);
    levy_book_destroy(c.book);
    levy_context_destroy(c.context);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 2; i + 1 < argc; i += 2) ranks_run(argv[1], argv[i], argv[i + 1]);
    MPI_Finalize();
    return 0;
}
