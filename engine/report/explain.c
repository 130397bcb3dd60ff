/* explain.c: see explain.h. What the device decides stands under "schedule": the numeric half of a
 * plan is the same on every device. */
#include "engine/report/explain.h"

#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/plan/dimensions.h"
#include "engine/report/report.h"
#include "engine/run/effort.h"
#include "engine/run/run.h"
#include "engine/run/supply.h"
#include "kernels/points/point_set.h"
#include "payoffs/policy_control.h"
#include "payoffs/scripted.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Planning calls it often; progress is reported every 20 ms. */
int levy_explain_stop(void *user)
{
    levy_explanation *job = user;
    const double now = levy_clock_now();
    if (!job->options->progress || now - job->told < 0.02) return 0;
    job->told = now;
    const levy_progress progress = {
        .done = job->done, .total = job->total, .seconds = now - job->start};
    return job->options->progress(job->options->user, &progress);
}

/* The ending of the noun of a count. */
static const char *explain_many(uint64_t count) { return count == 1 ? "" : "s"; }

/* " 'x.npy' (16 dimensions, 1024 points, shift modulo 1)" */
static void explain_set(levy_text_out *out, const levy_simulation *s)
{
    const levy_point_set *const set = s->points;
    if (set->kind != LEVY_SET_HALTON && s->net_file) LEVY_TEXT_PUT(out, " '", s->net_file, "'");
    levy_text_print(out, " (%u dimension%s", set->n_dimensions, explain_many(set->n_dimensions));
    if (set->n_points >> 32 == 0)
        levy_text_print(out, ", %zu point%s", set->n_points, explain_many(set->n_points));
    const char *how = set->kind == LEVY_SET_HALTON ? ", digits permuted)" : ", shift modulo 1)";
    if (set->n_replicates) how = ", replicates of its own)";
    levy_text_put(out, s->generator == LEVY_GENERATOR_SOBOL ? ", not randomised)" : how);
}

/* " 'nets/n.txt' (16 dimensions, 2^20 points, shift)" */
static void explain_net(levy_text_out *out, const levy_simulation *s)
{
    static const char *const scramblings[] = {", not scrambled)", ", digital shift)",
                                              ", linear scramble and digital shift)"};
    if (s->supply == LEVY_SUPPLY_SET) explain_set(out, s);
    if (!s->net) return;
    levy_text_print(out, " '%s' (%u dimension%s, 2^%u points%s", s->net_file, s->net->n_dimensions,
                    explain_many(s->net->n_dimensions), s->net->n_columns,
                    scramblings[levy_simulation_scrambling(s)]);
}

static void explain_run(levy_explanation *job)
{
    const levy_simulation *s = &job->problem->simulation;
    levy_text_out *out = &job->out;
    levy_text_print(out, "simulation: %zu path%s in %zu replicate%s, generator %s", s->paths,
                    explain_many(s->paths), s->replicates, explain_many(s->replicates),
                    levy_generator_text(s));
    explain_net(out, s);
    levy_text_print(out, "%s, construction %s, precision %s, seed %zu", s->supply ? ", staged" : "",
                    levy_construction_text(s->construction), levy_precision_text(s->precision),
                    s->seed);
    if (s->tolerance.asked)
        levy_text_print(out, "; doubled until the tolerance is met, at most %zu path%s",
                        s->tolerance.max_paths, explain_many(s->tolerance.max_paths));
    levy_text_print(out, "\ndevice: %s, %s (%s)\n", job->info->backend, job->info->device,
                    job->reason);
    if (job->estimate) levy_text_print(out, "estimate: %s\n", job->estimate);
}

/* "      call: by issuer on 7 dates, by degree 4 in 2 numbers seen" */
static void explain_right(levy_text_out *out, const levy_scripted *scripted,
                          const levy_script_right *right)
{
    const levy_script_program *const p = scripted->script.program;
    const levy_script_dates *const dates =
        &scripted->dates[LEVY_SCRIPT_PROGRAM_BLOCKS(p)[right->block].schedule];
    const size_t n = dates->n - dates->n_past;
    levy_text_print(out, "      %s: by %s on %zu date%s, by degree %u in %u number%s seen\n",
                    right->name, right->issuer ? "issuer" : "holder", n, explain_many(n),
                    right->degree, right->n_seen, explain_many(right->n_seen));
}

static void explain_control(levy_text_out *out, const levy_script *script)
{
    uint32_t all;
    const uint32_t own = levy_control_steps(script, &all);
    levy_text_print(out,
                    "      control: the European at exercise, %u of %u steps of a date, where a "
                    "path is exercised\n",
                    own, all);
}

/* What is fitted before the run. */
static void explain_rule(levy_text_out *out, const levy_trade *trade)
{
    const levy_stage *const stage = trade->stage;
    const levy_scripted *const s = trade->kind.scripted;
    if (!stage) return;
    for (size_t k = 0; s && s->rights && k < s->script.n_rights; ++k)
        explain_right(out, s, &s->script.rights[k]);
    if (s && s->policy)
        levy_text_print(out, "      exercise: by degree %zu in %zu number%s, with %zu control%s\n",
                        s->policy->degree, s->policy->n_variables,
                        explain_many(s->policy->n_variables),
                        s->policy->n_controls * s->policy->n_powers,
                        explain_many(s->policy->n_controls * s->policy->n_powers));
    if (s && s->policy && s->policy->control) explain_control(out, &s->script);
    levy_text_print(out, "      fit: %zu path%s of its own, %u number%s by date",
                    (size_t)stage->paths, explain_many(stage->paths), stage->n_fitted,
                    explain_many(stage->n_fitted));
    if (stage->seed) levy_text_print(out, ", seed %zu", (size_t)*stage->seed);
    levy_text_put(out, "\n");
}

static void explain_trade(levy_explanation *job, const levy_trade *trade)
{
    levy_text_out *out = &job->out;
    const size_t ahead = trade->claim.observations.n, past = trade->claim.past.n;
    LEVY_TEXT_PUT(out, "    ", trade->from->raw->id, ": ", trade->header.payoff);
    const bool named = trade->from->raw->underlying || trade->from->raw->underlyings.count > 0;
    for (size_t i = 0; named && i < trade->n_underlyings; ++i)
        LEVY_TEXT_PUT(out, i ? ", " : " on ", levy_trade_asset(trade, i)->name);
    levy_text_print(out, "; %sexpiry %.6f years", trade->state == LEVY_TRADE_KNOWN ? "known, " : "",
                    trade->claim.expiry);
    if (trade->early && trade->early->american) levy_text_put(out, ", american exercise");
    if (trade->early && !trade->early->american)
        levy_text_print(out, ", bermudan exercise on %zu date%s before", trade->early->n,
                        explain_many(trade->early->n));
    levy_text_print(out, ", paid at %.6f, discount factor %.8f", trade->claim.payment_time,
                    levy_trade_discount(trade));
    if (ahead > 0) levy_text_print(out, "; %zu future observation%s", ahead, explain_many(ahead));
    if (past > 0) levy_text_print(out, ", %zu past fixing%s", past, explain_many(past));
    levy_text_print(out, "; times %.2f in %s\n", levy_trade_scale(trade), trade->header.currency);
    explain_rule(out, trade);
}

static void explain_grid(levy_text_out *out, const levy_plan *plan)
{
    const levy_group *group = plan->group;
    levy_text_print(out, "  grid: %zu date%s, years", group->n_nodes, explain_many(group->n_nodes));
    for (size_t i = 0; i < group->n_nodes; ++i) {
        if (i == 4 && group->n_nodes > 6) {
            levy_text_put(out, " ...");
            i = group->n_nodes - 2;
        }
        levy_text_print(out, " %.6f", group->times[i]);
    }
    levy_text_put(out, plan->image->covariance
                           ? "; clock: total variance; covariance per interval\n"
                           : "; clock: calendar time; covariance constant\n");
}

static void explain_plan(levy_text_out *out, const levy_plan *plan)
{
    char hash[40];
    const levy_image *image = plan->image;
    levy_text_print(out, "  factors: %u, share of variance", image->n_factors);
    for (uint32_t i = 0; i < image->n_factors && i < 8; ++i)
        levy_text_print(out, " %.1f %%", 100.0 * plan->factor_variance[i]);
    levy_text_print(out, "%s\n  dimensions: %u; parameter sets: %u; outputs: %u; stack: %u\n",
                    image->n_factors > 8 ? " ..." : "", image->n_draws, image->n_dynamics,
                    image->n_outputs, image->stack);
    snprintf(hash, sizeof hash, "%016" PRIx64, image->numeric_hash);
    levy_text_print(out, "  plan: %zu bytes, plan hash %s\n", image->bytes, hash);
}

/* Writes the share of the variance in the first 1, 2, 4, ... dimensions, until hardly any is left,
 * and how many dimensions hold 99 %. */
static void explain_shares(levy_text_out *out, const char *of, const double *shares, uint32_t n)
{
    double sum = 0.0, all = 0.0;
    for (uint32_t d = 0; d < n; ++d) all += shares[d];
    LEVY_TEXT_PUT(out, "\n  variance of the ", of);
    if (!(all > 0.0)) { /* its one normal is integrated */
        levy_text_put(out, ": none is left to the draws");
        return;
    }
    levy_text_put(out, " in the first dimensions:");
    for (uint32_t d = 0; d < n; ++d) {
        sum += shares[d];
        if ((d & (d + 1)) || (d > 0 && sum - shares[d] >= 0.9995)) continue;
        levy_text_print(out, "%s %u: %.1f %%", d ? "," : "", d + 1, 100.0 * sum);
    }
    levy_text_print(out, "; effective dimension %u (99 %% of it)",
                    levy_dimension_effective(shares, n));
}

/* What comes before the bridge. */
static void explain_functionals(levy_text_out *out, const levy_plan *plan)
{
    if (plan->problem->simulation.first_average)
        levy_text_put(out, "the average over the dates first, then a ");
    else
        levy_text_print(out, "%u principal component%s first, then a ", plan->image->n_functionals,
                        explain_many(plan->image->n_functionals));
}

static levy_status explain_draws(levy_text_out *out, const levy_plan *plan)
{
    static const char *const constructions[] = {
        "Brownian bridge, the last date first, then midpoints", "date by date",
        "principal components, the largest first (each date uses all of them)",
        "Brownian bridge in the given order"};
    const levy_image *image = plan->image;
    const size_t others = (size_t)image->n_nodes * image->auxiliary;
    levy_arena scratch;
    levy_arena_init(&scratch, plan->arena.memory);
    double *shares = levy_arena_allocate(&scratch, image->n_draws, sizeof *shares);
    double *average = levy_arena_allocate(&scratch, image->n_draws, sizeof *average);
    levy_status status =
        shares && average ? levy_dimension_shares(plan, &scratch, shares) : LEVY_MEMORY;
    if (status == LEVY_OK) status = levy_dimension_average_shares(plan, &scratch, average);
    if (status == LEVY_OK) {
        levy_text_put(out, "  path construction: ");
        if (image->n_functionals > 0) explain_functionals(out, plan);
        levy_text_put(out, constructions[image->construction]);
        if (image->n_counts > 0) levy_text_put(out, "; arrivals of jumps likewise");
        if (image->integrated) levy_text_put(out, "; the first normal is integrated");
        if (image->n_padded > 0)
            levy_text_print(
                out, "; %u dimension%s beyond the %s, the least important, padded with philox",
                image->n_padded, explain_many(image->n_padded),
                plan->problem->simulation.net ? "net" : "Sobol table");
        explain_shares(out, "Brownian path", shares, image->n_draws);
        explain_shares(out, "average of the Brownian path over the dates", average, image->n_draws);
        if (others > 0)
            levy_text_print(out,
                            "\n  not in these shares (jumps, time changes, regimes, extrema): "
                            "%zu dimension%s",
                            others, explain_many(others));
        levy_text_put(out, "\n");
    }
    levy_arena_release(&scratch);
    return status;
}

/* Says why the device cannot price this group, and whether the CPU will. */
static void explain_refusal(levy_explanation *job, const levy_plan *plan)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_backend *backend = job->backend;
    if (!backend->accepts || backend->accepts(plan->image, why) == LEVY_OK) return;
    LEVY_TEXT_PUT(&job->out,
                  job->device_is_chosen ? "  not on this device: " : "  priced on the CPU: ", why,
                  "\n");
}

/* Of the first size, on the CPU of this machine, whichever device is chosen. */
static levy_status explain_effort(levy_explanation *job, const levy_plan *plan)
{
    levy_backend_info cpu;
    levy_effort effort;
    if (!levy_effort_cpu(job->options->isa, job->options->threads, &cpu)) return LEVY_OK;
    LEVY_TRY(levy_effort_of(plan, plan->image->paths, &cpu, &effort));
    levy_text_print(&job->out, "  effort: %s of the CPU (%u thread%s, %s)\n",
                    levy_effort_say(effort.cpu).text, cpu.threads, explain_many(cpu.threads),
                    cpu.isa);
    return LEVY_OK;
}

/* What a staged run holds of its numbers at a time. */
static void explain_batches(levy_text_out *out, const levy_image *image, uint64_t wave)
{
    char bytes[LEVY_MEMORY_TEXT];
    const uint64_t most = levy_supply_size(image, wave), blocks = most ? most : 1;
    levy_text_print(
        out, "%s %zu block%s, %s of numbers", most ? "batches of at most" : "refused: a batch of",
        blocks, explain_many(blocks), levy_memory_text(blocks * levy_given_bytes(image), bytes));
}

static levy_status explain_schedule(levy_explanation *job, const levy_plan *plan)
{
    const uint64_t blocks = levy_run_blocks(plan, job->info),
                   per_pass = plan->image->blocks * plan->image->n_replicates,
                   passes = per_pass ? blocks / per_pass : 0;
    levy_text_out *out = &job->out;
    if (blocks == 0) return LEVY_MEMORY; /* no memory to count the passes */
    const bool staged = levy_given_size(plan->image) > 0;
    const char *const times = passes == 1 ? "pass" : "passes";
    levy_text_print(out, "  schedule: %s, %zu %s over %zu block%s of 4096 paths, ",
                    staged ? "staged" : "fused", passes, times, per_pass, explain_many(per_pass));
    if (staged)
        explain_batches(out, plan->image, job->info->wave_blocks ? job->info->wave_blocks : 1);
    else
        levy_text_print(out, "first batch %zu", job->info->batch_blocks);
    levy_text_put(out, "\n");
    return explain_effort(job, plan);
}

/* "0.64 until 0.5, then 1.2" */
static void explain_ratio_of(levy_explanation *job, const levy_model *model, size_t asset)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const levy_origin origin = {job->problem->has_date, job->problem->valuation};
    char until[LEVY_NUMBER_SIZE];
    for (double from = 0.0, end; from < INFINITY; from = end) {
        end = levy_model_break(kind, model->terms, asset, from);
        if (from > 0.0) LEVY_TEXT_PUT(&job->out, " until ", until, ", then ");
        levy_text_print(&job->out, "%.4f", kind->ratio(model->terms, asset, end));
        if (end < INFINITY) levy_node_name(origin, end, until);
    }
}

/* "  Feller's ratio: ACME 0.64, BELL 1.2" */
static void explain_ratio(levy_explanation *job, const levy_trade *trade)
{
    levy_text_out *const out = &job->out;
    const levy_model_kind *const kind = levy_model_kinds[trade->model->kind];
    if (!kind->ratio) return;
    LEVY_TEXT_PUT(out, "  ", kind->ratio_name);
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        LEVY_TEXT_PUT(out, i ? ", " : ": ", levy_trade_asset(trade, i)->name, " ");
        explain_ratio_of(job, trade->model, trade->underlyings[i]);
    }
    levy_text_put(out, "\n");
}

/* "  E[S^2] is infinite from: ACME 0.8312 years, BELL never" */
static void explain_explosions(levy_text_out *out, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    if (!kind->explodes) return;
    levy_text_put(out, "  E[S^2] is infinite from: ");
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const double years = kind->explodes(model->terms, trade->underlyings[i], 2.0);
        LEVY_TEXT_PUT(out, i ? ", " : "", levy_trade_asset(trade, i)->name, " ");
        if (years < INFINITY)
            levy_text_print(out, "%.4f years", years);
        else
            levy_text_put(out, "never");
    }
    levy_text_put(out, "\n");
}

static levy_status explain_group(levy_explanation *job, const levy_group *group, size_t number)
{
    char why[LEVY_PLAN_WHY] = "";
    levy_plan *plan = NULL;
    levy_text_out *out = &job->out;
    levy_text_print(out, "\ngroup %zu: %zu trade%s of model %s\n", number, group->n_trades,
                    explain_many(group->n_trades),
                    job->problem->trades[group->trades[0]].model->name);
    for (size_t i = 0; i < group->n_trades; ++i)
        explain_trade(job, &job->problem->trades[group->trades[i]]);
    if (levy_group_is_still(group)) {
        LEVY_TEXT_PUT(out, "  nothing is simulated: ",
                      group->known   ? "the payoff is known\n"
                      : group->early ? "early exercise is priced by a deterministic method\n"
                                     : "no path is needed\n");
        return LEVY_OK;
    }
    const levy_status status = levy_plan_create(job->planning, job->problem, group, &plan, why);
    if (status == LEVY_UNSUPPORTED || (status == LEVY_MEMORY && why[0])) {
        LEVY_TEXT_PUT(out, "  cannot be planned: ", why, "\n");
        return LEVY_OK;
    }
    if (status != LEVY_OK) return status;
    explain_ratio(job, &job->problem->trades[group->trades[0]]);
    explain_explosions(out, &job->problem->trades[group->trades[0]]);
    explain_grid(out, plan);
    explain_plan(out, plan);
    levy_status explained = explain_draws(out, plan);
    if (explained == LEVY_OK) explained = explain_schedule(job, plan);
    explain_refusal(job, plan);
    levy_plan_destroy(plan);
    return explained;
}

levy_status levy_explain(levy_explanation *job)
{
    levy_arena arena;
    levy_group *groups = NULL;
    size_t n_groups = 0;
    levy_arena_init(&arena, job->planning);
    levy_status status = levy_groups_create(job->problem, &arena, &groups, &n_groups);
    if (status == LEVY_OK) explain_run(job);
    job->total = n_groups;
    for (size_t i = 0; i < n_groups && status == LEVY_OK; job->done = ++i)
        status = explain_group(job, &groups[i], i);
    levy_arena_release(&arena);
    return status;
}
