#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=2 --cpus-per-task=16
# One book as one Slurm job whose tasks run at the same time: each takes its rank from Slurm, and rank 0 prints the report.
#
#     sbatch configs/cluster/slurm_ranks.sh book.yaml --output report.json
#
# With GPUs, --gpus-per-task=1 gives each task its own; without, tasks of a node share its GPUs by their place on it.
srun --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" --kill-on-bad-exit=1 levy price "$@" --part env
