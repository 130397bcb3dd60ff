/* jump_terms.c: the YAML of jump layers and of the laws of marks. Must not know: what a file's
 * shocks are read by. */
#include "models/jump_fields.h"

const char *const levy_jump_maps[] = {"auto", "monotone", "alias", NULL};
static const char *const jump_arrivals[] = {"own", "common", NULL};

#define MARK_NUMBER(key, needs, from, to, ...)                                                     \
    {                                                                                              \
        LEVY_KEY(#key, NUMBER, levy_mark_terms, key),                                              \
            LEVY_WITHIN(from, to, LEVY_REQUIRED | (needs)), __VA_ARGS__                            \
    }
#define MARK_TABLE(title, list, words, sample)                                                     \
    {                                                                                              \
        .name = title, .doc = words, LEVY_FILLS(levy_mark_terms), .fields = list,                  \
        .example = sample                                                                          \
    }

static const levy_field normal_fields[] = {
    MARK_NUMBER(mean, 0, -20, 20, .doc = "Mean of the log jump size."),
    MARK_NUMBER(volatility, 0, 0, 5, .doc = "Standard deviation of the log jump size."),
    {0}};
static const levy_table mark_normal =
    MARK_TABLE("mark normal", normal_fields, "Normally distributed log jumps (Merton, 1976).",
               "{kind: normal, mean: -0.1, volatility: 0.15}");

static const levy_field double_exponential_fields[] = {
    MARK_NUMBER(probability_up, 0, 0, 1, .doc = "Probability that a jump is upward."),
    MARK_NUMBER(rate_up, LEVY_LOW_OPEN, 1, 1e6,
                .doc = "Rate of the exponential distribution of upward log jumps. Their mean "
                       "is 1/rate_up."),
    MARK_NUMBER(rate_down, LEVY_LOW_OPEN, 0, 1e6,
                .doc = "Rate of the exponential distribution of downward log jumps. Their "
                       "mean size is 1/rate_down."),
    {0}};
static const levy_table mark_double_exponential =
    MARK_TABLE("mark double_exponential", double_exponential_fields,
               "Log jumps with an asymmetric double exponential distribution (Kou, "
               "2002).",
               "{kind: double_exponential, probability_up: 0.3, rate_up: 25, rate_down: 15}");

static const levy_field empirical_fields[] = {
    {LEVY_KEY("assets", LIST, levy_mark_terms, assets), .also = LEVY_MODEL_ASSET_WORDS,
     .element = LEVY_FIELD_NAME, .flags = LEVY_NON_EMPTY,
     .doc = "Assets of the model that jump together: each row has a log jump of each "
            "of them, in this order, and an arrival draws one row for all. Other "
            "assets do not jump. It needs common arrivals."},
    {LEVY_KEY("shocks", MATRIX, levy_mark_terms, shocks), .flags = LEVY_NON_EMPTY,
     .doc = "Log jumps with their weights ([size, weight]), or log jumps of equal "
            "weight ([size]). With `assets`, [size, size, ..., weight]; the weight "
            "can be left out in all rows."},
    {LEVY_KEY("file", TEXT, levy_mark_terms, file),
     .doc = "CSV file of log jumps: size or size,weight on each line, with `assets` a "
            "size of each; up to 10,000,000 lines. The path is relative to this "
            "file."},
    {LEVY_KEY("map", CHOICE, levy_mark_terms, map), .choices = levy_jump_maps, .fallback = "auto",
     .doc = "How a log jump is sampled from a random number: by inverting the "
            "distribution function, or with an alias table. auto uses inversion "
            "for Sobol points and otherwise the alias table."},
    {0}};
static const levy_table mark_empirical =
    MARK_TABLE("mark empirical", empirical_fields,
               "Log jumps with a discrete distribution, given by a weighted list: "
               "`shocks` or `file`.",
               "{kind: empirical, shocks: [[-0.1, 1], [0.05, 3]]}");

static const levy_variant mark_kinds[] = {/* in the order of LEVY_MARK_ */
                                          {"normal", &mark_normal},
                                          {"double_exponential", &mark_double_exponential},
                                          {"empirical", &mark_empirical},
                                          {0}};
const levy_table levy_mark_table = {.name = "mark",
                                    .example = "{kind: normal, mean: -0.1, volatility: 0.15}",
                                    .doc = "Distribution of the log jump size. `kind` selects it.",
                                    .size = sizeof(levy_variant_value),
                                    .variants = mark_kinds};

static const levy_field jump_fields[] = {
    {LEVY_KEY("assets", LIST, levy_jump_terms, assets), .also = LEVY_MODEL_ASSET_WORDS,
     .element = LEVY_FIELD_NAME, .flags = LEVY_NON_EMPTY,
     .doc = "Assets of the model that jump. The default is all of them."},
    {LEVY_KEY("arrivals", CHOICE, levy_jump_terms, arrivals), .choices = jump_arrivals,
     .fallback = "own",
     .doc = "own: each asset has its own jump times. common: all assets jump at "
            "the same times. Each asset then draws its own jump size, or one draw "
            "gives all of them (an empirical mark with `assets`)."},
    {LEVY_KEY("intensity", NUMBER, levy_jump_terms, intensity), LEVY_WITHIN(0, 1000, LEVY_REQUIRED),
     .unit = "1/year",
     .doc = "Jump intensity: expected number of arrivals per year, of each asset "
            "or of the common arrivals."},
    {LEVY_KEY("counts_map", CHOICE, levy_jump_terms, counts_map), .choices = levy_jump_maps,
     .fallback = "auto",
     .doc = "How the number of jumps is sampled from a random number: by inverting "
            "the distribution function (auto), or with an alias table."},
    {LEVY_KEY("mark", VARIANT, levy_jump_terms, mark), .table = &levy_mark_table,
     .doc = "Distribution of the log jumps of every asset."},
    {LEVY_KEY("marks", LIST, levy_jump_terms, marks), .element = LEVY_FIELD_VARIANT,
     .flags = LEVY_NON_EMPTY, .table = &levy_mark_table,
     .doc = "One distribution for each asset, in the order of the assets. It "
            "replaces `mark`."},
    {0}};
const levy_table levy_jump_table = {
    .name = "jumps",
    .example = "{intensity: 0.5, mark: {kind: normal, mean: -0.1, volatility: 0.15}}",
    .doc = "A compound Poisson process, added to the diffusion. The drift "
           "compensates the mean jump, so forwards do not change.",
    LEVY_FILLS(levy_jump_terms),
    .fields = jump_fields};
