/* fit_launch.c: see fit_launch.h. All launches of a fit are queued on one stream: moments of all
 * dates, then a launch for each date from the last to the first; the host waits once, for the
 * numbers that it puts into items. */
#include "kernels/cuda/device/fit_launch.h"
#include "kernels/cuda/device/standalone.h"

#include "kernels/path/image.h"
#include "payoffs/terms.h"

#include <stdio.h>
#include <string.h>

enum {
    FIT_WARPS = 4, /* of a CTA that makes moments */
    FIT_THREADS = LEVY_RULE_GROUPS * LEVY_RULE_COLUMNS,
    FIT_MERGED = 1024,
    FIT_SUMS = 48 /* that a thread of a regression has in registers, at most */
};

/* Bytes of memory that stay until the next fit. */
static const size_t fit_kept = (size_t)512 << 20;

typedef enum fit_kernel {
    FIT_MOMENTS,
    FIT_BEGIN,
    FIT_END,
    FIT_DATE,
    FIT_PAID,
    FIT_KERNELS
} fit_kernel;

typedef struct cuda_fit {
    levy_cuda_object object;
    char text[LEVY_FIT_TEXT];
    void *functions[FIT_KERNELS];
} cuda_fit;

/* ---- Sizes ----------------------------------------------------------------------------------- */

static size_t fit_columns(const levy_rule_pass *pass)
{
    return pass->monomials.n + pass->policy->n_controls * pass->policy->n_powers;
}

static size_t fit_products(const levy_rule_pass *pass)
{
    return LEVY_RULE_PRODUCTS(fit_columns(pass));
}

static size_t fit_moments(const levy_policy *p) { return LEVY_RULE_RANGE(p, p->n_variables); }

static unsigned fit_chunks(const levy_rule_pass *pass)
{
    return (unsigned)((fit_products(pass) + FIT_SUMS - 1) / FIT_SUMS);
}

static size_t fit_blocks(const levy_rule_pass *pass)
{
    return pass->levels->n_paths / LEVY_BLOCK_PATHS;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

static size_t fit_list(const char *name, const uint8_t *list, size_t n, char *text, size_t length)
{
    length += (size_t)snprintf(text + length, LEVY_FIT_TEXT - length, "#define %s 0", name);
    for (size_t k = 1; k < n; ++k)
        length += (size_t)snprintf(text + length, LEVY_FIT_TEXT - length, ", %u", list[k]);
    return length + (size_t)snprintf(text + length, LEVY_FIT_TEXT - length, "\n");
}

void levy_fit_shape_write(const levy_rule_pass *pass, char text[LEVY_FIT_TEXT])
{
    const levy_policy *const p = pass->policy;
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {{"LEVY_LANES", 1},
                   {"LEVY_AGGREGATE_BASKET", LEVY_AGGREGATE_BASKET},
                   {"LEVY_AGGREGATE_GEOMETRIC", LEVY_AGGREGATE_GEOMETRIC},
                   {"LEVY_AGGREGATE_BEST_OF", LEVY_AGGREGATE_BEST_OF},
                   {"LEVY_AGGREGATE_WORST_OF", LEVY_AGGREGATE_WORST_OF},
                   {"FIT_MOST_ASSETS", LEVY_FIT_ASSETS},
                   {"FIT_aggregate", (size_t)p->aggregate},
                   {"FIT_assets", p->n_assets},
                   {"FIT_variables", p->n_variables},
                   {"FIT_controls", p->n_controls},
                   {"FIT_powers", p->n_controls ? p->n_powers : 0},
                   {"FIT_cash", p->cash},
                   {"FIT_varies", p->varies},
                   {"FIT_terms", pass->monomials.n},
                   {"FIT_fitted", p->stage.n_fitted},
                   {"FIT_rows", pass->levels->device->rows},
                   {"FIT_levels", p->n_levels},
                   {"FIT_regimes", p->n_regimes},
                   {"FIT_discounts", p->discounts},
                   {"FIT_chunks", fit_chunks(pass)},
                   {"FIT_unroll", p->n_assets == 1 ? 4 : 1}};
    size_t length = (size_t)snprintf(text, LEVY_FIT_TEXT, "#define FIT_KERNELS\n");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
        length += (size_t)snprintf(text + length, LEVY_FIT_TEXT - length, "#define %s %zu\n",
                                   numbers[i].name, numbers[i].value);
    length = fit_list("FIT_parents", pass->monomials.parent, pass->monomials.n, text, length);
    fit_list("FIT_factors", pass->monomials.variable, pass->monomials.n, text, length);
}

static levy_status fit_write(void *object, levy_kernel *kernel, char *why)
{
    cuda_fit *const f = object;
    (void)why;
    levy_fit_shape_write(f->object.tables, f->text);
    f->object.tables = NULL; /* it is the caller's of now */
    memcpy(kernel->text, f->text, sizeof f->text);
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s double, a fit",
             f->object.device->source.target.architecture);
    return LEVY_OK;
}

static levy_status fit_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[FIT_KERNELS] = {
        "levy_fit_moments", "levy_fit_begin", "levy_fit_end", "levy_fit_date", "levy_fit_paid"};
    cuda_fit *const f = object;
    return levy_standalone_load(&f->object, kernel, names, FIT_KERNELS, f->functions, why);
}

static const levy_cuda_kind fit_kind = {.name = "a fit",
                                        .doing = "fitting a rule",
                                        .kernels = "a fit's kernels",
                                        .size = sizeof(cuda_fit),
                                        .write = fit_write,
                                        .load = fit_load};

/* Those of the policy: made before, or now. */
static levy_status fit_find(levy_device *device, levy_cuda_fits *fits, const levy_rule_pass *pass,
                            cuda_fit **found, char *why)
{
    char text[LEVY_FIT_TEXT];
    void **const place = &fits->kinds[fits->next % LEVY_FIT_KINDS];
    levy_fit_shape_write(pass, text);
    for (size_t i = 0; i < LEVY_FIT_KINDS; ++i) {
        *found = fits->kinds[i];
        if (*found && strcmp((*found)->text, text) == 0) return LEVY_OK;
    }
    levy_cuda_object_destroy(*place);
    const levy_status status = levy_cuda_object_make(device, &fit_kind, pass, place, why);
    if (status == LEVY_DEVICE && !device->source.compiler && !device->dead)
        return LEVY_UNSUPPORTED; /* no kernel of a fit is shipped */
    LEVY_TRY(status);
    ++fits->next;
    *found = *place;
    return LEVY_OK;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static int fit_reserve(levy_device *device, size_t bytes, levy_cuda_pointer *memory, size_t *size)
{
    if (bytes <= *size) return 0;
    if (*memory) (void)LEVY_DEVICE_CALL(device, memory_free, *memory);
    *memory = 0;
    *size = 0;
    const int code = LEVY_DEVICE_CALL(device, memory_allocate, memory, bytes);
    if (!code) *size = bytes;
    return code;
}

int levy_fits_keep(levy_device *device, levy_cuda_fits *fits, size_t bytes)
{
    return fit_reserve(device, bytes, &fits->levels, &fits->levels_size);
}

void levy_fits_clear(levy_device *device, levy_cuda_fits *fits)
{
    if (fits->levels) (void)LEVY_DEVICE_CALL(device, memory_free, fits->levels);
    if (fits->room) (void)LEVY_DEVICE_CALL(device, memory_free, fits->room);
    if (fits->host) (void)LEVY_DEVICE_CALL(device, host_free, fits->host);
    fits->levels = fits->room = 0;
    fits->host = NULL;
    fits->levels_size = fits->room_size = fits->host_size = 0;
}

void levy_fits_close(levy_cuda_fits *fits)
{
    for (size_t i = 0; i < LEVY_FIT_KINDS; ++i) levy_cuda_object_destroy(fits->kinds[i]);
}

/* The host's part of the memory: by date what a payment is worth, its node, whether it has a rule;
 * and the count of CTAs. */
static size_t fit_known_bytes(const levy_rule_pass *pass)
{
    return pass->levels->n_dates * (sizeof(double) + 2 * sizeof(uint32_t)) + sizeof(uint64_t);
}

/* Takes the next `n` numbers. */
static levy_cuda_pointer fit_take(levy_cuda_pointer *at, size_t n)
{
    const levy_cuda_pointer from = *at;
    *at += (n * sizeof(double) + 255) & ~(size_t)255;
    return from;
}

/* Lays the memory out from `at` on; returns its end. */
static levy_cuda_pointer fit_lay(const levy_rule_pass *pass, levy_cuda_pointer at,
                                 levy_fit_arguments *a)
{
    const levy_policy *const p = pass->policy;
    const size_t dates = pass->levels->n_dates, paths = pass->levels->n_paths,
                 blocks = fit_blocks(pass), moments = dates * fit_moments(p),
                 products = fit_products(pass);
    a->worth = fit_take(&at, fit_known_bytes(pass) / sizeof(double) + 1);
    a->arrived = a->worth + dates * sizeof(double);
    a->nodes = a->arrived + sizeof(uint64_t);
    a->fits = a->nodes + dates * sizeof(uint32_t);
    a->fitted = fit_take(&at, dates * p->stage.n_fitted + 1);
    a->moments = fit_take(&at, moments);
    a->slope = fit_take(&at, dates * p->n_assets);
    a->shift = fit_take(&at, dates * p->n_assets);
    a->sums = fit_take(&at, blocks * (moments > products ? moments : products));
    a->paid = fit_take(&at, 2 * paths);
    a->last = fit_take(&at, 2 * p->n_controls * paths);
    return at;
}

static void fit_fill(const levy_rule_pass *pass, levy_fit_arguments *a)
{
    const levy_policy *const p = pass->policy;
    const levy_stage_levels *const l = pass->levels;
    a->block_size = (unsigned long long)l->device->n_nodes * l->device->rows * LEVY_BLOCK_PATHS;
    a->n_paths = l->n_paths;
    a->n_dates = (unsigned)l->n_dates;
    a->n_blocks = (unsigned)fit_blocks(pass);
    a->sign = p->sign;
    a->strike = p->strike;
    for (size_t u = 0; u < p->n_assets; ++u) {
        a->coefficients[u] = p->coefficients[u];
        a->weights[u] = p->weights ? p->weights[u] : 0.0;
        a->spot[u] = l->spot[u];
    }
}

/* Numbers by date that the host gets back. */
static size_t fit_numbers(const levy_rule_pass *pass)
{
    return pass->levels->n_dates * pass->policy->stage.n_fitted + pass->policy->today;
}

/* Makes sure of all memory. Returns a code. */
static int fit_reserve_all(levy_device *device, levy_cuda_fits *fits, const levy_rule_pass *pass)
{
    levy_fit_arguments a;
    const size_t known = fit_known_bytes(pass), back = fit_numbers(pass) * sizeof(double),
                 bytes = known > back ? known : back;
    int code = fit_reserve(device, (size_t)fit_lay(pass, 0, &a), &fits->room, &fits->room_size);
    if (code || bytes <= fits->host_size) return code;
    if (fits->host) (void)LEVY_DEVICE_CALL(device, host_free, fits->host);
    fits->host = NULL;
    code = LEVY_DEVICE_CALL(device, host_allocate, &fits->host, bytes);
    fits->host_size = code ? 0 : bytes;
    return code;
}

/* Copies what the host knows of dates, through `known`. */
static int fit_upload(levy_device *device, void *stream, const levy_rule_pass *pass, double *known,
                      levy_cuda_pointer to)
{
    const levy_stage_levels *const l = pass->levels;
    const size_t n = l->n_dates, size = fit_known_bytes(pass);
    uint32_t *const nodes = (uint32_t *)(known + n + 1), *const fits = nodes + n;
    memcpy(known, l->worth, n * sizeof *known);
    known[n] = 0.0; /* no CTA has arrived */
    for (size_t d = 0; d < n; ++d) {
        nodes[d] = l->device->nodes[d];
        fits[d] = (l->events[d] & 1) && d + 1 < n;
    }
    return LEVY_DEVICE_CALL(device, copy_to_device, to, known, size, stream);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static int fit_launch(levy_device *device, void *stream, const cuda_fit *f, fit_kernel kernel,
                      unsigned x, unsigned y, void **arguments)
{
    static const unsigned all[FIT_KERNELS] = {
        [FIT_MOMENTS] = FIT_WARPS * 32, [FIT_BEGIN] = FIT_MERGED};
    const unsigned threads = all[kernel] ? all[kernel] : FIT_THREADS;
    return LEVY_DEVICE_CALL(device, launch, f->functions[kernel], x, y, 1, threads, 1, 1, 0, stream,
                            arguments, NULL);
}

/* Queues all of a fit. */
static int fit_queue(levy_device *device, void *stream, const cuda_fit *f,
                     const levy_rule_pass *pass, levy_fit_arguments *a)
{
    const levy_stage_levels *const l = pass->levels;
    const unsigned units = a->n_dates * a->n_blocks, chunks = fit_chunks(pass);
    const uint32_t *const nodes = l->device->nodes;
    unsigned date, later = a->n_dates - 1, turn = 0, node, later_node = nodes[later];
    void *arguments[] = {a, &date, &node, &later, &later_node, &turn},
         *alone[] = {a, &later, &later_node, &turn};
    int code =
        fit_launch(device, stream, f, FIT_MOMENTS, (units + FIT_WARPS - 1) / FIT_WARPS, 1, alone);
    if (!code) code = fit_launch(device, stream, f, FIT_BEGIN, 1, 1, alone);
    if (!code) code = fit_launch(device, stream, f, FIT_END, a->n_blocks, 1, alone);
    for (date = later; date-- > 0 && !code;) {
        if (!(l->events[date] & 1)) continue;
        node = nodes[date];
        code = fit_launch(device, stream, f, FIT_DATE, a->n_blocks, chunks, arguments);
        later = date;
        later_node = node;
        turn = 1 - turn;
    }
    if (!code && pass->policy->today)
        code = fit_launch(device, stream, f, FIT_PAID, a->n_blocks, 1, alone);
    return code;
}

/* Runs a fit whose memory is there. */
static int fit_run(levy_device *device, const levy_cuda_fits *fits, void *stream, const cuda_fit *f,
                   const levy_rule_pass *pass, double *fitted)
{
    levy_fit_arguments a = {.record = fits->levels};
    const size_t size = fit_numbers(pass) * sizeof *fitted;
    fit_lay(pass, fits->room, &a);
    fit_fill(pass, &a);
    int code = fit_upload(device, stream, pass, fits->host, a.worth);
    if (!code) code = fit_queue(device, stream, f, pass, &a);
    if (!code) code = LEVY_DEVICE_CALL(device, copy_to_host, fits->host, a.fitted, size, stream);
    const int waited = LEVY_DEVICE_CALL(device, stream_synchronize, stream);
    if (!code && !waited) memcpy(fitted, fits->host, size);
    return code ? code : waited;
}

levy_status levy_fits_run(levy_device *device, levy_cuda_fits *fits, void *stream,
                          const levy_rule_pass *pass, double *fitted, char *why)
{
    cuda_fit *f;
    LEVY_TRY(fit_find(device, fits, pass, &f, why));
    LEVY_TRY(levy_device_enter(device, why));
    int code = fit_reserve_all(device, fits, pass);
    if (!code) code = fit_run(device, fits, stream, f, pass, fitted);
    if (code || fits->levels_size + fits->room_size > fit_kept) levy_fits_clear(device, fits);
    levy_device_leave(device);
    return code ? levy_device_fail(device, code, "fitting a rule", why) : LEVY_OK;
}
