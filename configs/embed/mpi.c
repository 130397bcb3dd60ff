/* mpi.c: a book priced by the ranks of an MPI program: each takes its part, rank 0 prints the
 * report. It is that of one process, byte for byte, for any number of ranks.
 *
 *     mpicc mpi.c $(pkg-config --cflags --libs levy) -o mpi
 *     mpirun -n 4 ./mpi ../quickstart.yaml
 */
#include <levy_mpi.h>
#include <stdio.h>

static int print(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, (FILE *)user) != length;
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "quickstart.yaml";
    levy_context *context = NULL;
    levy_book *book = NULL;
    levy_results *results = NULL;
    levy_mpi_error error;
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int status = levy_context_create(NULL, &context);
    if (status == LEVY_STATUS_OK) status = levy_book_load_files(context, &file, 1, NULL, 0, &book);
    status = levy_mpi_agree(MPI_COMM_WORLD, context, status, &error); /* one file may be missing */
    if (status == LEVY_STATUS_OK)
        status = levy_mpi_price(MPI_COMM_WORLD, context, book, NULL, 0, &results, &error);
    if (results) levy_results_write(results, LEVY_FORMAT_JSON, print, stdout);
    if (rank == 0 && error.rank >= 0) fprintf(stderr, "%s\n", error.text);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    MPI_Finalize();
    return levy_status_exit_code(status);
}
