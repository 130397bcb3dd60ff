#!/bin/bash
# One book as an array of Slurm jobs, and a job that merges them when all have ended well. The tasks need not run at the same time.
#
#     configs/cluster/slurm_array.sh BOOK PARTS REPORT [OPTION...]     such as: slurm_array.sh book.yaml 64 report.json --seed 7
#
# Submitted again, the finished parts end at once and the others go on. Options go to `levy price`. Set SBATCH_* for partition,
# time and account; CPUS (default 8) is the processors of a task.
set -euo pipefail
book=$1 parts=$2 report=$3
shift 3
name=$(basename "${book%.*}").part
printf -v options ' %q' "$@"
[ $# -gt 0 ] || options=
job=$(sbatch --parsable --job-name "$name" --array "1-$parts" --cpus-per-task "${CPUS:-8}" --wrap \
    "levy price $(printf %q "$book")$options --threads ${CPUS:-8} --progress none --part \$SLURM_ARRAY_TASK_ID/$parts --journal $(printf %q "$name")")
sbatch --parsable --job-name "$name-merge" --dependency "afterok:${job%%;*}" --cpus-per-task 1 --wrap \
    "levy merge $(printf %q "$name").*-of-$parts --trust-parts --output $(printf %q "$report")"
