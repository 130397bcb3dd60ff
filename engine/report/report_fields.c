/* report_fields.c: see report_fields.h. */
#include "engine/report/report_fields.h"

#include <math.h>
#include <string.h>

/* clang-format off */
#define FIELD(of, member, KIND, unit, doc)                                                         \
    {#member, LEVY_FIELD_IS_##KIND, offsetof(of, member), false, false, unit, doc}
#define ALWAYS(of, member, doc)                                                                    \
    {#member, LEVY_FIELD_IS_TEXT, offsetof(of, member), true, false, "", doc}
#define ASKED(of, member, KIND, unit, doc)                                                         \
    {#member, LEVY_FIELD_IS_##KIND, offsetof(of, member), false, true, unit, doc}
/* clang-format on */

const levy_report_field levy_trade_fields[] = {
#define F(member, KIND, unit, doc) FIELD(levy_trade_result, member, KIND, unit, doc)
    F(id, TEXT, "", "The trade's id."),
    ALWAYS(levy_trade_result, status, "ok, failed, or cancelled: the run ended before its turn."),
    F(price, NUMBER, "currency", "Present value of the position, signed."),
    F(std_error, NUMBER, "currency", "Standard error of the price, rounding included."),
    F(ci_low, NUMBER, "currency", "Lower end of the price's interval."),
    F(ci_high, NUMBER, "currency", "Upper end of the price's interval."),
    F(confidence, NUMBER, "", "Confidence level of the interval, such as 0.95."),
    ALWAYS(levy_trade_result, interval,
           "How the interval was made: student_t, normal, exact, unreliable or none."),
    F(currency, TEXT, "", "Currency of the trade and of all its amounts."),
    F(unit_price, NUMBER, "currency", "Present value of one unit."),
    F(payoff, TEXT, "", "Kind of the payoff."),
    F(model, TEXT, "", "Kind of the model."),
    F(maturity, NUMBER, "years", "Time to expiry."),
    F(paths, COUNT, "paths", "Simulated paths, over all replicates; 0: none were needed."),
    F(replicates, COUNT, "", "Independent replicates."),
    F(dimensions, COUNT32, "", "Random numbers of a path."),
    F(padding, COUNT32, "", "Of these, pseudo-random ones past the Sobol table or the net."),
    F(generator, TEXT, "", "Generator of the random numbers."),
    F(construction, TEXT, "", "Construction of the path: bridge, incremental or pca."),
    F(seed, COUNT, "", "Seed."),
    F(precision, TEXT, "", "Precision of the simulation: double, mixed or single."),
    F(reproducibility, TEXT, "",
      "Bits are the same on every backend (R3), on one (R2), or for equal given numbers (R1)."),
    F(backend, TEXT, "", "cpu or cuda."),
    F(device, TEXT, "", "Name of the device."),
    F(group, COUNT32, "", "Number of the group of trades that share draws."),
    F(plan_hash, HASH, "", "Hash of the group's numeric plan."),
    F(seconds, NUMBER, "seconds", "Simulation time of the trade's group."),
    F(floor_probability, NUMBER, "",
      "Share of the paths on which cash dividends floored the spot at 0."),
    ASKED(levy_trade_result, tolerance, NUMBER, "currency",
          "Half-width of the interval that the tolerance asks for."),
    ASKED(levy_trade_result, tolerance_width, NUMBER, "currency",
          "Half-width that was reached, times the safety factor."),
    ASKED(levy_trade_result, tolerance_met, ANSWER, "", "Whether the tolerance was met."),
    ALWAYS(levy_trade_result, reason, "none, or the reason why there is no price."),
    F(message, TEXT, "", "The first fault, or what else is to be said of the price."),
    F(first, TEXT, "", "What the bridge draws before all else."),
    F(pipeline, TEXT, "", "fused or staged."),
    F(underlying, TEXT, "", "The underlying; those of a basket with commas between them."),
    F(book, TEXT, "", "The trade's book."),
    F(counterparty, TEXT, "", "The trade's counterparty."),
    F(netting_set, TEXT, "", "The trade's netting set."),
    F(leg_of, TEXT, "", "Of a leg: the trade that it is a part of, whose price contains it."),
    {0}
#undef F
};

const levy_report_field levy_measure_fields[] = {
    ALWAYS(levy_measure, measure, "The measure: price, delta, scenario_pnl and so on."),
    ALWAYS(levy_measure, factor, "What it refers to: a factor, a date or a scenario."),
    FIELD(levy_measure, value, NUMBER, "by measure", "Its value, of the whole position."),
    FIELD(levy_measure, std_error, NUMBER, "by measure",
          "Its standard error, the bias of a bump included."),
    FIELD(levy_measure, flagged, FLAG, "",
          "Whether it is biased, unreliable, partial or without a value."),
    FIELD(levy_measure, note, TEXT, "",
          "Why it is flagged, or what else is to be said of it. noisy: a bump crosses a jump; the "
          "interval is wide, and holds."),
    FIELD(levy_measure, ci_low, NUMBER, "by measure",
          "Lower end of its interval, at the confidence of the trade or sum."),
    FIELD(levy_measure, ci_high, NUMBER, "by measure", "Upper end of its interval."),
    ALWAYS(levy_measure, interval, "How the interval was made, as of a trade."),
    FIELD(levy_measure, step_bias, NUMBER, "by measure",
          "What the steps of the model leave of an error, which is in neither error nor interval; "
          "0: there are none; null: it was not measured."),
    FIELD(levy_measure, step_bias_se, NUMBER, "by measure",
          "Its standard error; of a sum the most that it can be."),
    {0}};

const levy_report_field levy_netted_fields[] = {
#define F(member, KIND, unit, doc) FIELD(levy_netted, member, KIND, unit, doc)
    ALWAYS(levy_netted, currency, "Currency of the sum."),
    F(key, TEXT, "", "The key of --by; none: all trades of the currency."),
    F(label, TEXT, "", "The text that the trades have under the key; none: they have none."),
    F(trades, COUNT, "", "Priced trades in the sum."),
    F(value, NUMBER, "currency", "Sum of the prices."),
    F(std_error, NUMBER, "currency", "Standard error of the sum, by replicates."),
    F(ci_low, NUMBER, "currency", "Lower end of its interval."),
    F(ci_high, NUMBER, "currency", "Upper end of its interval."),
    F(confidence, NUMBER, "", "Confidence level of the interval."),
    ALWAYS(levy_netted, interval, "How the interval was made, as of a trade."),
    F(replicates, COUNT, "", "Independent replicates."),
    F(failed, COUNT, "", "Trades of the sum that have no price, and that it lacks."),
    F(failed_ids, TEXT, "",
      "Their ids, or places such as trades[1], of the first 8; none: it lacks none."),
    F(translated, FLAG, "",
      "Whether it has the trades of all currencies, in the book's report_currency."),
    {0}
#undef F
};

const levy_report_field levy_run_fields[] = {
#define F(member, KIND, unit, doc) FIELD(levy_run_info, member, KIND, unit, doc)
    ALWAYS(levy_run_info, version, "Version of levy and its numeric contract."),
    F(contract, COUNT32, "", "The numeric contract."),
    ALWAYS(levy_run_info, backend, "cpu or cuda."),
    ALWAYS(levy_run_info, device, "Name of the device."),
    F(device_reason, TEXT, "", "Why this device."),
    F(isa, TEXT, "", "Instruction set of the CPU."),
    F(threads, COUNT32, "", "Threads of the host; 0: a GPU."),
    F(fingerprint, HASH, "", "Hash of the input."),
    F(groups, COUNT, "", "Groups of trades that share draws."),
    F(priced, COUNT, "", "Trades with a price."),
    F(failed, COUNT, "", "Trades without a price."),
    F(cancelled, COUNT, "", "Trades that an interrupted run did not price."),
    F(tolerance_missed, COUNT, "", "Priced trades that missed their tolerance."),
    F(seconds, NUMBER, "seconds", "Wall time of the pricing."),
    F(interrupted, FLAG, "", "Whether the run was interrupted."),
    {0}
#undef F
};

const levy_report_field levy_part_fields[] = {
#define F(member, KIND, unit, doc) FIELD(levy_part_info, member, KIND, unit, doc)
    F(part, COUNT32, "", "Number of the part, from 1."),
    F(parts, COUNT32, "", "Parts that the book was cut into."),
    ALWAYS(levy_part_info, host, "Name of the host."),
    ALWAYS(levy_part_info, backend, "cpu or cuda."),
    ALWAYS(levy_part_info, device, "Name of the device."),
    F(device_reason, TEXT, "", "Why this device."),
    F(isa, TEXT, "", "Instruction set of the CPU."),
    F(threads, COUNT32, "", "Threads of the host; 0: a GPU."),
    {0}
#undef F
};

const levy_report_field levy_grid_point_fields[] = {
    ALWAYS(levy_grid_point, id, "The factor of the point's measures."),
    ALWAYS(levy_grid_point, scenario, "The scenario's id, as written."),
    {0}};

const levy_report_field levy_grid_axis_fields[] = {
    ALWAYS(levy_grid_axis, factor, "The factor that the axis shifts."),
    FIELD(levy_grid_axis, relative, FLAG, "",
          "Whether the size multiplies the factor by 1 + size, or is added."),
    FIELD(levy_grid_axis, size, NUMBER, "by factor", "The size of the shift."),
    {0}};

levy_report_cell levy_report_read(const levy_report_field *field, const void *of)
{
    levy_report_cell cell = {.kind = field->kind};
    const char *const at = (const char *)of + field->offset;
    uint32_t small;
    int flag;
    switch (field->kind) {
    case LEVY_FIELD_IS_TEXT:
        memcpy(&cell.text, at, sizeof cell.text);
        cell.none = !cell.text;
        break;
    case LEVY_FIELD_IS_NUMBER:
        memcpy(&cell.number, at, sizeof cell.number);
        cell.none = !isfinite(cell.number);
        break;
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_HASH:
        memcpy(&cell.count, at, sizeof cell.count);
        break;
    case LEVY_FIELD_IS_COUNT32:
        memcpy(&small, at, sizeof small);
        cell.count = small;
        break;
    case LEVY_FIELD_IS_FLAG:
    case LEVY_FIELD_IS_ANSWER:
        memcpy(&flag, at, sizeof flag);
        cell.flag = flag > 0;
        cell.none = field->kind == LEVY_FIELD_IS_ANSWER && flag == 0;
        break;
    }
    return cell;
}

const levy_report_field *levy_report_find(const levy_report_field *fields, const char *name)
{
    while (fields->name && strcmp(fields->name, name) != 0) ++fields;
    return fields->name ? fields : NULL;
}
