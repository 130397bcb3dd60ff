/* study_parts.h: a study cut into n parts, as prices are (engine/book/cut.h). Its cells are its
 * simulations, in the order in which the study asks for them, which follows from the input alone: a
 * method with a size, a group with a seed, a reference. A simulation of many blocks is cut into its
 * replicates. Each cell weighs as many blocks as it has, and part k has what lies between (k-1)/n
 * and k/n of all. A part runs the study without its figures and keeps the sums of its cells in a
 * journal. Whoever merges runs the study, too, and takes all sums from the journals, so that what
 * becomes of them is computed in one place, with the same bits. Must not know: reports. */
#ifndef LEVY_STUDY_STUDY_PARTS_H
#define LEVY_STUDY_STUDY_PARTS_H

#include "engine/study/study.h"

/* In place of a run: a part, if job->how asks for one, or the study that `merge` makes of parts.
 * `on_device` opens the device, does the work there and closes it. */
levy_status
levy_study_parts_run(levy_study_job *job, const levy_merge_options *merge, levy_study_work *work,
                     levy_status (*on_device)(levy_study_job *job, levy_study_work *work));

/* Whether the sums are none, so that no figure must be made of them. */
bool levy_study_has_no_sums(const levy_study_job *job);

/* levy_study_simulate of a job with parts. Without sums run->plan is NULL. */
levy_status levy_study_parts_simulate(levy_study_job *job, const levy_group *group,
                                      uint32_t n_powers, levy_study_run *run);

#endif
