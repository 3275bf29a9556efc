//! Special functions and rounding, to full double precision, through `libm` alone, so that every platform gives
//! the same bits.

mod listed;
mod order;
mod share;

pub use listed::Listed;
pub use order::{order, sort_by_number, sort_numbers, sorted_by};
pub use share::{ln_of_share, ln_of_shares};

/// P(Z > x) for a standard normal Z; keeps its relative precision far into the tail.
pub fn normal_tail(x: f64) -> f64 {
    0.5 * libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The x with P(Z <= x) = p, for 0 < p < 1.
///
/// Wichura's algorithm AS 241 (PPND16), Applied Statistics 37 (1988): relative error about 1e-16.
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= 0.425 {
        return q * central(0.180_625 - q * q);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    let z = normal_quantile_of_tail(tail);
    if q < 0.0 { -z } else { z }
}

/// The x with P(Z > x) = tail, precise for tails far below what `1 - p` can say.
pub fn normal_quantile_of_tail(tail: f64) -> f64 {
    if tail >= 0.075 {
        let q = 0.5 - tail;
        return if q.abs() <= 0.425 {
            q * central(0.180_625 - q * q)
        } else {
            normal_quantile(1.0 - tail)
        };
    }
    let r = (-libm::log(tail)).sqrt();
    if r <= 5.0 { near_tail(r - 1.6) } else { far_tail(r - 5.0) }
}

fn central(r: f64) -> f64 {
    let over = horner(
        r,
        [
            2_509.080_928_730_122_7,
            33_430.575_583_588_13,
            67_265.770_927_008_7,
            45_921.953_931_549_87,
            13_731.693_765_509_46,
            1_971.590_950_306_551_3,
            133.141_667_891_784_38,
            3.387_132_872_796_366_5,
        ],
    );
    let under = horner(
        r,
        [
            5_226.495_278_852_545,
            28_729.085_735_721_943,
            39_307.895_800_092_71,
            21_213.794_301_586_597,
            5_394.196_021_424_751,
            687.187_007_492_057_9,
            42.313_330_701_600_91,
            1.0,
        ],
    );
    over / under
}

fn near_tail(r: f64) -> f64 {
    let over = horner(
        r,
        [
            7.745_450_142_783_414e-4,
            0.022_723_844_989_269_184,
            0.241_780_725_177_450_6,
            1.270_458_252_452_368_4,
            3.647_848_324_763_204_5,
            5.769_497_221_460_691,
            4.630_337_846_156_546,
            1.423_437_110_749_683_5,
        ],
    );
    let under = horner(
        r,
        [
            1.050_750_071_644_416_9e-9,
            5.475_938_084_995_345e-4,
            0.015_198_666_563_616_457,
            0.148_103_976_427_480_08,
            0.689_767_334_985_1,
            1.676_384_830_183_803_8,
            2.053_191_626_637_759,
            1.0,
        ],
    );
    over / under
}

fn far_tail(r: f64) -> f64 {
    let over = horner(
        r,
        [
            2.010_334_399_292_288_1e-7,
            2.711_555_568_743_487_6e-5,
            0.001_242_660_947_388_078_4,
            0.026_532_189_526_576_124,
            0.296_560_571_828_504_87,
            1.784_826_539_917_291_3,
            5.463_784_911_164_114,
            6.657_904_643_501_103,
        ],
    );
    let under = horner(
        r,
        [
            2.044_263_103_389_939_8e-15,
            1.421_511_758_316_446e-7,
            1.846_318_317_510_054_8e-5,
            7.868_691_311_456_133e-4,
            0.014_875_361_290_850_615,
            0.136_929_880_922_735_8,
            0.599_832_206_555_888,
            1.0,
        ],
    );
    over / under
}

/// A polynomial, highest power first.
fn horner(x: f64, coefficients: [f64; 8]) -> f64 {
    coefficients.into_iter().fold(0.0, |sum, it| sum * x + it)
}

/// The regularised incomplete beta function `I_x(a, b)`, by Lentz's continued fraction.
///
/// The k-th smallest of n independent draws is at most t with probability `beta(F(t), k, n - k + 1)`.
pub fn beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + a * libm::log(x)
            + b * libm::log1p(-x),
    );
    // The fraction converges fast on one side of the mean only.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * beta_fraction(x, a, b) / a
    } else {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    }
}

fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let keep = |it: f64| if it.abs() < TINY { TINY } else { it };
    let mut c = 1.0;
    let mut d = 1.0 / keep(1.0 - (a + b) * x / (a + 1.0));
    let mut h = d;
    // Needs about sqrt(max(a, b)) rounds: 10,000 leaves take some 120.
    for m in 1..2_000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / keep(1.0 + even * d);
        c = keep(1.0 + even / c);
        h *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / keep(1.0 + odd * d);
        c = keep(1.0 + odd / c);
        let change = d * c;
        h *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    h
}

/// The regularised incomplete gamma function Q(a, x): P(X > x) for a gamma variate of shape a and scale 1.
///
/// Below the mean by its series, above by Lentz's continued fraction.
pub fn gamma_tail(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        // Needs some sqrt(a) rounds: a million is the most that a law is given.
        for _ in 0..20_000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * 1e-16 {
                break;
            }
        }
        return 1.0 - front * sum;
    }
    const TINY: f64 = 1e-300;
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut h = d;
    for m in 1..20_000 {
        let m = f64::from(m);
        let step = -m * (m - a);
        b += 2.0;
        let lower = step * d + b;
        d = 1.0 / if lower.abs() < TINY { TINY } else { lower };
        c = b + step / c;
        c = if c.abs() < TINY { TINY } else { c };
        let change = d * c;
        h *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    front * h
}

/// The t with P(|T| <= t) = .95 for Student's t with so many degrees of freedom.
pub fn student_t_95(degrees: u32) -> f64 {
    student_t(0.05, degrees)
}

/// The t with P(|T| > t) = `outside`, between 1 and 1,000.
///
/// Found by bisection on the incomplete beta function; called a few times a second at most.
pub fn student_t(outside: f64, degrees: u32) -> f64 {
    let n = f64::from(degrees.max(1));
    let beyond = |t: f64| beta(n / (n + t * t), n / 2.0, 0.5);
    let (mut low, mut high) = (1.0, 1000.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if beyond(middle) > outside { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Rounds to so many significant digits.
pub fn round_to_digits(value: f64, digits: i32) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let magnitude = libm::floor(libm::log10(value.abs())) as i32 + 1 - digits;
    // Dividing by a whole power of ten rounds better than multiplying by a fraction of one.
    let power = libm::pow(10.0, f64::from(magnitude.abs()));
    if magnitude < 0 { (value * power).round() / power } else { (value / power).round() * power }
}

/// The z with P(|Z| <= z) = .95.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The nodes and weights of 8-point Gauss-Legendre quadrature on 0..1, exact for polynomials of degree 15.
///
/// Abramowitz and Stegun, table 25.4, where they stand for -1..1.
pub const GAUSS_8: [(f64, f64); 8] = {
    const HALF: [(f64, f64); 4] = [
        (0.183_434_642_495_649_8, 0.362_683_783_378_362),
        (0.525_532_409_916_329, 0.313_706_645_877_887_3),
        (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
        (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
    ];
    let mut all = [(0.0, 0.0); 8];
    let mut at = 0;
    while at < 4 {
        let (node, weight) = HALF[at];
        all[3 - at] = (0.5 - 0.5 * node, 0.5 * weight);
        all[4 + at] = (0.5 + 0.5 * node, 0.5 * weight);
        at += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(seen: f64, expected: f64, relative: f64) {
        assert!((seen / expected - 1.0).abs() < relative, "{seen} is not {expected}");
    }

    #[test]
    fn normal_quantile_inverts_the_tail() {
        for p in [1e-12, 1e-6, 0.01, 0.074, 0.076, 0.3, 0.499_999] {
            near(normal_tail(normal_quantile_of_tail(p)), p, 1e-12);
            near(normal_tail(-normal_quantile(p)), p, 1e-12);
            near(normal_quantile_of_tail(p), -normal_quantile(p), 1e-12);
        }
        near(normal_quantile(0.975), NORMAL_95, 1e-15);
        near(normal_quantile_of_tail(0.95), -1.644_853_626_951_472_2, 1e-14);
    }

    #[test]
    fn beta_is_the_binomial_tail() {
        // P(at least 2 of 3) at p = .01.
        near(beta(0.01, 2.0, 2.0), 2.98e-4, 1e-12);
        // All of 10,000 is a power.
        near(beta(0.9999, 10_000.0, 1.0), libm::exp(10_000.0 * libm::log1p(-1e-4)), 1e-9);
        near(beta(0.5, 5_000.0, 5_000.0), 0.5, 1e-9);
    }

    #[test]
    fn gamma_tail_of_whole_shapes_is_a_poisson_sum() {
        for x in [0.1, 1.0, 2.9, 3.1, 20.0, 60.0] {
            near(gamma_tail(1.0, x), libm::exp(-x), 1e-13);
            near(gamma_tail(3.0, x), libm::exp(-x) * (1.0 + x + x * x / 2.0), 1e-13);
        }
        // Half a normal variate's square.
        near(gamma_tail(0.5, 2.0), 2.0 * normal_tail(2.0), 1e-13);
        near(gamma_tail(0.04, 1e-3), 1.0 - libm::pow(1e-3, 0.04) / libm::tgamma(1.04), 1e-3);
    }

    #[test]
    fn student_t_of_tables() {
        near(student_t_95(1), 12.706_204_736, 1e-8);
        near(student_t_95(19), 2.093_024_054, 1e-8);
        near(student_t_95(1_000_000), NORMAL_95, 1e-5);
        near(student_t(0.01, 3), 5.840_909_310, 1e-8);
        near(student_t(0.01, 30), 2.749_995_654, 1e-8);
    }

    #[test]
    fn gauss_integrates_polynomials() {
        let sum: f64 = GAUSS_8.iter().map(|(x, w)| w * libm::pow(*x, 15.0)).sum();
        near(sum, 1.0 / 16.0, 1e-13);
    }
}
