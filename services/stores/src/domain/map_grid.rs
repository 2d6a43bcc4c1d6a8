//! The grid for the counts of the map and for the word index: Web Mercator. Its cells are squares on the ground. Level
//! 0 is one cell, and each level divides each cell of the previous one into four.
//!
//! The migration `0009_finding_stores.sql` contains the same formulas.

use std::f64::consts::PI;

use super::geo::Position;

/// The finest level for which counts are stored.
pub const FINEST_STORED_LEVEL: u8 = 14;
/// Positions nearer to a pole are in the row of this latitude.
const MAX_LATITUDE: f64 = 85.0;
/// The radius of `earth()` of PostgreSQL's earthdistance.
const EARTHDISTANCE_RADIUS_METERS: f64 = 6_378_168.0;

/// A cell of the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) level: u8,
    /// From west to east.
    pub(crate) x: i32,
    /// From north to south.
    pub(crate) y: i32,
}

/// The first and the last number of a range of cells at [`FINEST_STORED_LEVEL`].
pub(crate) type CellRange = (i32, i32);

impl Cell {
    pub(crate) fn at(position: Position, level: u8) -> Self {
        let x = (position.longitude() + 180.0) / 360.0;
        Self {
            level,
            x: index(x, level),
            y: row(position.latitude(), level),
        }
    }

    /// The cell that contains every position.
    pub(crate) const WORLD: Self = Self { level: 0, x: 0, y: 0 };

    /// Returns the cell of a coarser level that contains this cell, or this cell.
    pub(crate) fn at_level(self, level: u8) -> Self {
        let bits = self.level.saturating_sub(level);
        Self {
            level: self.level - bits,
            x: self.x >> bits,
            y: self.y >> bits,
        }
    }

    /// Divides this cell into the 16 cells two levels finer. The first one has the lowest numbers, the last one the
    /// highest. Returns `None` if they would be finer than [`FINEST_STORED_LEVEL`].
    pub(crate) fn parts(self) -> Option<Vec<Self>> {
        let part = |x: i32, y: i32| Self {
            level: self.level + 2,
            x: 4 * self.x + x,
            y: 4 * self.y + y,
        };
        (self.level + 2 <= FINEST_STORED_LEVEL)
            .then(|| (0..4).flat_map(|y| (0..4).map(move |x| part(x, y))).collect())
    }

    /// Returns the numbers of the cells at [`FINEST_STORED_LEVEL`] within this cell.
    pub(crate) fn numbers(self) -> CellRange {
        let bits = 2 * u32::from(FINEST_STORED_LEVEL.saturating_sub(self.level));
        let first = (spread_bits(self.x) | spread_bits(self.y) << 1) << bits;
        (first, first + (1 << bits) - 1)
    }

    /// Returns a lower bound of the straight-line distance from a position to the cell, in meters as computed by
    /// earthdistance.
    pub(crate) fn min_meters(self, from: Position) -> f64 {
        let cells = f64::from(1_i32 << self.level);
        let (west, east) = (self.x_degrees(0, cells), self.x_degrees(1, cells));
        let (north, south) = (self.y_degrees(0, cells), self.y_degrees(1, cells));
        let latitude_gap = (from.latitude() - north).max(south - from.latitude()).max(0.0);
        let to_edge = |edge: f64| {
            let gap = (from.longitude() - edge).abs();
            gap.min(360.0 - gap)
        };
        let longitude_gap = if (west..=east).contains(&from.longitude()) {
            0.0
        } else {
            to_edge(west).min(to_edge(east))
        };
        // Distance to the meridian of the closer edge.
        let to_meridian = from.latitude().to_radians().cos() * longitude_gap.min(90.0).to_radians().sin();
        let angle = latitude_gap.to_radians().max(to_meridian.clamp(0.0, 1.0).asin());
        2.0 * EARTHDISTANCE_RADIUS_METERS * (angle / 2.0).sin()
    }

    fn x_degrees(self, edge: i32, cells: f64) -> f64 {
        f64::from(self.x + edge) / cells * 360.0 - 180.0
    }

    /// Returns the latitude of an edge. The rows of [`MAX_LATITUDE`] reach the poles.
    fn y_degrees(self, edge: i32, cells: f64) -> f64 {
        let y = self.y + edge;
        if y <= row(MAX_LATITUDE, self.level) {
            90.0
        } else if y > row(-MAX_LATITUDE, self.level) {
            -90.0
        } else {
            let part = f64::from(y) / cells;
            (PI * (1.0 - 2.0 * part)).sinh().atan().to_degrees()
        }
    }
}

/// Returns the row of a latitude.
fn row(latitude: f64, level: u8) -> i32 {
    let latitude = latitude.clamp(-MAX_LATITUDE, MAX_LATITUDE).to_radians();
    let part = 0.5 - (PI / 4.0 + latitude / 2.0).tan().ln() / (2.0 * PI);
    index(part, level)
}

/// Returns the index of a cell. `part` is the position in the world, from 0 to 1.
fn index(part: f64, level: u8) -> i32 {
    let cells = 1_i32 << level;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a level has at most 2^30 cells in a row"
    )]
    let index = (part * f64::from(cells)).floor() as i32;
    index.clamp(0, cells - 1)
}

/// Inserts a zero bit before each of the lower 14 bits, to interleave x and y.
const fn spread_bits(bits: i32) -> i32 {
    let bits = (bits | bits << 8) & 0x00FF_00FF;
    let bits = (bits | bits << 4) & 0x0F0F_0F0F;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(latitude: f64, longitude: f64) -> Position {
        Position::new(latitude, longitude).unwrap()
    }

    #[test]
    fn a_cell_is_found_in_the_grid_of_web_maps() {
        // OpenStreetMap's tile of the San Francisco Ferry Building at zoom 14.
        let cell = Cell::at(at(37.7955, -122.3937), 14);
        assert_eq!((cell.x, cell.y), (2621, 6331));
    }

    #[test]
    fn positions_at_the_edge_of_the_world_have_cells() {
        for (latitude, longitude) in [(90.0, 180.0), (-90.0, -180.0), (90.0, -180.0)] {
            let cell = Cell::at(at(latitude, longitude), 14);
            assert!((0..1 << 14).contains(&cell.x) && (0..1 << 14).contains(&cell.y));
        }
        assert_eq!(Cell::WORLD.numbers(), (0, (1 << 28) - 1));
    }

    #[test]
    fn the_row_of_the_highest_latitude_reaches_the_pole() {
        let (from, to) = (at(88.96, 0.0), at(89.02, 0.0));
        assert!(Cell::at(to, 10).min_meters(from) <= from.meters_to(to));
        let (from, to) = (at(-88.96, 0.0), at(-89.02, 0.0));
        assert!(Cell::at(to, 10).min_meters(from) <= from.meters_to(to));
    }

    proptest! {
        #[test]
        fn a_cell_is_never_farther_than_a_position_in_it(
            latitude in -90.0..90.0_f64, longitude in -180.0..180.0_f64,
            from_latitude in -90.0..90.0_f64, from_longitude in -180.0..180.0_f64, level in 0_u8..=14
        ) {
            let (from, to) = (at(from_latitude, from_longitude), at(latitude, longitude));
            let angle = from.meters_to(to) / 6_371_008.8;
            let straight = 2.0 * EARTHDISTANCE_RADIUS_METERS * (angle / 2.0).sin();
            prop_assert!(Cell::at(to, level).min_meters(from) <= straight + 0.1);
        }

        #[test]
        fn parts_divide_a_cell(latitude in -85.0..85.0_f64, longitude in -180.0..180.0_f64, level in 0_u8..=12) {
            let cell = Cell::at(at(latitude, longitude), level);
            let parts = cell.parts().unwrap();
            prop_assert!(parts.contains(&Cell::at(at(latitude, longitude), level + 2)));
            prop_assert_eq!(cell.numbers().0, parts[0].numbers().0);
            prop_assert_eq!(cell.numbers().1, parts[15].numbers().1);
        }
    }
}
