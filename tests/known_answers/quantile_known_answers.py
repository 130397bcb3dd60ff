"""Writes quantile.txt: quantiles of the laws of kernels/samplers/discrete/laws.h at p = (word + 1/2) 2^-32, with mpmath at 60 digits:
bisection, then the secant rule, on logarithms of whichever tail is the smaller. Usage: quantile_known_answers.py > quantile.txt"""
import mpmath as mp

mp.mp.dps = 60
WORDS = [0, 1, 7, 1000, 1 << 20, 0x10000000, 0x3fffffff, 0x66666666, 0x7fffffff, 0x80000000, 0x9abcdef0, 0xc0000001,
         0xe1234567, 0xfff00000, 0xffffff00, 0xffffffff]


def ig_tail(shape, x, sign):
    r = mp.sqrt(shape / x)
    return mp.ncdf(sign * r * (x - 1)) + sign * mp.e ** (2 * shape) * mp.ncdf(-r * (x + 1))


def solve(tail, p, low, high):
    """The y at which tail(y), which rises, is p."""
    distance = lambda y: mp.log(tail(y)) - mp.log(p)
    for _ in range(60):
        middle = (low + high) / 2
        if distance(middle) < 0:
            low = middle
        else:
            high = middle
    middle = (low + high) / 2
    return mp.findroot(distance, (middle, middle + mp.mpf(10) ** -12), tol=1e-40, maxsteps=50)


def gamma(a, b, p, lower):
    if lower:
        return mp.e ** solve(lambda y: mp.gammainc(a, 0, mp.e ** y, regularized=True), p, -60 / a - 50, mp.log(a) + 5) / a
    tail = lambda y: mp.gammainc(a, mp.e ** -y, mp.inf, regularized=True)
    return mp.e ** -solve(tail, 1 - p, -mp.log(a + 100) - 1, 60 / a + 50) / a


def beta(a, b, p, lower):
    if p <= mp.betainc(a, b, 0, mp.mpf(1) / 2, regularized=True):
        return mp.e ** solve(lambda y: mp.betainc(a, b, 0, mp.e ** y, regularized=True), p, -60 / a - 50, mp.mpf(0))
    return 1 - mp.e ** solve(lambda y: mp.betainc(b, a, 0, mp.e ** y, regularized=True), 1 - p, -60 / b - 50, mp.mpf(0))


def inverse_gaussian(a, b, p, lower):
    if lower:
        return mp.e ** solve(lambda y: ig_tail(a, mp.e ** y, 1), p, mp.mpf(-20), mp.mpf(3))
    return mp.e ** -solve(lambda y: ig_tail(a, mp.e ** -y, -1), 1 - p, mp.mpf(-15), mp.mpf(20))


LAWS = ([(gamma, a, 0) for a in (0.004, 0.02, 0.2, 1, 5, 64, 2000)]
        + [(beta, a, b) for a, b in ((0.02, 0.02), (0.1, 0.3), (1, 1), (2.5, 1.25), (40, 40), (300, 100))]
        + [(inverse_gaussian, a, 0) for a in (0.002, 0.03, 0.5, 5, 200, 20000)])
print("# Written by quantile_known_answers.py (mpmath " + mp.__version__ + "): law a b word value; gamma over its mean.")
for law, a, b in LAWS:
    for word in WORDS:
        value = law(mp.mpf(a), mp.mpf(b), (mp.mpf(word) + mp.mpf(1) / 2) / 2 ** 32, word < 1 << 31)
        print(law.__name__, a, b, word, mp.nstr(value, 20))
