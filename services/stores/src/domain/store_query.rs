//! Which stores a list shows.

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
    /// Where the consumer is. Without it distances are not shown.
    pub(crate) position: Option<Position>,
    /// About where the consumer is, if the position is unknown. Determines the order only.
    pub(crate) approximate_position: Option<Position>,
    pub(crate) curbside_only: bool,
    pub(crate) page: Page,
    /// Marks the favorites of this consumer.
    pub(crate) consumer_id: Option<ConsumerId>,
}

impl StoreQuery {
    /// Returns the position from which stores are ordered.
    pub(crate) fn order_position(&self, default: Position) -> Position {
        self.position.or(self.approximate_position).unwrap_or(default)
    }
}
