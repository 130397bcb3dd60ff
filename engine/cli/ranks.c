/* ranks.c: see ranks.h. Sources: Open MPI's and MPICH's (Hydra) documentation of the environment of
 * a process, and srun(1), "OUTPUT ENVIRONMENT VARIABLES". */
#include "engine/cli/ranks.h"

#include "engine/cli/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The variables of a launcher. One started by another has both sets, and the first set of this
 * list counts: mpirun in a job of srun is the inner one. Of two kinds of mpirun nothing tells which
 * is the inner one; Open MPI's is taken, so it must not start MPICH's. */
static const struct ranks_variables {
    const char *rank, *size, *host_rank, *host_size, *threads;
} ranks_of[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                 "OMPI_COMM_WORLD_LOCAL_SIZE", NULL},
                {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL},
                {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
                 "SLURM_CPUS_PER_TASK"}};

enum { RANKS_MOST = 65536, RANKS_THREADS = 4096 }; /* parts; what --threads takes */

static const char *ranks_text(const char *name)
{
    const char *const text = getenv(name);
    return text && *text ? text : NULL;
}

/* Reads the digits at the start of `text` and returns what follows them; NULL: there are none, or
 * too many. */
static const char *ranks_digits(const char *text, uint32_t *number)
{
    const size_t length = strspn(text, "0123456789");
    if (length < 1 || length > 9) return NULL;
    *number = (uint32_t)strtoul(text, NULL, 10);
    return text + length;
}

/* A variable that is a plain decimal number. */
static int ranks_number(const char *name, uint32_t most, uint32_t *number)
{
    const char *const text = ranks_text(name), *const end = ranks_digits(text, number);
    if (end && *end == '\0' && *number <= most) return 0;
    return cli_usage_error(
        "%s takes a number up to %u; got '%s'\nhint: the launcher sets it; start "
        "levy with mpirun or srun, or name the part: --part 3/16",
        name, most, text);
}

/* Places on the host only share out its processors, so what is not there is not known. "4(x2)" is
 * Slurm's word for 4 tasks on each of 2 nodes. */
static void ranks_read_host(const struct ranks_variables *of, cli_ranks *ranks)
{
    const char *const rank = ranks_text(of->host_rank), *const size = ranks_text(of->host_size);
    const char *end = rank ? ranks_digits(rank, &ranks->host_rank) : NULL;
    if (!end || *end != '\0' || ranks->host_rank >= RANKS_MOST) {
        ranks->host_rank = 0;
        return;
    }
    end = size ? ranks_digits(size, &ranks->host_size) : NULL;
    if (!end || !strchr("(,", *end) || ranks->host_size <= ranks->host_rank)
        ranks->host_size = ranks->host_rank + 1;
}

static int ranks_read_set(const struct ranks_variables *of, cli_ranks *ranks)
{
    int code = ranks_number(of->rank, RANKS_MOST, &ranks->rank);
    if (!code) code = ranks_number(of->size, RANKS_MOST, &ranks->size);
    if (!code && of->threads && ranks_text(of->threads))
        code = ranks_number(of->threads, RANKS_THREADS, &ranks->threads);
    if (code) return code;
    if (ranks->rank >= ranks->size)
        return cli_usage_error("%s=%u is no rank of %s=%u\nhint: ranks count from 0", of->rank,
                               ranks->rank, of->size, ranks->size);
    ranks_read_host(of, ranks);
    return 0;
}

int cli_ranks_read(cli_ranks *ranks)
{
    *ranks = (cli_ranks){.rank = 0};
    for (size_t i = 0; i < sizeof ranks_of / sizeof *ranks_of; ++i)
        if (ranks_text(ranks_of[i].rank) && ranks_text(ranks_of[i].size))
            return ranks_read_set(&ranks_of[i], ranks);
    return cli_usage_error(
        "--part env finds no rank\nhint: start it with mpirun or srun, or name the "
        "part: --part 3/16");
}
