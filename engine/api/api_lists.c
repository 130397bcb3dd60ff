/* api_lists.c: the items of lists that contexts, books, results, studies and fits have. See levy.h.
 */
#include "engine/calibrate/calibration.h"
#include "engine/book/results.h"
#include "engine/study/study.h"

/* NULL: there is no item of that number. */
#define API_LIST(item, name, holder, items, count)                                                 \
    const item *name(const holder *of, size_t index)                                               \
    {                                                                                              \
        return of && index < of->count ? &of->items[index] : NULL;                                 \
    }

API_LIST(levy_diagnostic, levy_diagnostic_get, levy_context, diagnostics, n_diagnostics)
API_LIST(levy_source, levy_book_source, levy_book, sources, n_sources)
API_LIST(levy_source, levy_book_reference, levy_book, references, n_references)
API_LIST(levy_fitted_value, levy_calibration_value, levy_calibration, parameters, facts.parameters)
API_LIST(levy_fitted_quote, levy_calibration_quote, levy_calibration, fitted, facts.quotes)
API_LIST(levy_fitted_start, levy_calibration_start, levy_calibration, starts, facts.starts)
API_LIST(levy_trade_result, levy_results_trade, levy_results, trades, n_trades)
API_LIST(levy_measure, levy_trade_measure, levy_trade_result, measures, n_measures)
API_LIST(levy_netted, levy_results_netted, levy_results, netting.netted, netting.n_netted)
API_LIST(levy_measure, levy_netted_measure, levy_netted, measures, n_measures)
API_LIST(levy_tag, levy_trade_tag, levy_trade_result, tags, n_tags)
API_LIST(levy_grid_point, levy_results_grid_point, levy_results, points, n_points)
API_LIST(levy_grid_axis, levy_grid_point_axis, levy_grid_point, axes, n_axes)
API_LIST(levy_part_info, levy_results_part, levy_results, parts, n_parts)
API_LIST(levy_convergence, levy_study_convergence_at, levy_study, convergences, n_convergences)
API_LIST(levy_convergence_method, levy_convergence_at, levy_convergence, methods, n_methods)
API_LIST(levy_coverage_row, levy_coverage_at, levy_coverage_table, rows, n_rows)
API_LIST(levy_profile_line, levy_profile_at, levy_profile_table, lines, n_lines)
