//! The fast Fourier transform.

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Complex {
    pub(super) re: f64,
    pub(super) im: f64,
}

/// Transforms of one length, a power of two, with their roots of unity.
pub(super) struct Fourier {
    roots: Vec<Complex>,
}

impl Fourier {
    pub(super) fn new(length: usize) -> Fourier {
        debug_assert!(length.is_power_of_two());
        let root = |at: usize| {
            let angle = -std::f64::consts::TAU * at as f64 / length as f64;
            Complex { re: libm::cos(angle), im: libm::sin(angle) }
        };
        Fourier { roots: (0..length / 2).map(root).collect() }
    }

    /// The transform in place: the value at `j` becomes the sum over `k` of the values times
    /// e^(-2 pi i j k / length).
    pub(super) fn transform(&self, values: &mut [Complex]) {
        let length = values.len();
        debug_assert_eq!(length, self.roots.len() * 2);
        reverse_bits(values);
        let mut half = 1;
        while half < length {
            let stride = length / (2 * half);
            for block in values.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (at, (a, b)) in std::iter::zip(low, high).enumerate() {
                    let turned = *b * self.roots[at * stride];
                    (*a, *b) = (*a + turned, *a - turned);
                }
            }
            half *= 2;
        }
    }

    /// The inverse of a transform whose values were real: these.
    pub(super) fn real_of(&self, values: &mut [Complex]) -> impl Iterator<Item = f64> {
        // Conjugated, the forward transform is the inverse one, but for the length.
        for it in values.iter_mut() {
            it.im = -it.im;
        }
        self.transform(values);
        let scale = 1.0 / values.len() as f64;
        values.iter().map(move |it| it.re * scale)
    }
}

fn reverse_bits(values: &mut [Complex]) {
    let shift = usize::BITS - values.len().trailing_zeros();
    for at in 1..values.len() {
        let other = at.reverse_bits() >> shift;
        if at < other {
            values.swap(at, other);
        }
    }
}

impl Complex {
    pub(super) const ONE: Complex = Complex { re: 1.0, im: 0.0 };

    pub(super) fn real(re: f64) -> Complex {
        Complex { re, im: 0.0 }
    }

    pub(super) fn conjugate(self) -> Complex {
        Complex { re: self.re, im: -self.im }
    }

    pub(super) fn times(self, by: f64) -> Complex {
        Complex { re: self.re * by, im: self.im * by }
    }

    pub(super) fn exponential(self) -> Complex {
        let size = libm::exp(self.re);
        Complex { re: size * libm::cos(self.im), im: size * libm::sin(self.im) }
    }

    /// Of a number that is not 0; the imaginary part from -pi to pi.
    pub(super) fn logarithm(self) -> Complex {
        Complex { re: libm::log(libm::hypot(self.re, self.im)), im: libm::atan2(self.im, self.re) }
    }

    /// To a whole power, by squaring.
    pub(super) fn power(self, exponent: u32) -> Complex {
        let (mut power, mut square, mut left) = (Complex::ONE, self, exponent);
        while 0 < left {
            if left & 1 == 1 {
                power = power * square;
            }
            square = square * square;
            left >>= 1;
        }
        power
    }
}

impl std::ops::Add for Complex {
    type Output = Complex;

    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

impl std::ops::Sub for Complex {
    type Output = Complex;

    fn sub(self, other: Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl std::ops::Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl std::ops::Div for Complex {
    type Output = Complex;

    fn div(self, other: Complex) -> Complex {
        let square = other.re * other.re + other.im * other.im;
        (self * other.conjugate()).times(1.0 / square)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transform_and_its_inverse_give_the_values_back() {
        let fourier = Fourier::new(64);
        let values: Vec<f64> = (0..64).map(|it| f64::from((it * 37) % 64) / 64.0).collect();
        let mut spectrum: Vec<Complex> = values.iter().map(|it| Complex::real(*it)).collect();
        fourier.transform(&mut spectrum);
        // By hand, at one frequency.
        let sum = values.iter().enumerate().fold(0.0, |sum, (at, it)| {
            sum + it * libm::cos(std::f64::consts::TAU * 5.0 * at as f64 / 64.0)
        });
        assert!((spectrum[5].re - sum).abs() < 1e-12);
        let back: Vec<f64> = fourier.real_of(&mut spectrum).collect();
        for (seen, value) in std::iter::zip(back, values) {
            assert!((seen - value).abs() < 1e-14);
        }
    }
}
