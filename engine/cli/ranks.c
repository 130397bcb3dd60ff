/* ranks.c: see ranks.h. Sources: Open MPI's and MPICH's (Hydra) documentation of the environment of
 * a process, and srun(1), "OUTPUT ENVIRONMENT VARIABLES". */
#include "engine/cli/ranks.h"

#include "engine/cli/options.h"

#include <stddef.h>
#include <stdlib.h>

/* The variables of a launcher. One started by another has both sets: the inner one comes first. */
static const struct {
    const char *rank, *size, *host_rank, *host_size, *threads;
} ranks_of[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                 "OMPI_COMM_WORLD_LOCAL_SIZE", NULL},
                {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL},
                {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
                 "SLURM_CPUS_PER_TASK"}};

/* A number at the start of a variable: "4(x2)" is Slurm's word for 4 tasks on each of 2 nodes. */
static bool ranks_number(const char *name, uint32_t *number)
{
    const char *const text = getenv(name);
    char *end = NULL;
    const unsigned long value = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    *number = (uint32_t)value;
    return end && value <= 65536;
}

bool cli_ranks_read(cli_ranks *ranks)
{
    for (size_t i = 0; i < sizeof ranks_of / sizeof *ranks_of; ++i) {
        *ranks = (cli_ranks){.rank = 0};
        if (!ranks_number(ranks_of[i].rank, &ranks->rank) ||
            !ranks_number(ranks_of[i].size, &ranks->size))
            continue;
        if (ranks->size < 1 || ranks->rank >= ranks->size) return false;
        if (ranks_of[i].threads) (void)ranks_number(ranks_of[i].threads, &ranks->threads);
        if (!ranks_number(ranks_of[i].host_rank, &ranks->host_rank)) return true;
        if (!ranks_number(ranks_of[i].host_size, &ranks->host_size) ||
            ranks->host_size <= ranks->host_rank)
            ranks->host_size = ranks->host_rank + 1;
        return true;
    }
    return false;
}

int cli_ranks_none(void)
{
    return cli_usage_error(
        "--part env finds no rank\nhint: start it with mpirun or srun, or name the "
        "part: --part 3/16");
}
