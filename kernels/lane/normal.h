/* normal.h: word to normal, first version (M. B. Giles, Approximating the erfinv function, GPU Computing Gems, 2011). */
#ifndef LEVY_LANE_NORMAL_H
#define LEVY_LANE_NORMAL_H
#include "kernels/lane/maths.h"
#if !defined(LANE_SINGLE)
LANE_FN lane normal_from_word(lane_word u)
{
    const lane x = lane_fma(lane_from_word(u ^ 0x80000000u), lane_of(R(0x1p-31)), lane_of(R(0x1p-32)));
    const lane w = -lane_log((R(1.0) - x) * (R(1.0) + x)), v = w - R(3.125);
    lane p = lane_of(R(-3.6444120640178196996e-21));
    p = lane_fma(p, v, lane_of(R(-1.685059138182016589e-19)));
    p = lane_fma(p, v, lane_of(R(1.2858480715256400167e-18)));
    p = lane_fma(p, v, lane_of(R(1.115787767802518096e-17)));
    p = lane_fma(p, v, lane_of(R(-1.333171662854620906e-16)));
    p = lane_fma(p, v, lane_of(R(2.0972767875968561637e-17)));
    p = lane_fma(p, v, lane_of(R(6.6376381343583238325e-15)));
    p = lane_fma(p, v, lane_of(R(-4.0545662729752068639e-14)));
    p = lane_fma(p, v, lane_of(R(-8.1519341976054721522e-14)));
    p = lane_fma(p, v, lane_of(R(2.6335093153082322977e-12)));
    p = lane_fma(p, v, lane_of(R(-1.2975133253453532498e-11)));
    p = lane_fma(p, v, lane_of(R(-5.4154120542946279317e-11)));
    p = lane_fma(p, v, lane_of(R(1.051212273321532285e-09)));
    p = lane_fma(p, v, lane_of(R(-4.1126339803469836976e-09)));
    p = lane_fma(p, v, lane_of(R(-2.9070369957882005086e-08)));
    p = lane_fma(p, v, lane_of(R(4.2347877827932403518e-07)));
    p = lane_fma(p, v, lane_of(R(-1.3654692000834678645e-06)));
    p = lane_fma(p, v, lane_of(R(-1.3882523362786468719e-05)));
    p = lane_fma(p, v, lane_of(R(0.0001867342080340571352)));
    p = lane_fma(p, v, lane_of(R(-0.00074070253416626697512)));
    p = lane_fma(p, v, lane_of(R(-0.0060336708714301490533)));
    p = lane_fma(p, v, lane_of(R(0.24015818242558961693)));
    p = lane_fma(p, v, lane_of(R(1.6536545626831027356)));
    const lane_mask tail = w >= R(6.25);
    if (__builtin_expect(lane_any(tail), 0)) {
        const lane t = lane_sqrt(w) - R(3.25);
        lane q = lane_of(R(2.2137376921775787049e-09));
        q = lane_fma(q, t, lane_of(R(9.0756561938885390979e-08)));
        q = lane_fma(q, t, lane_of(R(-2.7517406297064545428e-07)));
        q = lane_fma(q, t, lane_of(R(1.8239629214389227755e-08)));
        q = lane_fma(q, t, lane_of(R(1.5027403968909827627e-06)));
        q = lane_fma(q, t, lane_of(R(-4.013867526981545969e-06)));
        q = lane_fma(q, t, lane_of(R(2.9234449089955446044e-06)));
        q = lane_fma(q, t, lane_of(R(1.2475304481671778723e-05)));
        q = lane_fma(q, t, lane_of(R(-4.7318229009055733981e-05)));
        q = lane_fma(q, t, lane_of(R(6.8284851459573175448e-05)));
        q = lane_fma(q, t, lane_of(R(2.4031110387097893999e-05)));
        q = lane_fma(q, t, lane_of(R(-0.0003550375203628474796)));
        q = lane_fma(q, t, lane_of(R(0.00095328937973738049703)));
        q = lane_fma(q, t, lane_of(R(-0.0016882755560235047313)));
        q = lane_fma(q, t, lane_of(R(0.0024914420961078508066)));
        q = lane_fma(q, t, lane_of(R(-0.0037512085075692412107)));
        q = lane_fma(q, t, lane_of(R(0.005370914553590063617)));
        q = lane_fma(q, t, lane_of(R(1.0052589676941592334)));
        q = lane_fma(q, t, lane_of(R(3.0838856104922207635)));
        p = lane_select(tail, q, p);
    }
    return p * x * R(1.4142135623730951);
}
#else
LANE_FN lane normal_from_word(lane_word u)
{
    const lane x = lane_from_word(u ^ 0x80000000u) * R(4.6566126e-10);
    const lane w = path_log(lane_max(lane_fma(R(0.0) - x, x, lane_of(R(1.0))), lane_of(R(1.1920929e-7)))) * R(-0.69314718);
    lane v = w - R(2.5), p = lane_of(R(2.81022636e-08));
    p = lane_fma(p, v, lane_of(R(3.43273939e-07)));
    p = lane_fma(p, v, lane_of(R(-3.5233877e-06)));
    p = lane_fma(p, v, lane_of(R(-4.39150654e-06)));
    p = lane_fma(p, v, lane_of(R(0.00021858087)));
    p = lane_fma(p, v, lane_of(R(-0.00125372503)));
    p = lane_fma(p, v, lane_of(R(-0.00417768164)));
    p = lane_fma(p, v, lane_of(R(0.246640727)));
    p = lane_fma(p, v, lane_of(R(1.50140941)));
    return p * x * R(1.41421356);
}
#endif
#endif
