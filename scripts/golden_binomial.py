"""Writes the golden binomial tails and Clopper-Pearson intervals of jigo-analysis.

    pip install mpmath==1.4.1
    python scripts/golden_binomial.py analysis/tests/data

Takes about two minutes. The method is independent of the Rust code: the power series of DLMF 8.17.8 summed term by
term with 50 digits (the Rust code uses a continued fraction and a quadrature in double precision), and Anderson and
Bjorck's root finder for the bounds (the Rust code bisects).
"""

import sys
from pathlib import Path

import mpmath
from mpmath import mp, mpf

mp.dps = 50

HEADER = f"# Computed by scripts/golden_binomial.py with mpmath {mpmath.__version__} at {mp.dps} digits.\n"

INTERVALS = [
    (0, 1), (1, 1), (0, 2), (1, 2), (0, 10), (10, 10), (3, 10), (1, 100), (99, 100), (50, 100), (0, 1_000_000),
    (1_000_000, 1_000_000), (3, 10_000_000), (9_999_997, 10_000_000), (1, 1_000_000_000), (4217, 10_000),
    (680, 100_000), (4999, 10_000), (4999, 1_000_000), (6000, 12_500), (250_000, 500_000), (100_000, 1_000_000_000),
    (123_456_789, 1_000_000_000), (3, 10**15),
]  # fmt: skip

TAILS = [
    ("0.5", 1, 1), ("0.25", 2, 3), ("1e-4", 50, 1000), ("0.9", 50, 1000), ("0.5", 0.5, 0.5), ("0.01", 0.5, 30),
    ("1e-12", 3, 10_000_000), ("3e-7", 3, 10_000_000), ("3e-6", 3, 10_000_000), ("0.5", 5000, 5000),
    ("0.5", 5200, 5000), ("0.4", 5200, 5100), ("0.1", 6000, 9000), ("0.48", 50_000, 52_000),
    ("0.4999", 10_000_000, 10_000_000), ("0.45", 10_000_000, 10_000_000), ("0.1234", 123_456_789, 876_543_211),
    ("1e-5", 9000, 1_000_000_000),
]  # fmt: skip


def lower_tail(x, a, b):
    """Returns I_x(a, b) by its series of positive terms."""
    x, a, b = mpf(x), mpf(a), mpf(b)
    ln_front = a * mp.log(x) + b * mp.log1p(-x) - mp.log(a)
    ln_front += mp.loggamma(a + b) - mp.loggamma(a) - mp.loggamma(b)
    term = total = mpf(1)
    j = 0
    while term > total * mpf(10) ** -48:
        term *= (a + b + j) * x / (a + 1 + j)
        total += term
        j += 1
    return mp.exp(ln_front) * total


def tails(x, a, b):
    """Returns both tails by the series in the smaller of x and 1 - x; 50 digits leave room for the complement."""
    x = mpf(x)
    if 2 * x <= 1:
        lower = lower_tail(x, a, b)
        return lower, 1 - lower
    upper = lower_tail(1 - x, b, a)
    return 1 - upper, upper


def root(low, high, ln_excess):
    """Returns the zero of a function of the logarithm of x, to 25 digits."""
    low, high = mp.log(low), mp.log(high)
    found = mp.findroot(lambda ln_x: ln_excess(mp.exp(ln_x)), (low, high), solver="anderson", tol=mpf(10) ** -50)
    assert low <= found <= high
    return mp.exp(found)


def clopper_pearson(k, n, tail):
    if 2 * k > n:
        lower, upper = clopper_pearson(n - k, n, tail)
        return 1 - upper, 1 - lower
    estimate = mpf(k) / n
    spread = mp.sqrt(estimate * (1 - estimate) / n)
    lower, upper = mpf(0), 1 - tail ** (mpf(1) / n)
    if k > 0:
        floor = max(tail / n, estimate - 4 * spread)
        ceiling = min(1 - tail / n, estimate + 4 * spread + 20 / mpf(n))
        lower = root(floor, estimate, lambda x: mp.log(tails(x, k, n - k + 1)[0] / tail))
        upper = root(estimate, ceiling, lambda x: mp.log(tails(x, k + 1, n - k)[1] / tail))
    return lower, upper


def main(folder):
    rows = ["# exact Clopper-Pearson bounds: count,of,confidence,lower,upper\n"]
    for k, n in INTERVALS:
        for confidence in ["0.95", "0.999"] if n <= 10_000_000 else ["0.95"]:
            # The argument is the double nearest to the level, as in the test.
            bounds = clopper_pearson(k, n, (1 - mpf(float(confidence))) / 2)
            rows.append(f"{k},{n},{confidence}," + ",".join(mp.nstr(bound, 18) for bound in bounds) + "\n")
    (folder / "clopper_pearson.csv").write_text(HEADER + "".join(rows))

    rows = ["# regularised incomplete beta: x,a,b,ln lower tail,ln upper tail\n"]
    for x, a, b in TAILS:
        # The argument is the double nearest to x, as in the test.
        logs = [mp.nstr(mp.log(tail), 18) for tail in tails(mpf(float(x)), a, b)]
        rows.append(f"{x},{a},{b}," + ",".join(logs) + "\n")
    (folder / "beta_tails.csv").write_text(HEADER + "".join(rows))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
