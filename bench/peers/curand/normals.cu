/* normals.cu: how fast cuRAND alone makes normals: its host API, 64 dimensions (or one
 * pseudo-random stream), stored, single and double. A path of asian64 needs 64 of them, so one
 * normal is set against one path-step. */
#include "bench/peers/peer.cuh"

#include <curand.h>

enum { DIMENSIONS = 64 };

struct normals_row {
    const char *row;
    curandRngType_t generator;
    bool single;
};

static const normals_row normals_rows[] = {
    {"asian64_f32", CURAND_RNG_QUASI_SOBOL32, true},
    {"asian64_f64", CURAND_RNG_QUASI_SOBOL32, false},
    {"asian64_mrg32k3a_f32", CURAND_RNG_PSEUDO_MRG32K3A, true},
    {"asian64_mrg32k3a_f64", CURAND_RNG_PSEUDO_MRG32K3A, false},
    {"asian64_mrg32k3a_incremental_f32", CURAND_RNG_PSEUDO_MRG32K3A, true},
    {"asian64_mrg32k3a_incremental_f64", CURAND_RNG_PSEUDO_MRG32K3A, false},
    {"asian64_philox_f32", CURAND_RNG_PSEUDO_PHILOX4_32_10, true},
    {"asian64_philox_f64", CURAND_RNG_PSEUDO_PHILOX4_32_10, false},
    {"asian64_philox_incremental_f32", CURAND_RNG_PSEUDO_PHILOX4_32_10, true},
    {"asian64_philox_incremental_f64", CURAND_RNG_PSEUDO_PHILOX4_32_10, false},
};

static void normals_measure(const normals_row &row, void *buffer, size_t n)
{
    curandGenerator_t generator;
    PEER_CHECK(curandCreateGenerator(&generator, row.generator));
    if (row.generator == CURAND_RNG_QUASI_SOBOL32)
        PEER_CHECK(curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS));
    const double seconds = peer_seconds(row.row, [&] {
        if (row.single)
            PEER_CHECK(curandGenerateNormal(generator, (float *)buffer, n, 0.0f, 1.0f));
        else
            PEER_CHECK(curandGenerateNormalDouble(generator, (double *)buffer, n, 0.0, 1.0));
    });
    PEER_CHECK(curandDestroyGenerator(generator));
    peer_line(row.row, (double)n / seconds, "path-steps/s");
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
    const size_t n = (size_t)DIMENSIONS * (size_t)peer_paths((double)(1 << 22));
    void *buffer;
    PEER_CHECK(cudaMalloc(&buffer, n * sizeof(double)));
    for (const normals_row &row : normals_rows)
        if (rows.asked(row.row)) normals_measure(row, buffer, n);
    return 0;
}
