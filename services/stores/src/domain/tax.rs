//! Mean sales tax on prepared food and drink by state. The default for stores without a specific rate.

/// State and mean combined rate of state and local taxes, in parts per million. Sorted by state.
const MEAN_RATES: [(&str, i64); 51] = [
    ("AK", 18_200),
    ("AL", 92_900),
    ("AR", 94_600),
    ("AZ", 85_200),
    ("CA", 88_500),
    ("CO", 78_600),
    ("CT", 63_500),
    ("DC", 100_000),
    ("DE", 0),
    ("FL", 70_000),
    ("GA", 74_400),
    ("HI", 45_000),
    ("IA", 69_400),
    ("ID", 60_300),
    ("IL", 88_900),
    ("IN", 70_000),
    ("KS", 87_700),
    ("KY", 60_000),
    ("LA", 101_200),
    ("MA", 62_500),
    ("MD", 60_000),
    ("ME", 55_000),
    ("MI", 60_000),
    ("MN", 80_400),
    ("MO", 84_400),
    ("MS", 70_600),
    ("MT", 0),
    ("NC", 70_000),
    ("ND", 70_500),
    ("NE", 69_800),
    ("NH", 85_000),
    ("NJ", 66_000),
    ("NM", 76_200),
    ("NV", 82_400),
    ("NY", 85_300),
    ("OH", 72_300),
    ("OK", 90_600),
    ("OR", 0),
    ("PA", 63_400),
    ("RI", 70_000),
    ("SC", 75_000),
    ("SD", 61_100),
    ("TN", 95_600),
    ("TX", 82_000),
    ("UT", 73_200),
    ("VA", 57_700),
    ("VT", 63_900),
    ("WA", 95_100),
    ("WI", 57_000),
    ("WV", 65_900),
    ("WY", 54_400),
];

/// Returns the mean rate of a US state, given by its two letters.
#[must_use]
pub(crate) fn mean_rate_ppm(state: &str) -> Option<i64> {
    MEAN_RATES
        .binary_search_by_key(&state, |rate| rate.0)
        .ok()
        .map(|position| MEAN_RATES[position].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_every_state_is_found() {
        assert!(
            MEAN_RATES.is_sorted_by_key(|rate| rate.0)
                && MEAN_RATES
                    .iter()
                    .all(|rate| mean_rate_ppm(rate.0) == Some(rate.1))
        );
        assert_eq!(mean_rate_ppm("XX"), None);
    }
}
