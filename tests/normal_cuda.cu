/* normal_cuda.cu: the GPU's inverse normal in single against the double one, over all 2^32 words,
 * on the GPU; and a checksum of all bits of the double one, which an argument may say
 * (known_answers/lane_hash.txt: the CPU's). Compiled twice: with LANE_SINGLE it is the single
 * function, without it the double function, the sums and the program. */
#include "kernels/lane/normal.h"

#include <cstdio>
#include <cstdlib>

enum { NORMAL_CHUNK = 1 << 26, NORMAL_THREADS = 256 };

#if defined(LANE_SINGLE)
__global__ void normal_single_kernel(uint32_t first, float *z)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    lane_word word;
    word.v[0] = first + i;
    z[i] = normal_from_word(word).v[0];
}

void normal_single(uint32_t first, float *z)
{
    normal_single_kernel<<<NORMAL_CHUNK / NORMAL_THREADS, NORMAL_THREADS>>>(first, z);
}
#else
void normal_single(uint32_t first, float *z);

/* Largest error and step back in thousandths of an ulp, largest distance in units of 2^-40; sum of
 * errors. */
struct normal_found {
    unsigned long long worst, back, distance, uneven, infinite, checksum;
    double total;
};

static __device__ double normal_place(double z)
{
    return lane_one_from_bits((lane_one_as_bits(z) & 0x7ff0000000000000LL) - (23LL << 52));
}

__global__ void normal_compare(uint32_t first, const float *z, const float *mirror,
                               normal_found *found)
{
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    lane_word word;
    word.v[0] = first + i;
    const double exact = normal_from_word(word).v[0], place = normal_place(exact),
                 error = fabs(z[i] - exact) / place;
    const bool next = i + 1 < NORMAL_CHUNK;
    atomicMax(&found->worst, (unsigned long long)(1000.0 * error));
    atomicMax(&found->distance, (unsigned long long)(fabs(z[i] - exact) * 0x1p40));
    if (next && z[i] > z[i + 1])
        atomicMax(&found->back, (unsigned long long)(1000.0 * (z[i] - z[i + 1]) / place));
    if (!(fabsf(z[i]) < 6.3381f)) atomicAdd(&found->infinite, 1ull);
    if (mirror[NORMAL_CHUNK - 1 - i] != -z[i]) atomicAdd(&found->uneven, 1ull);
    double total = error;
    for (int by = 16; by > 0; by /= 2) total += __shfl_down_sync(0xffffffffu, total, by);
    unsigned long long checksum =
        (unsigned long long)lane_one_as_bits(exact) + word.v[0] * 0x9e3779b97f4a7c15ull;
    checksum = (checksum ^ checksum >> 32) * 0xd6e8feb86659fd93ull;
    checksum ^= checksum >> 32;
    for (int by = 16; by > 0; by /= 2) checksum += __shfl_down_sync(0xffffffffu, checksum, by);
    if (threadIdx.x % 32 == 0)
        atomicAdd(&found->total, total), atomicAdd(&found->checksum, checksum);
}

int main(int argc, char **argv)
{
    float *z, *mirror;
    normal_found *found, host = {0, 0, 0, 0, 0, 0, 0.0};
    if (cudaMalloc(&z, NORMAL_CHUNK * sizeof *z) || cudaMalloc(&mirror, NORMAL_CHUNK * sizeof *z) ||
        cudaMalloc(&found, sizeof *found))
        return 2;
    cudaMemset(found, 0, sizeof *found);
    for (uint64_t first = 0; first < (1ull << 32); first += NORMAL_CHUNK) {
        normal_single((uint32_t)first, z);
        normal_single((uint32_t)((1ull << 32) - NORMAL_CHUNK - first), mirror);
        normal_compare<<<NORMAL_CHUNK / NORMAL_THREADS, NORMAL_THREADS>>>((uint32_t)first, z,
                                                                          mirror, found);
    }
    if (cudaMemcpy(&host, found, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    printf("single on the GPU, all 2^32 words: largest error %.3f ulp, mean %.3f; largest distance "
           "%.3g; largest step back %.3f ulp; "
           "%llu uneven, %llu not finite\n",
           host.worst / 1000.0, host.total * 0x1p-32, host.distance * 0x1p-40, host.back / 1000.0,
           host.uneven, host.infinite);
    const bool same = argc < 2 || strtoull(argv[1], nullptr, 16) == host.checksum;
    printf("double on the GPU, all 2^32 words: checksum %016llx%s\n", host.checksum,
           argc < 2 ? ""
           : same   ? ", the CPU's"
                    : ", not the CPU's");
    return host.worst > 12000 || host.back > 12000 || host.uneven || host.infinite || !same;
}
#endif
