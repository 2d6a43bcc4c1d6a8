//! Positions on the earth, and how far apart they are.

/// Mean radius of the earth, metres (IUGG).
const EARTH_RADIUS_METERS: f64 = 6_371_008.8;
/// A tenth of a millimetre, in degrees. Below it the database's own trigonometry underflows, which it calls an error.
const LEAST_DEGREES: f64 = 1e-9;

/// A point on the earth, WGS 84 degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    latitude: f64,
    longitude: f64,
}

/// Numbers that are no point on the earth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected a latitude of -90 to 90 and a longitude of -180 to 180")]
pub struct NotOnEarth;

impl Position {
    /// A point, if it is one.
    ///
    /// # Errors
    /// [`NotOnEarth`] for values out of range, and for those that are no number.
    pub fn new(latitude: f64, longitude: f64) -> Result<Self, NotOnEarth> {
        if latitude.abs() <= 90.0 && longitude.abs() <= 180.0 {
            let told_apart = |degrees: f64| {
                if degrees.abs() < LEAST_DEGREES {
                    0.0
                } else {
                    degrees
                }
            };
            Ok(Self {
                latitude: told_apart(latitude),
                longitude: told_apart(longitude),
            })
        } else {
            Err(NotOnEarth)
        }
    }

    /// Degrees north.
    #[must_use]
    pub const fn latitude(self) -> f64 {
        self.latitude
    }

    /// Degrees east.
    #[must_use]
    pub const fn longitude(self) -> f64 {
        self.longitude
    }

    /// The great circle to another point, in metres.
    #[must_use]
    pub fn meters_to(self, other: Self) -> f64 {
        let (from, to) = (self.latitude.to_radians(), other.latitude.to_radians());
        let half_north = (to - from) / 2.0;
        let half_east = (other.longitude - self.longitude).to_radians() / 2.0;
        let haversine = half_north.sin().powi(2) + from.cos() * to.cos() * half_east.sin().powi(2);
        2.0 * EARTH_RADIUS_METERS * haversine.sqrt().min(1.0).asin()
    }
}

/// What a map shows, cut into the cells in which stores are clustered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Southern edge.
    pub south: f64,
    /// Northern edge.
    pub north: f64,
    /// Western edge.
    pub west: f64,
    /// Eastern edge.
    pub east: f64,
    /// Height of a cell, degrees.
    pub cell_north: f64,
    /// Width of a cell, degrees.
    pub cell_east: f64,
}

/// Half the height of a view where none is said: about three kilometres around.
pub const USUAL_SPAN: f64 = 0.03;
const LEAST_SPAN: f64 = 0.002;
const MOST_SPAN: f64 = 60.0;
/// A pin is about an eighth of a phone's map high.
const CELLS: f64 = 8.0;

impl View {
    /// The square on the ground around a point, `span` degrees of latitude from its middle to its edge. A cell's size
    /// goes by powers of two and cells start at fixed degrees, so that moving the map does not reshuffle clusters.
    #[must_use]
    pub fn around(center: Position, span: f64) -> Self {
        let span = if span > 0.0 {
            span.clamp(LEAST_SPAN, MOST_SPAN)
        } else {
            USUAL_SPAN
        };
        // A degree of longitude is shorter away from the equator; at the poles everything is in view.
        let stretch = center.latitude.to_radians().cos().max(0.01);
        let cell_north = (2.0 * span / CELLS).log2().floor().exp2();
        Self {
            south: (center.latitude - span).max(-90.0),
            north: (center.latitude + span).min(90.0),
            west: (center.longitude - span / stretch).max(-180.0),
            east: (center.longitude + span / stretch).min(180.0),
            cell_north,
            cell_east: cell_north * (1.0 / stretch).log2().round().exp2(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        Position::new(latitude, longitude).unwrap()
    }

    #[test]
    fn knows_a_distance_that_others_have_measured() {
        // San Francisco to New York (city halls): 4,130 km.
        let meters = at(37.7793, -122.4193).meters_to(at(40.7128, -74.0060));
        assert!((meters - 4_129_000.0).abs() < 5_000.0, "{meters}");
    }

    #[test]
    fn a_degree_east_is_shorter_up_north() {
        assert!(at(60.0, 0.0).meters_to(at(60.0, 1.0)) < 0.51 * at(0.0, 0.0).meters_to(at(0.0, 1.0)));
    }

    #[test]
    fn refuses_what_is_not_on_earth() {
        for (latitude, longitude) in [(90.1, 0.0), (0.0, -180.1), (f64::NAN, 0.0), (0.0, f64::INFINITY)] {
            assert_eq!(Position::new(latitude, longitude), Err(NotOnEarth));
        }
    }

    #[test]
    fn next_to_nothing_is_nothing() {
        assert_eq!(at(-5e-324, 1e-160), at(0.0, 0.0));
        assert_eq!(at(1e-6, -1e-6).latitude(), 1e-6);
    }

    proptest! {
        #[test]
        fn is_the_same_both_ways(a in -90.0..90.0, b in -180.0..180.0, c in -90.0..90.0, d in -180.0..180.0) {
            let (there, back) = (at(a, b).meters_to(at(c, d)), at(c, d).meters_to(at(a, b)));
            prop_assert!((there - back).abs() < 0.01 && there <= 20_015_200.0);
        }

        #[test]
        fn a_view_holds_its_middle(latitude in -80.0..80.0, longitude in -179.0..179.0, span in 0.0..90.0) {
            let view = View::around(at(latitude, longitude), span);
            prop_assert!(view.south < latitude && latitude < view.north && view.west < longitude && longitude < view.east);
            prop_assert!(view.cell_north > 0.0 && view.cell_east > 0.0);
        }
    }
}
