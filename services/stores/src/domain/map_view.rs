//! The area that a map shows.

use super::{
    geo::Position,
    map_grid::{Cell, FINEST_STORED_LEVEL},
};

/// Half the height of a map view without a requested span: about three kilometers.
const DEFAULT_SPAN_DEGREES: f64 = 0.03;
const MIN_SPAN_DEGREES: f64 = 0.002;
const MAX_SPAN_DEGREES: f64 = 60.0;
/// A pin takes about an eighth of the height of a map on a phone.
const MIN_CELLS_PER_HEIGHT: f64 = 8.0;
/// Cells of the finest level are about 20 m wide.
const MAX_LEVEL: f64 = 20.0;

/// The area that a map shows, and the cells in which stores are clustered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapView {
    pub(crate) south: f64,
    pub(crate) north: f64,
    pub(crate) west: f64,
    pub(crate) east: f64,
    /// Level of the cells. Cells have fixed positions, so that clusters stay the same when the map moves.
    pub(crate) level: u8,
    pub(crate) north_west: Cell,
    pub(crate) south_east: Cell,
}

impl MapView {
    /// Returns the square on the ground around a point. `span_degrees` is half its height in degrees of latitude; 0 or
    /// less for the default.
    #[must_use]
    pub fn around(center: Position, span_degrees: f64) -> Self {
        let span = if span_degrees > 0.0 {
            span_degrees.clamp(MIN_SPAN_DEGREES, MAX_SPAN_DEGREES)
        } else {
            DEFAULT_SPAN_DEGREES
        };
        // A degree of longitude is shorter at higher latitudes. At the poles the view contains every longitude.
        let stretch = center.latitude().to_radians().cos().max(0.01);
        let south = (center.latitude() - span).max(-90.0);
        let north = (center.latitude() + span).min(90.0);
        let west = (center.longitude() - span / stretch).max(-180.0);
        let east = (center.longitude() + span / stretch).min(180.0);
        let level = level(span, stretch);
        let cell = |latitude: f64, longitude: f64| {
            Position::new(latitude, longitude).map_or(Cell::at(center, level), |at| Cell::at(at, level))
        };
        Self {
            south,
            north,
            west,
            east,
            level,
            north_west: cell(north, west),
            south_east: cell(south, east),
        }
    }

    /// Returns whether counts are stored for the cells of the view.
    pub(crate) const fn has_stored_counts(&self) -> bool {
        self.level <= FINEST_STORED_LEVEL
    }

    /// Returns the view with cells for which counts are stored, which are larger in small views.
    pub(crate) fn with_stored_counts(self) -> Self {
        let level = self.level.min(FINEST_STORED_LEVEL);
        Self {
            level,
            north_west: self.north_west.at_level(level),
            south_east: self.south_east.at_level(level),
            ..self
        }
    }

    /// Estimates how many of the stores in the cells of the view are in the view, which may cover a small part of its cells.
    pub(crate) fn estimate_stores(&self, in_cells: i64) -> f64 {
        // In units of cells. A view is a square on the ground.
        let side = (self.east - self.west) / 360.0 * f64::from(1_i32 << self.level);
        let columns = f64::from(self.south_east.x - self.north_west.x + 1);
        let rows = f64::from(self.south_east.y - self.north_west.y + 1);
        let covered_part = (side * side / (columns * rows)).min(1.0);
        f64::from(u32::try_from(in_cells).unwrap_or(u32::MAX)) * covered_part
    }
}

/// Returns the level at which the height of a view has [`MIN_CELLS_PER_HEIGHT`] to twice as many cells.
fn level(span: f64, stretch: f64) -> u8 {
    let level = (360.0 * stretch * MIN_CELLS_PER_HEIGHT / (2.0 * span))
        .log2()
        .ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the value is from 0 to MAX_LEVEL"
    )]
    let level = level.clamp(0.0, MAX_LEVEL) as u8;
    level
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wide_views_have_stored_counts() {
        let at = |span| MapView::around(Position::new(40.0, -100.0).unwrap(), span);
        assert!(at(60.0).has_stored_counts() && at(0.1).has_stored_counts());
        assert!(!at(0.03).has_stored_counts());
    }

    #[test]
    fn a_small_view_has_larger_cells_with_stored_counts() {
        let at = Position::new(40.0, -100.0).unwrap();
        let (wide, small) = (MapView::around(at, 1.0), MapView::around(at, 0.03));
        assert_eq!(wide.with_stored_counts(), wide);
        let stored = small.with_stored_counts();
        assert!(stored.has_stored_counts());
        assert_eq!((stored.south, stored.west), (small.south, small.west));
        let corner = Position::new(small.north, small.west).unwrap();
        assert_eq!(stored.north_west, Cell::at(corner, FINEST_STORED_LEVEL));
    }

    #[test]
    fn a_view_has_the_stores_of_the_part_of_the_cells_that_it_covers() {
        let at = Position::new(40.0, -100.0).unwrap();
        let stores = |span| {
            MapView::around(at, span)
                .with_stored_counts()
                .estimate_stores(1_000)
        };
        assert!(stores(1.0) > 700.0 && stores(1.0) <= 1_000.0);
        assert!(stores(0.002) < 100.0);
    }

    proptest! {
        #[test]
        fn a_view_contains_its_center(latitude in -80.0..80.0, longitude in -179.0..179.0, span in 0.0..90.0) {
            let view = MapView::around(Position::new(latitude, longitude).unwrap(), span);
            prop_assert!(view.south < latitude && latitude < view.north && view.west < longitude && longitude < view.east);
        }

        #[test]
        fn a_view_has_a_bounded_number_of_cells(latitude in -60.0..60.0, longitude in -179.0..179.0, span in 0.0..60.0) {
            let view = MapView::around(Position::new(latitude, longitude).unwrap(), span);
            let width = view.south_east.x - view.north_west.x + 1;
            let height = view.south_east.y - view.north_west.y + 1;
            prop_assert!((1..=70).contains(&width) && (1..=70).contains(&height), "{width} x {height}");
        }
    }
}
