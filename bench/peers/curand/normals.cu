/* normals.cu: how fast cuRAND alone generates normals: its host API on 64 Sobol dimensions, stored, single and double.
 * Prints one JSON object. Build: nvcc -O2 -arch=native normals.cu -lcurand. Times are device events, medians of 15. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <curand.h>

enum { DIMENSIONS = 64, REPEATS = 15 };

static void check(int code, const char *what)
{
    if (code == 0) return;
    fprintf(stderr, "%s failed with code %d\n", what, code);
    exit(1);
}

template <class F> static double median_seconds(F generate)
{
    std::vector<float> times;
    cudaEvent_t start, stop;
    check(cudaEventCreate(&start), "cudaEventCreate");
    check(cudaEventCreate(&stop), "cudaEventCreate");
    generate();
    for (int i = 0; i < REPEATS; ++i) {
        float ms;
        check(cudaEventRecord(start), "cudaEventRecord");
        generate();
        check(cudaEventRecord(stop), "cudaEventRecord");
        check(cudaEventSynchronize(stop), "cudaEventSynchronize");
        check(cudaEventElapsedTime(&ms, start, stop), "cudaEventElapsedTime");
        times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return times[REPEATS / 2] * 1e-3;
}

int main()
{
    const size_t n = (size_t)DIMENSIONS << 22;
    void *buffer;
    curandGenerator_t generator;
    check(cudaMalloc(&buffer, n * sizeof(double)), "cudaMalloc");
    check(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32), "curandCreateGenerator");
    check(curandSetQuasiRandomGeneratorDimensions(generator, DIMENSIONS), "curandSetQuasiRandomGeneratorDimensions");
    const double single = median_seconds([&] { check(curandGenerateNormal(generator, (float *)buffer, n, 0.0f, 1.0f), "curandGenerateNormal"); });
    const double both = median_seconds([&] { check(curandGenerateNormalDouble(generator, (double *)buffer, n, 0.0, 1.0), "curandGenerateNormalDouble"); });
    printf("{\"curand_sobol32_normals_f32\": %.6g, \"curand_sobol32_normals_f64\": %.6g}\n", (double)n / single, (double)n / both);
    return 0;
}
