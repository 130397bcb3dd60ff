/* ranks.h: which of several processes this one is, as mpirun and srun tell those that they start:
 * by the environment, so that nothing of MPI is linked. */
#ifndef LEVY_CLI_RANKS_H
#define LEVY_CLI_RANKS_H

#include <stdint.h>

typedef struct cli_ranks {
    uint32_t rank, size;
    uint32_t host_rank, host_size; /* among the processes of this host; size 0: not known */
    uint32_t threads;              /* that the launcher gives to each process; 0: not said */
} cli_ranks;

/* Returns 0, or an exit code after a message: no launcher has set its variables, or they make no
 * sense. */
int cli_ranks_read(cli_ranks *ranks);

#endif
