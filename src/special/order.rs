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

/// Puts things in ascending order of a number of theirs; equal ones keep their order.
pub fn sort_by_number<T>(things: &mut [T], number: impl Fn(&T) -> f64) {
    let mut places = order(&things.iter().map(number).collect::<Vec<f64>>());
    // Each place is filled from where its thing stands; what stood there goes on to the place that was left.
    for start in 0..places.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == start {
                break;
            }
            things.swap(at, from);
            at = from;
        }
    }
}

/// Things in ascending order of a number of theirs; equal ones keep theirs.
pub fn sorted_by<T>(mut things: Vec<T>, number: impl Fn(&T) -> f64) -> Vec<T> {
    sort_by_number(&mut things, number);
    things
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_numbers_keep_their_order() {
        assert_eq!(order(&[2.0, 1.0, 2.0, f64::INFINITY, -1.0, 1.0]), [4, 1, 5, 0, 2, 3]);
        let mut words = ["four", "two", "five", "a", "six", "seven", "", "b"];
        sort_by_number(&mut words, |it| it.len() as f64);
        assert_eq!(words, ["", "a", "b", "two", "six", "four", "five", "seven"]);
        sort_by_number(&mut [""; 0], |_| 0.0);
    }
}
