/* butterfly_host.cpp: the kernels of kernels/samplers/butterfly/ on a machine without a GPU, compiled as C++ (host_butterfly.h): every
 * version's items against the CPU's, one by one, in both precisions. test_butterfly_emulated.sh compiles and runs it. Usage:
 * butterfly_host [all] */
#include <vector>

#include "tests/host_butterfly.h"

template <class Real>
struct butterfly_view;
template <class Real>
static int cuda_launch(void (*kernel)(butterfly_view<Real>), uint64_t blocks, unsigned threads, size_t shared, void *,
                       const butterfly_view<Real> &view)
{
    if (shared > 64 << 10) return 1;
    memset(host_shared, 0xA5, sizeof host_shared);
    host_launch(blocks, threads, [&] { kernel(view); });
    return 0;
}

#include "kernels/samplers/butterfly/butterfly_cuda.cu"
#include "tests/butterfly_case.h"

enum { STATES = 5 };
static int failures;
static uint64_t compared;

struct trial {
    butterfly_kind kind;
    uint32_t n_items;
    size_t n_paths, padding; /* numbers behind each row */
    bool edges;              /* words are the last of an item, or the first of the next */
};

template <class Real>
struct trial_data {
    std::vector<Real> theta, phi;
    std::vector<uint32_t> states, words, wanted, items;
    levy_butterfly_draws draws;

    explicit trial_data(const trial &t)
    {
        const size_t stride = t.n_items + t.padding;
        const int single = sizeof(Real) == 4;
        theta.assign(t.n_paths * stride, (Real)NAN);
        phi.assign(STATES * stride, (Real)NAN);
        for (size_t p = 0; p < t.n_paths; ++p) {
            for (uint32_t k = 0; k < t.n_items; ++k)
                theta[p * stride + k] = (Real)butterfly_case_theta(t.kind, single, p, k, t.n_items);
            states.push_back(butterfly_case_word(1, p) % STATES);
            words.push_back(butterfly_case_uniform(2, p));
        }
        for (uint32_t s = 0; s < STATES; ++s)
            for (uint32_t k = 0; k < t.n_items; ++k) phi[s * stride + k] = (Real)butterfly_case_phi(t.kind, s, k);
        wanted.assign(t.n_paths, 0xFFFFFFFFu);
        draws = {theta.data(), phi.data(), states.data(), words.data(), wanted.data(), t.n_paths,
                 stride,       stride,     t.n_items,     STATES,       single};
        if (t.edges) find_edges(t);
        levy_butterfly_draw(&draws, 0, t.n_paths);
    }

    /* By halves, all paths at a time: an item never falls where a word rises. */
    void find_edges(const trial &t)
    {
        std::vector<uint32_t> below(t.n_paths, 0), above(t.n_paths, 0xFFFFFFFFu);
        for (int halves = 0; halves < 32; ++halves) {
            for (size_t p = 0; p < t.n_paths; ++p) words[p] = below[p] + (above[p] - below[p]) / 2;
            levy_butterfly_draw(&draws, 0, t.n_paths);
            for (size_t p = 0; p < t.n_paths; ++p)
                if (wanted[p] <= butterfly_case_word(3, p) % t.n_items) below[p] = words[p];
                else above[p] = words[p];
        }
        for (size_t p = 0; p < t.n_paths; ++p) words[p] = p % 2 ? below[p] : above[p];
    }
};

template <class Real>
static void check(const trial &t, trial_data<Real> &data, levy_butterfly_version version, uint32_t vector)
{
    const levy_butterfly_options options = {version, vector};
    int code;
    data.items.assign(t.n_paths + 1, 0xFFFFFFFFu);
    data.draws.items = data.items.data();
    const levy_status status = levy_butterfly_cuda_draw(&data.draws, &options, nullptr, &code);
    size_t bad = 0;
    for (size_t p = 0; p < t.n_paths; ++p) bad += data.items[p] != data.wanted[p];
    bad += data.items[t.n_paths] != 0xFFFFFFFFu;
    compared += t.n_paths;
    if (status == LEVY_OK && bad == 0) return;
    printf("FAILED: version %d, vector %u, %zu bytes, kind %d, %u items, %zu paths, padding %zu: status %d, %zu items differ\n",
           (int)version, vector, sizeof(Real), (int)t.kind, t.n_items, t.n_paths, t.padding, (int)status, bad);
    ++failures;
}

template <class Real>
static void check_all(const trial &t)
{
    trial_data<Real> data(t);
    check(t, data, LEVY_BUTTERFLY_AUTO, 0);
    check(t, data, LEVY_BUTTERFLY_EACH, 0);
    check(t, data, LEVY_BUTTERFLY_TRANSPOSED, 0);
    for (uint32_t vector = 1; vector <= 16 / sizeof(Real); vector *= 2) check(t, data, LEVY_BUTTERFLY_BUTTERFLY, vector);
    if (t.kind != BUTTERFLY_INTEGERS || t.n_items > PAPER_MOST) return;
    check(t, data, LEVY_BUTTERFLY_PAPER_TRANSPOSED, 0);
    check(t, data, LEVY_BUTTERFLY_PAPER_BUTTERFLY, 0);
}

/* Weights that may not be: an item of the row all the same. */
template <class Real>
static void check_invalid(Real odd)
{
    static const uint32_t sizes[] = {1, 5, 32, 33, 70, 200};
    for (uint32_t n : sizes)
        for (int v = LEVY_BUTTERFLY_AUTO; v <= LEVY_BUTTERFLY_PAPER_BUTTERFLY; ++v) {
            trial_data<Real> data({BUTTERFLY_UNIFORM, n, 40, 0});
            const levy_butterfly_options options = {(levy_butterfly_version)v, 0};
            int code;
            for (size_t p = 0; p < 40; ++p) data.theta[p * n + butterfly_case_word(9, p) % n] = odd;
            levy_butterfly_cuda_draw(&data.draws, &options, nullptr, &code);
            for (size_t p = 0; p < 40; ++p)
                if (data.wanted[p] >= n) {
                    printf("FAILED: weight %g, version %d, %u items: item %u\n", (double)odd, v, n, data.wanted[p]);
                    ++failures;
                }
        }
}

static void check_refusal(levy_butterfly_draws d, levy_butterfly_version version, levy_status wanted, const char *what)
{
    const levy_butterfly_options options = {version, 0};
    int code = -1;
    if (levy_butterfly_cuda_draw(&d, &options, nullptr, &code) == wanted && code == 0) return;
    printf("FAILED: %s\n", what);
    ++failures;
}

static void check_refusals()
{
    trial_data<double> data({BUTTERFLY_UNIFORM, PAPER_MOST + 1, 33, 0});
    levy_butterfly_draws d = data.draws;
    check_refusal(d, LEVY_BUTTERFLY_PAPER_BUTTERFLY, LEVY_ARGUMENT, "more items than the paper's table holds");
    check_refusal(d, LEVY_BUTTERFLY_PAPER_TRANSPOSED, LEVY_ARGUMENT, "more items than the paper's table holds");
    d.theta_stride = (size_t)1 << 29;
    check_refusal(d, LEVY_BUTTERFLY_AUTO, LEVY_ARGUMENT, "rows further apart than 32 bits");
    d = data.draws;
    d.n_items = 0;
    check_refusal(d, LEVY_BUTTERFLY_AUTO, LEVY_ARGUMENT, "no items");
    d = data.draws;
    d.n_paths = 0;
    d.theta = nullptr;
    check_refusal(d, LEVY_BUTTERFLY_AUTO, LEVY_OK, "no paths");
}

int main(int count, char **)
{
    static const uint32_t sizes[] = {1,  2,  3,   4,   7,   8,   16,  31,  32,  33,  48,  63,   64,   65,  66,
                                     68, 96, 100, 127, 128, 129, 132, 160, 255, 256, 258, 1000, 1023, 1024};
    static const size_t paths[] = {1, 31, 33, 130};
    for (const uint32_t &n : sizes)
        for (int kind = 0; kind < BUTTERFLY_KINDS; ++kind)
            for (size_t padding = 0; padding < 4; padding += 3)
                for (size_t p : paths) {
                    const bool chosen = kind == BUTTERFLY_WIDE || kind == BUTTERFLY_INTEGERS;
                    const bool rare = (n > 70 && (!chosen || p != 33 || (padding && n > 300))) || (p != 33 && kind) ||
                                      (padding && (kind > 1 || p != 33)) || (&n - sizes) % 2;
                    if (rare && count < 2) continue;
                    check_all<double>({(butterfly_kind)kind, n, p, padding});
                    check_all<float>({(butterfly_kind)kind, n, p, padding});
                }
    for (uint32_t n : {7u, 33u, 64u, 130u, 258u})
        for (butterfly_kind kind : {BUTTERFLY_UNIFORM, BUTTERFLY_WIDE}) {
            check_all<double>({kind, n, 130, 0, true});
            check_all<float>({kind, n, 130, 0, true});
        }
    check_all<double>({BUTTERFLY_UNIFORM, 34, 4200, 0, true}); /* more paths than 128 warps have */
    check_all<float>({BUTTERFLY_UNIFORM, 34, 4200, 0, true});
    check_all<double>({BUTTERFLY_WIDE, LEVY_BUTTERFLY_MOST, 2, 0});
    check_all<float>({BUTTERFLY_WIDE, LEVY_BUTTERFLY_MOST - 3, 2, 0});
    for (double odd : {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.5, -1e6, 0.0, 1e300}) {
        check_invalid<double>(odd);
        check_invalid<float>((float)odd);
    }
    check_refusals();
    if (misaligned) printf("FAILED: %d misaligned loads\n", misaligned);
    printf("%llu items compared, %d failures\n", (unsigned long long)compared, failures);
    return failures || misaligned;
}
