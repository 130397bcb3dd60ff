/* test_tiles.c: what a GPU's tiles hold. Tiles change no sum, so that no price tells a wrong one.
 */
#include "tests/cmocka_all.h"

#include "engine/plan/tiles.h"
#include "tests/planned.h"
#include "tests/problem_load.h"

static const levy_tile_limits limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

/* Programs that are postponed on many dates share a tile of twelve, with no other item. */
static void test_a_tile_of_postponed_programs_has_no_others(void **state)
{
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.25}, B: {currency: USD, spot: 90, volatility: 0.3}}, correlations: {pairs: "
        "[[A.spot, B.spot, 0.5]]}}\nmodels: {m: {kind: black_scholes, assets: [A, B]}}\ntrades:\n"
        " - {id: note, underlyings: [A, B], payoff: {kind: phoenix, observations: {count: 12}, "
        "coupon_barrier: 0.8, call_barrier: 1.05, knock_in_barrier: 0.6, coupon: 0.02, knock_in: "
        "{count: 600}}, exercise: {expiry: 2.0}}\n"
        " - {id: other, underlyings: [A, B], payoff: {kind: phoenix, observations: {count: 12}, "
        "coupon_barrier: 0.8, call_barrier: 1.05, knock_in_barrier: 0.6, coupon: 0.03, knock_in: "
        "{count: 600}}, exercise: {expiry: 2.0}}\n"
        " - {id: count, underlyings: [A, B], measures: [price], payoff: {kind: script, levels: "
        "percent_of_initial, "
        "schedules: {days: {count: 600}}, script: \"at days { if worst(levels) >= 0.9 { pay 0.01 } "
        "}\"}, exercise: {expiry: 2.0}}\n"
        "measures: [price, delta, vega]\nsimulation: {precision: single, smoothing: all}\n";
    levy_tile tiles[64];
    planned p;
    size_t large = 0, others = 0;
    (void)state;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.n_groups, 1);
    const levy_image *const image = p.plan->image;
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items);
    const size_t n = levy_plan_tiles(image, &limits, tiles);
    for (size_t k = 0; k < n; ++k) {
        uint32_t waiting = 0;
        for (uint32_t i = 0; i < tiles[k].n_items; ++i)
            waiting += levy_image_program(image, &items[tiles[k].first_item + i])->n_left > 0;
        assert_true(tiles[k].n_items <= (waiting == tiles[k].n_items ? 12u : 8u));
        large += tiles[k].n_items > 8;
        others += waiting < tiles[k].n_items;
    }
    assert_true(large > 0 && others > 0);
    unplan(&p);
    loaded_book_release(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tile_of_postponed_programs_has_no_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
