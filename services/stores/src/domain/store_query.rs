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
    /// Where the consumer is. Without it the default position determines the order, and distances are not shown.
    pub(crate) position: Option<Position>,
    pub(crate) curbside_only: bool,
    pub(crate) page: Page,
    /// Marks the favorites of this consumer.
    pub(crate) consumer_id: Option<ConsumerId>,
}
