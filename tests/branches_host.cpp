/* branches_host.cpp: the kernel that merges blocks to branches (branches.h) on a machine without a GPU: compiled as C++, the
 * threads of a block taking turns (host_block.h). test_cuda_branches.c compiles and runs it. Usage: branches_host INPUT OUTPUT.
 * INPUT: launch after launch: a head, the outputs' constants, the blocks' sums. OUTPUT: the branches' sums of each. */
#include <vector>

#define __noinline__
#include "tests/host_block.h"

static double __shfl_down_sync(unsigned, double x, unsigned by)
{
    const unsigned lane = threadIdx.x % 32;
    const double *const values = host_show(x);
    return lane + by < 32 ? values[lane + by] : x;
}

#define LEVY_LANES 1
#include "shape.h"

#include "kernels/cuda/kernels/branches.h"

struct host_head {
    uint64_t paths, blocks, first, n, branches, height;
};
struct host_plan {
    alignas(64) levy_image image;
    levy_image_output outputs[PATH_outputs];
};

int main(int count, char **names)
{
    host_head h;
    FILE *const f = count == 3 ? fopen(names[1], "rb") : nullptr, *const to = f ? fopen(names[2], "wb") : nullptr;
    if (!to) return 2;
    while (fread(&h, sizeof h, 1, f) == 1) {
        static host_plan plan;
        double constants[PATH_outputs];
        std::vector<levy_block_sum> blocks(h.n * PATH_outputs), branches(h.branches * PATH_outputs);
        if (fread(constants, sizeof constants, 1, f) != 1 || fread(blocks.data(), sizeof blocks[0], blocks.size(), f) != blocks.size()) return 2;
        plan.image.paths = h.paths;
        plan.image.blocks = h.blocks;
        plan.image.outputs = (uint64_t)((char *)plan.outputs - (char *)&plan);
        for (int o = 0; o < PATH_outputs; ++o) plan.outputs[o].constant = constants[o];
        host_launch(branches.size(), LEVY_COLUMNS, [&] { levy_merge((const char *)&plan, h.first, h.n, 0, (unsigned)h.height, blocks.data(), branches.data()); });
        if (fwrite(branches.data(), sizeof branches[0], branches.size(), to) != branches.size()) return 4;
    }
    return fclose(to) == 0 ? 0 : 4;
}
