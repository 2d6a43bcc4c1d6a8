//! Positions on the earth and distances between them.

/// Mean radius of the earth (IUGG).
const EARTH_RADIUS_METERS: f64 = 6_371_008.8;
/// About a tenth of a millimeter. The functions of PostgreSQL's earthdistance fail with an underflow for smaller
/// values.
const MIN_DEGREES: f64 = 1e-9;

/// WGS 84 degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    latitude: f64,
    longitude: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a latitude from -90 to 90 and a longitude from -180 to 180")]
pub struct InvalidCoordinates;

impl Position {
    /// # Errors
    /// [`InvalidCoordinates`] if a value is out of range or not a number.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, InvalidCoordinates> {
        if latitude.abs() <= 90.0 && longitude.abs() <= 180.0 {
            Ok(Self {
                latitude: round_tiny_to_zero(latitude),
                longitude: round_tiny_to_zero(longitude),
            })
        } else {
            Err(InvalidCoordinates)
        }
    }

    #[must_use]
    pub const fn latitude(self) -> f64 {
        self.latitude
    }

    #[must_use]
    pub const fn longitude(self) -> f64 {
        self.longitude
    }

    /// Returns the great-circle distance.
    #[must_use]
    pub(crate) fn meters_to(self, other: Self) -> f64 {
        let (from, to) = (self.latitude.to_radians(), other.latitude.to_radians());
        let half_north = (to - from) / 2.0;
        let half_east = (other.longitude - self.longitude).to_radians() / 2.0;
        let haversine = half_north.sin().powi(2) + from.cos() * to.cos() * half_east.sin().powi(2);
        2.0 * EARTH_RADIUS_METERS * haversine.sqrt().min(1.0).asin()
    }
}

fn round_tiny_to_zero(degrees: f64) -> f64 {
    if degrees.abs() < MIN_DEGREES { 0.0 } else { degrees }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        Position::new(latitude, longitude).unwrap()
    }

    #[test]
    fn the_distance_of_two_cities_is_correct() {
        // San Francisco to New York (city halls): 4,130 km.
        let meters = at(37.7793, -122.4193).meters_to(at(40.7128, -74.0060));
        assert!((meters - 4_129_000.0).abs() < 5_000.0, "{meters}");
    }

    #[test]
    fn a_degree_of_longitude_is_shorter_in_the_north() {
        assert!(at(60.0, 0.0).meters_to(at(60.0, 1.0)) < 0.51 * at(0.0, 0.0).meters_to(at(0.0, 1.0)));
    }

    #[test]
    fn coordinates_out_of_range_are_invalid() {
        for (latitude, longitude) in [(90.1, 0.0), (0.0, -180.1), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
            assert_eq!(Position::new(latitude, longitude), Err(InvalidCoordinates));
        }
    }

    #[test]
    fn tiny_coordinates_are_rounded_to_zero() {
        assert_eq!(at(-5e-324, 1e-160), at(0.0, 0.0));
        assert!((at(1e-6, -1e-6).latitude() - 1e-6).abs() < f64::EPSILON);
    }

    proptest! {
        #[test]
        fn a_distance_is_the_same_in_both_directions(a in -90.0..90.0, b in -180.0..180.0, c in -90.0..90.0, d in -180.0..180.0) {
            let (forth, back) = (at(a, b).meters_to(at(c, d)), at(c, d).meters_to(at(a, b)));
            prop_assert!((forth - back).abs() < 0.01 && forth <= 20_015_200.0);
        }
    }
}
