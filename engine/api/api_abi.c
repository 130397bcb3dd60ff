/* api_abi.c: levy_abi: where the members of the public structs lie, for bindings that cannot read
 * levy.h. */
#include "engine/levy.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct abi_member {
    const char *name;
    size_t offset, size;
    char kind;
} abi_member;

/* clang-format cannot lay out _Generic. */
/* clang-format off */
#define ABI_KIND(type, member)                                                                     \
    _Generic(((type *)0)->member, double: 'd', int: 'i', int64_t: 'i', uint32_t: 'u',              \
             uint64_t: 'u', const char *: 's', default: 'p')
#define ABI_MEMBER(type, member)                                                                   \
    {#member, offsetof(type, member), sizeof(((type *)0)->member), ABI_KIND(type, member)}
/* clang-format on */

/* Arrays of doubles: _Generic would take them for pointers. */
#define ABI_DOUBLES(type, member)                                                                  \
    {                                                                                              \
#member, offsetof(type, member), sizeof(((type *)0)->member), 'd'                          \
    }

static const abi_member abi_context_options[] = {
#define M(member) ABI_MEMBER(levy_context_options, member)
    M(struct_size), M(allocate),    M(reallocate), M(release), M(allocator_user), M(module_dir),
    M(max_memory),  M(allow_links), M(keep_texts), M(kinds)
#undef M
};
static const abi_member abi_diagnostic[] = {
#define M(member) ABI_MEMBER(levy_diagnostic, member)
    M(severity), M(reason), M(file), M(line), M(column), M(path),
    M(message),  M(hint),   M(text), M(trade)
#undef M
};
static const abi_member abi_setting[] = {ABI_MEMBER(levy_setting, key),
                                         ABI_MEMBER(levy_setting, value)};
static const abi_member abi_source[] = {
    ABI_MEMBER(levy_source, name), ABI_MEMBER(levy_source, text), ABI_MEMBER(levy_source, length),
    ABI_MEMBER(levy_source, folder)};
static const abi_member abi_progress[] = {
    ABI_MEMBER(levy_progress, done),    ABI_MEMBER(levy_progress, total),
    ABI_MEMBER(levy_progress, seconds), ABI_MEMBER(levy_progress, resumed),
    ABI_MEMBER(levy_progress, paths),   ABI_MEMBER(levy_progress, left)};
static const abi_member abi_normals_request[] = {
#define M(member) ABI_MEMBER(levy_normals_request, member)
    M(n_dimensions), M(replicate), M(first_path), M(n_paths),
    M(stride),       M(output)
#undef M
};
static const abi_member abi_price_options[] = {
#define M(member) ABI_MEMBER(levy_price_options, member)
    M(struct_size),  M(device),     M(isa),       M(threads),  M(batch_blocks), M(no_kernel_cache),
    M(progress),     M(user),       M(journal),   M(resume),   M(no_times),     M(normals),
    M(normals_user), M(by),         M(part),      M(parts),    M(part_note),    M(host_processes),
    M(host_place),   M(part_write), M(part_user), M(finished), M(finished_user)
#undef M
};
static const abi_member abi_part_info[] = {
#define M(member) ABI_MEMBER(levy_part_info, member)
    M(part),   M(parts),         M(complete), M(threads), M(host), M(backend),
    M(device), M(device_reason), M(isa),      M(note),    M(study)
#undef M
};
static const abi_member abi_merge_options[] = {
#define M(member) ABI_MEMBER(levy_merge_options, member)
    M(struct_size), M(paths),  M(n_paths), M(by),
    M(texts),       M(n_texts)
#undef M
};
static const abi_member abi_measure[] = {
#define M(member) ABI_MEMBER(levy_measure, member)
    M(measure), M(factor), M(value),   M(std_error), M(flagged),
    M(note),    M(ci_low), M(ci_high), M(interval)
#undef M
};
static const abi_member abi_trade_result[] = {
#define M(member) ABI_MEMBER(levy_trade_result, member)
    M(id),
    M(status),
    M(reason),
    M(message),
    M(currency),
    M(payoff),
    M(model),
    M(maturity),
    M(price),
    M(std_error),
    M(ci_low),
    M(ci_high),
    M(confidence),
    M(unit_price),
    M(interval),
    M(paths),
    M(replicates),
    M(seed),
    M(dimensions),
    M(generator),
    M(construction),
    M(precision),
    M(reproducibility),
    M(backend),
    M(device),
    M(group),
    M(plan_hash),
    M(seconds),
    M(floor_probability),
    M(padding),
    M(tolerance_met),
    M(tolerance),
    M(tolerance_width),
    M(n_measures),
    M(measures),
    M(first),
    M(pipeline),
    M(underlying),
    M(book),
    M(counterparty),
    M(netting_set),
    M(n_tags),
    M(tags),
    M(leg_of)
#undef M
};
static const abi_member abi_run_info[] = {
#define M(member) ABI_MEMBER(levy_run_info, member)
    M(version), M(backend),     M(device),   M(device_reason), M(isa),    M(contract),
    M(threads), M(fingerprint), M(groups),   M(priced),        M(failed), M(tolerance_missed),
    M(seconds), M(interrupted), M(cancelled)
#undef M
};
static const abi_member abi_netted[] = {
#define M(member) ABI_MEMBER(levy_netted, member)
    M(currency), M(trades),     M(replicates), M(value), M(std_error), M(ci_low),
    M(ci_high),  M(confidence), M(interval),   M(key),   M(label),     M(n_measures),
    M(measures), M(failed),     M(failed_ids)
#undef M
};
static const abi_member abi_report_options[] = {
    ABI_MEMBER(levy_report_options, struct_size), ABI_MEMBER(levy_report_options, format),
    ABI_MEMBER(levy_report_options, columns),     ABI_MEMBER(levy_report_options, wide),
    ABI_MEMBER(levy_report_options, width),       ABI_MEMBER(levy_report_options, sums),
    ABI_MEMBER(levy_report_options, command),     ABI_MEMBER(levy_report_options, made),
    ABI_MEMBER(levy_report_options, first),       ABI_MEMBER(levy_report_options, count)};
static const abi_member abi_tag[] = {ABI_MEMBER(levy_tag, name), ABI_MEMBER(levy_tag, text)};
static const abi_member abi_grid_axis[] = {ABI_MEMBER(levy_grid_axis, factor),
                                           ABI_MEMBER(levy_grid_axis, relative),
                                           ABI_MEMBER(levy_grid_axis, size)};
static const abi_member abi_grid_point[] = {
    ABI_MEMBER(levy_grid_point, id), ABI_MEMBER(levy_grid_point, scenario),
    ABI_MEMBER(levy_grid_point, n_axes), ABI_MEMBER(levy_grid_point, axes)};
static const abi_member abi_study_options[] = {
#define M(member) ABI_MEMBER(levy_study_options, member)
    M(struct_size), M(methods),   M(points), M(fit),           M(trade),
    M(replicates),  M(resamples), M(seeds),  M(has_reference), M(reference),
    M(target_rmse), M(measures),  M(merge)
#undef M
};
static const abi_member abi_points_options[] = {
#define M(member) ABI_MEMBER(levy_points_options, member)
    M(struct_size), M(trade), M(output), M(replicate),
    M(first),       M(count)
#undef M
};
static const abi_member abi_bridge_spec[] = {
#define M(member) ABI_MEMBER(levy_bridge_spec, member)
    M(struct_size), M(times),        M(order),          M(factor),    M(start),
    M(n_steps),     M(n_dimensions), M(output),         M(precision), M(device),
    M(isa),         M(threads),      M(no_kernel_cache)
#undef M
};
static const abi_member abi_normals_spec[] = {
#define M(member) ABI_MEMBER(levy_normals_spec, member)
    M(struct_size),     M(generator), M(output), M(precision), M(n_dimensions), M(first_dimension),
    M(count),           M(replicate), M(seed),   M(device),    M(isa),          M(threads),
    M(no_kernel_cache), M(net)
#undef M
};
static const abi_member abi_net_spec[] = {
#define M(member) ABI_MEMBER(levy_net_spec, member)
    M(struct_size), M(file),      M(columns), M(n_dimensions),
    M(n_columns),   M(scrambling)
#undef M
};
static const abi_member abi_normals_facts[] = {
#define M(member) ABI_MEMBER(levy_normals_facts, member)
    M(generator),
    M(backend),
    M(device),
    M(device_reason),
    M(isa),
    M(kernel),
    M(key),
    M(count),
    M(number_bytes),
    M(threads),
    M(threads_per_block),
    M(points_per_thread),
    M(registers),
    M(spilled_bytes),
    M(blocks_per_processor),
    M(most_points)
#undef M
};
static const abi_member abi_paths_spec[] = {
#define M(member) ABI_MEMBER(levy_paths_spec, member)
    M(struct_size), M(bridge), M(drift), M(exponential), M(generator),
    M(replicate),   M(seed),   M(net)
#undef M
};
static const abi_member abi_sampler_spec[] = {
#define M(member) ABI_MEMBER(levy_sampler_spec, member)
    M(struct_size), M(weights),         M(count),          M(device),           M(isa),
    M(threads),     M(no_kernel_cache), M(weights_stream), M(weights_on_device)
#undef M
};
static const abi_member abi_sampler_facts[] = {
#define M(member) ABI_MEMBER(levy_sampler_facts, member)
    M(backend),
    M(device),
    M(device_reason),
    M(isa),
    M(kernel),
    M(count),
    M(table_bytes),
    M(threads),
    M(threads_per_block),
    M(draws_per_thread),
    M(registers),
    M(spilled_bytes),
    M(blocks_per_processor)
#undef M
};
static const abi_member abi_distribution_spec[] = {
#define M(member) ABI_MEMBER(levy_distribution_spec, member)
    M(struct_size), M(law),     M(precision), ABI_DOUBLES(levy_distribution_spec, parameters),
    M(isa),         M(threads), M(device),    M(no_kernel_cache),
    M(per_deviate)
#undef M
};
static const abi_member abi_distribution_facts[] = {
#define M(member) ABI_MEMBER(levy_distribution_facts, member)
    M(backend),
    M(device),
    M(device_reason),
    M(isa),
    M(kernel),
    M(table_bytes),
    M(threads),
    M(threads_per_block),
    M(registers),
    M(spilled_bytes),
    M(blocks_per_processor)
#undef M
};
static const abi_member abi_bridge_facts[] = {
#define M(member) ABI_MEMBER(levy_bridge_facts, member)
    M(n_steps),
    M(n_dimensions),
    M(slots),
    M(instruction_bytes),
    M(instructions),
    M(points),
    M(normals),
    M(weights),
    M(backend),
    M(device),
    M(device_reason),
    M(isa),
    M(kernel),
    M(threads),
    M(threads_per_block),
    M(paths_per_thread),
    M(registers),
    M(spilled_bytes),
    M(blocks_per_processor)
#undef M
};

static const abi_member abi_convergence_method[] = {
#define M(member) ABI_MEMBER(levy_convergence_method, member)
    M(method),         M(generator),  M(construction), M(pseudo_random),
    M(replicates),     M(dimensions), M(n_sizes),      M(sizes),
    M(estimates),      M(rmse),       M(rmse_se),      M(slope),
    M(intercept),      M(slope_se),   M(seconds),      M(seconds_to_target),
    M(efficiency),     M(n_shares),   M(shares),       M(effective_dimension),
    M(outside_motion), M(smoothing)
#undef M
};
static const abi_member abi_convergence[] = {
#define M(member) ABI_MEMBER(levy_convergence, member)
    M(run),       M(trade),        M(payoff),         M(model),          M(currency), M(precision),
    M(reference), M(reference_se), M(reference_kind), M(reference_text), M(seed),     M(fit_first),
    M(fit_last),  M(replicates),   M(resamples),      M(target_rmse),    M(baseline), M(n_methods),
    M(methods),   M(measure),      M(factor)
#undef M
};
static const abi_member abi_profile_options[] = {
#define M(member) ABI_MEMBER(levy_profile_options, member)
    M(struct_size), M(factor), M(trade), M(low),
    M(high),        M(points)
#undef M
};
static const abi_member abi_profile_line[] = {
#define M(member) ABI_MEMBER(levy_profile_line, member)
    M(trade),  M(currency),  M(measure), M(factor),
    M(values), M(std_errors)
#undef M
};
static const abi_member abi_profile_table[] = {
#define M(member) ABI_MEMBER(levy_profile_table, member)
    M(run),     M(factor), M(today),   M(n_values), M(at),
    M(n_lines), M(lines),  M(is_shift)
#undef M
};
static const abi_member abi_coverage_row[] = {
#define M(member) ABI_MEMBER(levy_coverage_row, member)
    M(trade),           M(payoff),
    M(method),          M(reference),
    M(reference_se),    M(reference_kind),
    M(points),          M(replicates),
    M(seeds),           M(intervals),
    M(covered),         M(coverage),
    M(coverage_se),     M(coverage_unmarked),
    M(mean_half_width), M(rmse),
    M(mean_points),     M(within_tolerance),
    M(measure),         M(factor),
    M(marked)
#undef M
};
static const abi_member abi_coverage_table[] = {
#define M(member) ABI_MEMBER(levy_coverage_table, member)
    M(run),    M(confidence), M(first_seed), M(precision),
    M(n_rows), M(rows)
#undef M
};
static const abi_member abi_draw_spec[] = {
#define M(member) ABI_MEMBER(levy_draw_spec, member)
    M(struct_size),  M(theta),          M(phi),     M(states),   M(words),      M(n_paths),
    M(theta_stride), M(phi_stride),     M(n_items), M(n_states), M(precision),  M(check),
    M(threads),      M(device),         M(fault),   M(seed),     M(first_path), M(first_draw),
    M(n_draws),      M(no_kernel_cache)
#undef M
};

static const struct {
    const char *name;
    size_t size, n_members;
    const abi_member *members;
} abi_structs[] = {
#define ABI_STRUCT(name)                                                                           \
    {                                                                                              \
        "levy_" #name, sizeof(levy_##name), sizeof abi_##name / sizeof *abi_##name, abi_##name     \
    }
    ABI_STRUCT(context_options),
    ABI_STRUCT(diagnostic),
    ABI_STRUCT(setting),
    ABI_STRUCT(source),
    ABI_STRUCT(progress),
    ABI_STRUCT(normals_request),
    ABI_STRUCT(price_options),
    ABI_STRUCT(part_info),
    ABI_STRUCT(merge_options),
    ABI_STRUCT(measure),
    ABI_STRUCT(trade_result),
    ABI_STRUCT(run_info),
    ABI_STRUCT(netted),
    ABI_STRUCT(tag),
    ABI_STRUCT(report_options),
    ABI_STRUCT(grid_axis),
    ABI_STRUCT(grid_point),
    ABI_STRUCT(study_options),
    ABI_STRUCT(bridge_spec),
    ABI_STRUCT(bridge_facts),
    ABI_STRUCT(distribution_spec),
    ABI_STRUCT(distribution_facts),
    ABI_STRUCT(convergence_method),
    ABI_STRUCT(convergence),
    ABI_STRUCT(coverage_row),
    ABI_STRUCT(coverage_table),
    ABI_STRUCT(draw_spec),
    ABI_STRUCT(net_spec),
    ABI_STRUCT(normals_spec),
    ABI_STRUCT(normals_facts),
    ABI_STRUCT(paths_spec),
    ABI_STRUCT(points_options),
    ABI_STRUCT(profile_options),
    ABI_STRUCT(profile_line),
    ABI_STRUCT(profile_table),
    ABI_STRUCT(sampler_spec),
    ABI_STRUCT(sampler_facts)
#undef ABI_STRUCT
};

static int abi_put(levy_writer write, void *user, const char *text)
{
    return write(user, text, strlen(text));
}

int levy_abi(levy_writer write, void *user)
{
    char piece[128];
    int failed = 0;
    if (!write) return LEVY_STATUS_ARGUMENT;
    for (size_t i = 0; i < sizeof abi_structs / sizeof *abi_structs && !failed; ++i) {
        snprintf(piece, sizeof piece, "%s %zu", abi_structs[i].name, abi_structs[i].size);
        failed = abi_put(write, user, piece);
        for (size_t j = 0; j < abi_structs[i].n_members && !failed; ++j) {
            const abi_member *member = &abi_structs[i].members[j];
            snprintf(piece, sizeof piece, " %s@%zu:%zu:%c", member->name, member->offset,
                     member->size, member->kind);
            failed = abi_put(write, user, piece);
        }
        if (!failed) failed = abi_put(write, user, "\n");
    }
    return failed ? LEVY_STATUS_IO : LEVY_STATUS_OK;
}
