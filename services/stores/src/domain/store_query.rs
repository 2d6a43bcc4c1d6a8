//! Filters and positions of a list of stores.

use types::{CompanyId, ConsumerId, Page};

use super::geo::Position;

#[derive(Debug, Clone, Copy)]
pub enum StoreFilter {
    All,
    Company(CompanyId),
    FavoritesOf(ConsumerId),
}

#[derive(Debug, Clone, Copy)]
pub struct StoreQuery {
    /// The consumer's position. Without it, distances are not shown.
    pub(crate) position: Option<Position>,
    /// The consumer's approximate position, if the exact position is unknown. Used only for sorting.
    pub(crate) approximate_position: Option<Position>,
    pub(crate) curbside_only: bool,
    pub(crate) page: Page,
    /// Marks the favorites of this consumer.
    pub(crate) consumer_id: Option<ConsumerId>,
}

impl StoreQuery {
    /// Returns the position by which stores are sorted.
    pub(crate) fn order_position(&self, default: Position) -> Position {
        self.position.or(self.approximate_position).unwrap_or(default)
    }
}
