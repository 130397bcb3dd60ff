/* shape.c: see shape.h: writes the text. Must not know: who compiles it. */
#include "kernels/cuda/compile/shape.h"

#include "kernels/cuda/compile/bounds.h"
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_parts.h"
#include "kernels/cuda/compile/shape_text.h"

#include "models/kinds.h"
#include "payoffs/payoff.h"

#include <string.h>

static void shape_between(levy_shape_text *out, const char *before, const char *name,
                          const char *after)
{
    levy_shape_word(out, before);
    levy_shape_word(out, name);
    levy_shape_word(out, after);
}

/* A macro's two arguments, and the end of the call. */
static void shape_pair(levy_shape_text *out, const char *call, const char *name, const char *upper)
{
    shape_between(out, call, name, ", ");
    shape_between(out, upper, ")", "");
}

static const levy_image_output *shape_output(const levy_image *image, const levy_tile *tile,
                                             uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output + i;
}

static uint32_t shape_first(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->first_item - t->first_item;
}

static uint32_t shape_terms(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->n_terms;
}

static uint32_t shape_term(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i / LEVY_OUTPUT_TERMS)->term[i % LEVY_OUTPUT_TERMS];
}

/* [dynamics of the tile] */
static const uint32_t *shape_returns(const levy_image *m, const levy_tile *t)
{
    return LEVY_IMAGE_AT(uint32_t, m, returns) + t->first_dynamics;
}

static uint32_t shape_construction(const levy_image *m)
{
    return m->n_nodes == 1 ? (uint32_t)SHAPE_INCREMENTAL : m->construction;
}

static bool shape_tile_fits(const levy_image *image, const levy_tile *tile)
{
    if (tile->n_outputs == 0 || tile->n_items == 0 || tile->n_dynamics == 0) return false;
    if ((uint64_t)tile->first_output + tile->n_outputs > image->n_outputs ||
        (uint64_t)tile->first_item + tile->n_items > image->n_items ||
        (uint64_t)tile->first_dynamics + tile->n_dynamics > image->n_dynamics)
        return false;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (levy_shape_dynamics(image, tile, i) >= tile->n_dynamics) return false;
    for (uint32_t i = 0; i < tile->n_outputs; ++i) {
        const uint64_t first = shape_first(image, tile, i), count = shape_terms(image, tile, i);
        if (first >= tile->n_items || count > LEVY_OUTPUT_TERMS) return false;
        for (uint32_t k = 0; k < count; ++k)
            if (first + shape_term(image, tile, LEVY_OUTPUT_TERMS * i + k) >= tile->n_items)
                return false;
    }
    return true;
}

/* Writes the image's diffusion by its names in models.def; one without lanes of its own has an
 * empty name. */
static void shape_model(levy_shape_text *out, uint32_t model)
{
    static const struct {
        uint32_t number;
        const char *name, *upper;
    } models[] = {
#define LEVY_MODEL_LANES(name, NAME) {LEVY_MODEL_##NAME, #name, #NAME},
#include "models/models.def"
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
        if (models[i].number == (model & LEVY_MODEL_LANES_MASK)) {
            shape_pair(out, "#define PATH_MODEL_OWN LEVY_MODEL_LANES(", models[i].name,
                       models[i].upper);
            shape_between(out, "\n#define PATH_MODEL_HEADER \"models/", models[i].name, ".h\"\n");
            shape_between(out, "#define PATH_MODEL_IS_SHORT ", models[i].upper, "_IS_SHORT\n");
            return;
        }
    levy_shape_word(out,
                    "#define PATH_MODEL_OWN\n#define PATH_MODEL_HEADER \"models/black_scholes.h\"\n"
                    "#define PATH_MODEL_IS_SHORT 1\n");
}

/* Writes the payoffs of the tile's items by their names in payoffs.def, and their headers. */
static void shape_payoffs(levy_shape_text *out, const levy_image *image, const levy_tile *tile)
{
    static const struct {
        uint32_t number;
        const char *name, *upper;
    } payoffs[] = {
#define LEVY_PAYOFF_LANES(name, NAME) {LEVY_PAYOFF_##NAME, #name, #NAME},
#include "payoffs/payoffs.def"
    };
    enum { COUNT = sizeof payoffs / sizeof payoffs[0] };
    bool has[COUNT] = {false};
    for (uint32_t i = 0; i < tile->n_items; ++i)
        for (size_t k = 0; k < COUNT; ++k)
            if (levy_shape_item(image, tile, i)->kind == payoffs[k].number) has[k] = true;
    levy_shape_word(out, "#define PATH_PAYOFF_OWN");
    for (size_t k = 0; k < COUNT; ++k)
        if (has[k]) shape_pair(out, " LEVY_PAYOFF_LANES(", payoffs[k].name, payoffs[k].upper);
    levy_shape_word(out, "\n");
    for (size_t k = 0; k < COUNT; ++k)
        if (has[k]) shape_between(out, "#include \"payoffs/", payoffs[k].name, ".h\"\n");
}

/* Writes all members of shape.def. */
static void shape_members(levy_shape_text *out, const levy_image *image, const levy_tile *tile,
                          uint32_t lanes, uint32_t rows)
{
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
#define SHAPE(name, of_view, of_tile) {#name, of_tile},
#define SHAPE_GPU(name, of_tile) {#name, of_tile},
#include "kernels/path/shape.def"
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        levy_shape_define(out, numbers[i].name, numbers[i].value);
#define SHAPE_GPU_LIST(name, count, of_tile)                                                       \
    levy_shape_word(out, "#define PATH_" #name "_list {");                                         \
    for (uint32_t i = 0; i < (count); ++i) {                                                       \
        if (i) levy_shape_put(out, ", ", 2);                                                       \
        levy_shape_number(out, (uint32_t)(of_tile), 10);                                           \
    }                                                                                              \
    levy_shape_put(out, "}\n", 2);
#define SHAPE_ITEM(name, of_view, of_tile) SHAPE_GPU_LIST(name, tile->n_items, of_tile)
#include "kernels/path/shape.def"
}

levy_status levy_shape_write(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                             uint32_t rows, char *text, size_t size)
{
    levy_shape_text out = {.text = text, .size = size};
    if (size == 0 || !shape_tile_fits(image, tile)) return LEVY_ARGUMENT;
    if (image->precision) levy_shape_word(&out, "#define LANE_SINGLE\n");
    /* heston64_f64: of 147 instructions behind a step of two paths 108 are left */
    if (image->model) levy_shape_word(&out, "#define MATHS_SELECTS 1\n");
    levy_shape_word(&out, "#define LEVY_LANES ");
    levy_shape_number(&out, lanes, 10);
    levy_shape_word(&out, "\n");
    levy_shape_define(&out, "ctas", (uint32_t)levy_shape_tuned(image, tile).ctas);
    shape_model(&out, image->model);
    shape_members(&out, image, tile, lanes, rows);
    levy_shape_word(&out, "#define PATH_state_of_list 0x");
    levy_shape_number(&out, levy_shape_state_list(image, tile), 16);
    levy_shape_word(&out, "ull\n");
    shape_payoffs(&out, image, tile);
    return out.length < out.size ? LEVY_OK : LEVY_ARGUMENT;
}
