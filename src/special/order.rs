//! Order by number. A sort is a lot of code, and there is a copy of it for whatever is sorted: here is one for all.

/// Puts numbers in ascending order.
pub fn sort_numbers(numbers: &mut [f64]) {
    numbers.sort_unstable_by(f64::total_cmp);
}

/// The places of numbers, from the least number to the greatest; equal ones keep their order.
pub fn order(numbers: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..numbers.len()).collect();
    places.sort_unstable_by(|a, b| numbers[*a].total_cmp(&numbers[*b]).then(a.cmp(b)));
    places
}

/// Things in the order of a number of theirs; equal ones keep their order.
pub fn sorted_by<T>(things: Vec<T>, number: impl Fn(&T) -> f64) -> Vec<T> {
    let numbers: Vec<f64> = things.iter().map(number).collect();
    let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
    order(&numbers).into_iter().filter_map(|at| things[at].take()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_keep_their_order() {
        assert_eq!(order(&[2.0, 1.0, 2.0, f64::INFINITY, -1.0, 1.0]), [4, 1, 5, 0, 2, 3]);
        let words = sorted_by(vec!["four", "two", "five", "a"], |it| it.len() as f64);
        assert_eq!(words, ["a", "two", "four", "five"]);
        assert_eq!(sorted_by(Vec::<&str>::new(), |_| 0.0), Vec::<&str>::new());
    }
}
