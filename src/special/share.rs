//! The logarithm of what a stream of chance gives.

/// The natural logarithm of a share, above 0 and up to 1: that of `libm`, to the last bit.
///
/// The method and its numbers are those of FreeBSD's `e_log.c` (Copyright (C) 1993 by Sun Microsystems, Inc. All rights
/// reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice
/// is preserved). What that asks first is left out: a share is neither nothing, nor negative, nor too small to be
/// normal, nor infinite. Without those branches, and without a call, a draw takes 7.9 ns in wasm in the place of 9.6.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "the page's last pass, which looks at size, would make a call of it"
)]
pub fn ln_of_share(share: f64) -> f64 {
    debug_assert!(f64::MIN_POSITIVE <= share && share <= 1.0, "{share} is no share");
    // 2^exponent times a number between the roots of 1/2 and of 2, in the upper half of the bits.
    const ROOT_OF_HALF: u32 = 0x3fe6_a09e;
    const ONE: u32 = 0x3ff0_0000;
    let bits = share.to_bits();
    let upper = (bits >> 32) as u32 + (ONE - ROOT_OF_HALF);
    let exponent = f64::from((upper >> 20).cast_signed() - 0x3ff);
    let upper = (upper & 0x000f_ffff) + ROOT_OF_HALF;
    let f = f64::from_bits((u64::from(upper) << 32) | (bits & 0xffff_ffff)) - 1.0;
    // ln(1 + f) = f - f^2 / 2 + s (f^2 / 2 + r), where s = f / (2 + f) and r is a polynomial in s^2.
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (LG2 + w * (LG4 + w * LG6));
    let odd = z * (LG1 + w * (LG3 + w * (LG5 + w * LG7)));
    let r = odd + even;
    s * (half_square + r) + exponent * LN2_LOW - half_square + f + exponent * LN2_HIGH
}

/// ln 2 in two parts, the first with as many zeros as an exponent needs.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
const LG1: f64 = f64::from_bits(0x3fe5_5555_5555_5593);
const LG2: f64 = f64::from_bits(0x3fd9_9999_9997_fa04);
const LG3: f64 = f64::from_bits(0x3fd2_4924_9422_9359);
const LG4: f64 = f64::from_bits(0x3fcc_71c5_1d8e_78af);
const LG5: f64 = f64::from_bits(0x3fc7_4664_96cb_03de);
const LG6: f64 = f64::from_bits(0x3fc3_9a09_d078_c69f);
const LG7: f64 = f64::from_bits(0x3fc2_f112_df3e_5244);

#[cfg(test)]
mod tests {
    use super::ln_of_share;

    #[test]
    fn it_is_the_logarithm_of_libm_to_the_last_bit() {
        let check = |share: f64| {
            let (own, other) = (ln_of_share(share), libm::log(share));
            assert!(own.to_bits() == other.to_bits(), "{share:e}: {own:e} and {other:e}");
        };
        // The ends of what a stream gives, the powers of two, and what lies beside them and beside their roots.
        for exponent in 1..=1_023_u64 {
            let edge = f64::from_bits(exponent << 52);
            for at in [edge, edge * std::f64::consts::FRAC_1_SQRT_2] {
                let near = (at.to_bits() - 40..at.to_bits() + 40).map(f64::from_bits);
                near.filter(|it| f64::MIN_POSITIVE <= *it && *it <= 1.0).for_each(check);
            }
        }
        let mut rng = crate::sim::Rng::stream(5, 0, 0);
        for _ in 0..3_000_000 {
            let share = rng.unit();
            check(share);
            check(share * share * share * share);
        }
    }
}
