/* one_driver.h: the common part of the shapes of one asset and one factor, for path.h. With
 * PATH_ONE_ITEM also that of the shapes of one average on one market; with PATH_ONE_NORMAL jumps
 * with normal marks are added; with PATH_ONE_MOVED factors by interval or cash dividends. No guard:
 * path_end.h undefines all of it, and this file is included before each shape. */
#define PATH_SPECIAL 1
#define PATH_assets 1u
#define PATH_factors 1u
#if !defined(PATH_covariance)
#define PATH_covariance 0u
#define PATH_cash 0u
#endif
#if defined(PATH_ONE_NORMAL) /* one source of normal jumps */
#undef PATH_ONE_NORMAL
#define PATH_extra 2u
#define PATH_model 1u
#define PATH_model_draws 2u
#define PATH_model_features 2u
#define PATH_model_constant0 1u
#define PATH_model_constant1 1u
#define PATH_model_constant2 1u
#else
#if defined(PATH_ONE_ITEM) && !defined(PATH_ONE_MOVED)
#define PATH_average 1
#endif
#define PATH_extra 0u
#define PATH_model 0u
#define PATH_model_draws 0u
#define PATH_model_features 0u
#define PATH_model_constant0 0u
#define PATH_model_constant1 0u
#define PATH_model_constant2 0u
#endif
#define PATH_model_constant3 0u
#if !defined(PATH_padded)
#define PATH_padded 0u
#endif
#define PATH_full 0
#define PATH_item_aggregate(i) BASKET_NONE
#if defined(PATH_ONE_ITEM)
#undef PATH_ONE_ITEM
#define PATH_lag 0u
#define PATH_market_lag(m) 0u
#define PATH_plain 1
#define PATH_markets 1u
/* an arithmetic average, so that nobody asks for logarithms, and perhaps whether cash met the floor
 */
#if defined(PATH_ONE_MOVED)
#undef PATH_ONE_MOVED
#define PATH_items (s->n_items)
#define PATH_MAX_MARKETS 1u
#define PATH_MAX_ITEMS 2u
#define PATH_item_kind(i) ((i) == 0 ? (uint32_t)PAYOFF_ASIAN : (uint32_t)PAYOFF_FLOOR)
#define PATH_item_variant(i) (v->items[i].variant & ~(uint32_t)ASIAN_GEOMETRIC)
#else
#define PATH_items 1u
/* the fastest to observe: what else there is costs it its registers */
#define PATH_item_kind(i) PAYOFF_ASIAN
#define PATH_item_variant(i) (v->items[i].variant)
#endif
#define PATH_item_market(i) 0u
#endif
