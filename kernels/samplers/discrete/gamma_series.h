/* gamma_series.h: the gamma quantile for large alpha, in closed form: x = alpha exp(L), L = sum
 * over j of L_j(s) / alpha^j with s = z / sqrt(alpha) and z the standard normal quantile. This is
 * N. M. Temme's uniform inversion of the incomplete gamma function (Asymptotic inversion of
 * incomplete gamma functions, Math. Comp. 58, 1992), rearranged: matching the densities of z and x
 * gives s^2/2 = e^L - 1 - L - log(dL/ds)/alpha + log Gamma*(alpha)/alpha, which fixes the L_j one
 * after the other as power series, here worked out with 80 digits. Seven of them reach a relative
 * error of 6e-14 for every word and alpha >= 32 (2e-12 at 20, 1e-8 at 10); three, as in single,
 * 2e-7. The same relation read for the shape gives Poisson counts. Must not know: who draws. */
#ifndef LEVY_DISCRETE_GAMMA_SERIES_H
#define LEVY_DISCRETE_GAMMA_SERIES_H

#include "kernels/samplers/discrete/draw.h"

#define SERIES_LEAST 32.0 /* from this alpha on the series is the answer */

LANE_TABLE(gamma_series_table) = {
    /* a^-0, from s^27 down */
    R(0x1.14af4f4876f26p-55),
    R(-0x1.5e59f243d16c0p-54),
    R(-0x1.7b3313f1f9660p-56),
    R(0x1.56b15059e22fap-50),
    R(-0x1.b43a147ebeef5p-48),
    R(0x1.14179b56d89cfp-46),
    R(0x1.799861f354832p-48),
    R(-0x1.1b0859b312aa2p-42),
    R(0x1.68e8cef638c15p-40),
    R(-0x1.c7e4b9b0723d5p-39),
    R(-0x1.a6728e0d20a65p-40),
    R(0x1.f6e66d24d5c8ap-35),
    R(-0x1.4134e62a4771cp-32),
    R(0x1.92f6aab288dd6p-31),
    R(0x1.1baaf55d80862p-31),
    R(-0x1.f9d4cd915b326p-27),
    R(0x1.43f24731f751dp-24),
    R(-0x1.8e2825e109ef7p-23),
    R(-0x1.04bbf22109c3ap-22),
    R(0x1.48c5892f7cd83p-18),
    R(-0x1.ac6e36c515169p-16),
    R(0x1.ed284dc73b445p-15),
    R(0x1.e573ac901e574p-13),
    R(-0x1.e573ac901e574p-9),
    R(0x1.c71c71c71c71cp-6),
    R(-0x1.5555555555555p-3),
    R(0x1.0000000000000p+0),
    /* a^-1, from s^23 down */
    R(-0x1.1e9ab4e114dbfp-46),
    R(0x1.d8094a873c9c7p-44),
    R(-0x1.6e6c86df0053fp-42),
    R(0x1.45b5e3c4e6690p-42),
    R(0x1.862955dfbca66p-39),
    R(-0x1.3a80733ce37a4p-36),
    R(0x1.e0fd2fda1f03fp-35),
    R(-0x1.816468b9f37fbp-35),
    R(-0x1.110bb9ba2ac50p-31),
    R(0x1.abe16ca7f8198p-29),
    R(-0x1.4006cbb4d0c69p-27),
    R(0x1.a53f2cf12b991p-28),
    R(0x1.91e95f23a1a3ep-24),
    R(-0x1.2e99c728594e2p-21),
    R(0x1.b48abe3b50591p-20),
    R(-0x1.4a91e14f22ca6p-21),
    R(-0x1.4a8a82972a5c6p-16),
    R(0x1.d7b22a280af08p-14),
    R(-0x1.400468c85700fp-12),
    R(-0x1.ce55c8eac7900p-14),
    R(0x1.870ef5acfbff3p-8),
    R(-0x1.2a59c20de7fafp-5),
    R(0x1.1c71c71c71c72p-3),
    R(-0x1.5555555555555p-2),
    /* a^-2, from s^21 down */
    R(-0x1.c8721994b53cdp-41),
    R(0x1.cefcf7e7ec811p-39),
    R(-0x1.bed5bee820dd3p-38),
    R(-0x1.136894b31ef4fp-37),
    R(0x1.e8d24df6c9ab4p-34),
    R(-0x1.e45ac7a94d170p-32),
    R(0x1.c333e4f6459c2p-31),
    R(0x1.392f23cff3efbp-30),
    R(-0x1.f9955faf863dap-27),
    R(0x1.e4e5e3b34149fp-25),
    R(-0x1.acd7a52c752d0p-24),
    R(-0x1.59e487d380cfbp-23),
    R(0x1.eece614153e8fp-20),
    R(-0x1.c389e64563e28p-18),
    R(0x1.6f2f4b9541322p-17),
    R(0x1.67c413fa91160p-16),
    R(-0x1.b52302f715f2cp-13),
    R(0x1.6f9965e31005ap-11),
    R(-0x1.0afd566d3eef7p-10),
    R(-0x1.064f9ab4235b8p-9),
    R(0x1.f8d6121ec31bap-7),
    R(-0x1.254b3841bcff6p-5),
    /* a^-3, from s^19 down */
    R(-0x1.558f10b8c5c8cp-36),
    R(0x1.04833928c10acp-34),
    R(-0x1.28c57eb4b90d0p-34),
    R(-0x1.4ee95dc53ed77p-32),
    R(0x1.1ad42a47ac55ap-29),
    R(-0x1.a5d3df08a454cp-28),
    R(0x1.d65ebe039790ep-28),
    R(0x1.ffa3e328ca085p-26),
    R(-0x1.a427ac918d2b5p-23),
    R(0x1.2fa0fd884abe0p-21),
    R(-0x1.4cf3ed2372c21p-21),
    R(-0x1.464f7c491f76bp-19),
    R(0x1.029c232864a84p-16),
    R(-0x1.645627302abefp-15),
    R(0x1.8c3a430fcefcdp-15),
    R(0x1.12b477a5c329ap-13),
    R(-0x1.a5b452c3a1ac2p-11),
    R(0x1.0ddc5af37ff9ap-9),
    R(-0x1.75503412c6afdp-9),
    R(0x1.7c24669ee85a0p-10),
    /* a^-4, from s^17 down */
    R(-0x1.576b8f6a31fc7p-32),
    R(0x1.c73680ce21894p-31),
    R(-0x1.7cd6341e6b69ep-31),
    R(-0x1.367b785ef4278p-28),
    R(0x1.b16f9d49f2ce3p-26),
    R(-0x1.1d4e6e5a883ecp-24),
    R(0x1.0878df9905688p-24),
    R(0x1.3c013ed9dde4cp-22),
    R(-0x1.c1232c18ab747p-20),
    R(0x1.248574651e792p-18),
    R(-0x1.367badde67cd0p-18),
    R(-0x1.ac6332ae34132p-17),
    R(0x1.428fded343f4ap-14),
    R(-0x1.9a414e20b8a0dp-13),
    R(0x1.03e7945629e1bp-12),
    R(0x1.c900a82218541p-14),
    R(-0x1.29c62ceb07501p-10),
    R(0x1.022cd681760b6p-9),
    /* a^-5, from s^15 down */
    R(-0x1.1c4d865d0b8a5p-28),
    R(0x1.777ede1d514a1p-27),
    R(-0x1.79dbba47b491bp-27),
    R(-0x1.679212fd117e4p-25),
    R(0x1.0c68a6fa2b962p-22),
    R(-0x1.65850e21ee022p-21),
    R(0x1.9ee8c494d3ce5p-21),
    R(0x1.b81fbf08b331ep-20),
    R(-0x1.7258ad1ec11a1p-17),
    R(0x1.ed74fcc32ab82p-16),
    R(-0x1.4658ac9ca5616p-15),
    R(-0x1.8d8d332401105p-16),
    R(0x1.0a2b7bce8c998p-12),
    R(-0x1.53117893d7228p-11),
    R(0x1.d777bef6c83fcp-11),
    R(-0x1.3209bf8670c00p-11),
    /* a^-6, from s^13 down */
    R(-0x1.a7691449659aep-25),
    R(0x1.2799bd01d0ef6p-23),
    R(-0x1.7d2c6b82bedc9p-23),
    R(-0x1.2000bee14d315p-22),
    R(0x1.1e9fa03ffa9a3p-19),
    R(-0x1.920539e6c0800p-18),
    R(0x1.19f42a462b400p-17),
    R(0x1.26784212b7a7fp-18),
    R(-0x1.db46ab8c72c8ap-15),
    R(0x1.45d42d0adac53p-13),
    R(-0x1.d72966e9b059dp-13),
    R(0x1.4c990ee7cba7dp-14),
    R(0x1.8933d72f6083bp-12),
    R(-0x1.71cac34fe2bdcp-11),
};

/* Horner over `count` coefficients of the table from `at` on. */
LANE_FN lane series_row(uint32_t at, uint32_t count, lane s)
{
    lane sum = lane_of(gamma_series_table[at]);
    for (uint32_t k = 1; k < count; ++k)
        sum = lane_fma(sum, s, lane_of(gamma_series_table[at + k]));
    return sum;
}

/* log(x / alpha) for 1 / alpha and s, |s| below about 2.5. */
LANE_FN lane gamma_series(lane inverse, lane s)
{
#if !defined(LANE_SINGLE)
    lane sum = series_row(127, 14, s);
    sum = lane_fma(sum, inverse, series_row(111, 16, s));
    sum = lane_fma(sum, inverse, series_row(93, 18, s));
    sum = lane_fma(sum, inverse, series_row(73, 20, s));
    sum = lane_fma(sum, inverse, series_row(51, 22, s));
#else
    lane sum = series_row(61, 12, s);
#endif
    sum = lane_fma(sum, inverse, series_row(27, 24, s));
    return lane_fma(sum, inverse, series_row(0, 27, s) * s);
}

#endif
