/* test_tiles.c: what a GPU's tiles hold, and what is said to it of the dynamics. Tiles change no
 * sum, so that no price tells a wrong one. */
#include "tests/cmocka_all.h"

#include "engine/plan/tiles.h"
#include "kernels/path/sweep.h"
#include "tests/planned.h"
#include "tests/problem_load.h"
#include "tests/files.h"

static const levy_tile_limits limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

/* Programs that are postponed on many dates share a tile of twelve, with no other item. */
static void test_a_tile_of_postponed_programs_has_no_others(void **state)
{
    const char *const text = text_of_book("texts/tiles");
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

static uint32_t n_long(const levy_image_item *items, uint32_t n)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n; ++i) found += (items[i].traits & LEVY_ITEM_LONG) != 0;
    return found;
}

/* Plain items of one asset share a tile of sixteen; beside one whose code is long there are at most
 * eight. No tile ends before it is full. */
static void test_a_tile_with_a_long_item_has_fewer(void **state)
{
    static const char order[] = "ppppppppppppppppppplplpppppppppppppppplll";
    char text[1 << 14] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.25}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\n"
        "simulation: {smoothing: none}\ntrades:\n";
    levy_tile tiles[64];
    planned p;
    size_t mixed = 0;
    (void)state;
    for (size_t k = 0; order[k]; ++k) {
        const size_t used = strlen(text);
        snprintf(text + used, sizeof text - used,
                 " - {id: t%zu, underlying: A, exercise: {expiry: 1.0}, payoff: {%s}}\n", k,
                 order[k] == 'p' ? "kind: asian, option_type: call, strike: 100, averaging: "
                                   "{method: arithmetic, observations: {count: 4}}"
                                 : "kind: cliquet, observations: [0.25, 0.5, 0.75, 1], local_cap: "
                                   "0.05");
    }
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.n_groups, 1);
    const levy_image *const image = p.plan->image;
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items);
    const size_t n = levy_plan_tiles(image, &limits, tiles);
    for (size_t k = 0; k < n; ++k) {
        const levy_image_item *const own = items + tiles[k].first_item;
        const uint32_t slow = n_long(own, tiles[k].n_items);
        assert_true(tiles[k].n_items <= (slow ? 8u : 16u));
        if (k + 1 < n)
            assert_true(tiles[k].n_items >= (n_long(own, tiles[k].n_items + 1) ? 8u : 16u));
        mixed += slow > 0 && slow < tiles[k].n_items;
    }
    assert_true(mixed > 0);
    unplan(&p);
    loaded_book_release(&book);
}

/* ---- What dynamics differ in ---- */

#define MARKET(names, assets, pairs)                                                               \
    "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {" assets "}" pairs "}\n"            \
    "models: {m: {kind: black_scholes, assets: [" names "]}}\nmeasures: [price, vega, rho]\n"      \
    "simulation: {smoothing: none}\n"
#define ASSET(name) name ": {currency: USD, spot: 100, volatility: 0.2}"

#define FOUR                                                                                       \
    MARKET("A, B, C, D", ASSET("A") ", " ASSET("B") ", " ASSET("C") ", " ASSET("D"),               \
           ", correlations: {pairs: [[A.spot, B.spot, 0.5], [A.spot, C.spot, 0.5], [A.spot, "      \
           "D.spot, 0.5], [B.spot, C.spot, 0.5], [B.spot, D.spot, 0.5], [C.spot, D.spot, 0.5]]}")  \
    "trades:\n"
#define WORST(id, measures)                                                                        \
    " - {id: " id ", underlyings: [A, B, C, D], measures: [" measures "], payoff: {kind: "         \
    "worst_of, option_type: call, strike: 90}, exercise: {expiry: 1}}\n"

/* The vega of each asset moves that asset, a rate all of them: sweeps read no other. */
static void test_a_vega_moves_its_asset(void **state)
{
    static const char text[] = FOUR WORST("t", "price, vega, rho");
    planned p;
    uint32_t n[5] = {0}, n_more = 0;
    (void)state;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    const levy_image *const image = p.plan->image;
    const uint32_t *const moved = LEVY_IMAGE_AT(uint32_t, image, moved);
    for (uint32_t m = 0; m < image->n_dynamics; ++m) {
        if (moved[m] == LEVY_MOVES_MORE)
            ++n_more;
        else
            ++n[moved[m]];
    }
    for (uint32_t a = 0; a < 4; ++a) assert_true(n[a] >= 2 && n[a] == n[0]);
    assert_true(n[4] > 0 && n_more >= 2);
    assert_int_equal(moved[0], 4);
    unplan(&p);
    loaded_book_release(&book);
}

/* Vegas of two trades that are alike share a tile, which sweeps: more than others may hold. */
static void test_a_tile_that_sweeps_has_more(void **state)
{
    static const char text[] = FOUR WORST("t", "vega") WORST("u", "vega");
    levy_tile tiles[64];
    planned p;
    (void)state;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    assert_true(levy_plan_tiles(p.plan->image, &limits, tiles) > 0);
    assert_true(tiles[0].n_items > limits.items && levy_tile_sweeps(p.plan->image, tiles));
    unplan(&p);
    loaded_book_release(&book);
}

/* A rate moves the drift alone, so that returns are today's, grown; a volatility makes its own. */
static void test_returns_of_a_volatility_are_its_own(void **state)
{
    static const char text[] =
        MARKET("A", ASSET("A"),
               "") "trades: [{id: t, underlying: A, payoff: {kind: asian, option_type: call, "
                   "strike: 100, averaging: {method: arithmetic, observations: {count: 4}}}, "
                   "exercise: {expiry: 1}}]\n";
    planned p;
    uint32_t n[3] = {0};
    (void)state;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    const levy_image *const image = p.plan->image;
    const uint32_t *const returns = LEVY_IMAGE_AT(uint32_t, image, returns);
    for (uint32_t m = 0; m < image->n_dynamics; ++m) {
        const int turns =
            levy_image_real(image, image->factor, m) != levy_image_real(image, image->factor, 0);
        assert_int_equal(returns[m] == LEVY_RETURNS_OWN, turns);
        ++n[returns[m]];
    }
    assert_int_equal(returns[0], LEVY_RETURNS_FIRST);
    assert_true(n[LEVY_RETURNS_OWN] >= 2 && n[LEVY_RETURNS_GROWN] >= 2);
    unplan(&p);
    loaded_book_release(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_tile_of_postponed_programs_has_no_others),
        cmocka_unit_test(test_a_tile_with_a_long_item_has_fewer),
        cmocka_unit_test(test_a_vega_moves_its_asset),
        cmocka_unit_test(test_a_tile_that_sweeps_has_more),
        cmocka_unit_test(test_returns_of_a_volatility_are_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
