//! The stores in a map view.

use types::StoreId;

use super::store_view::StoreView;

#[derive(Debug)]
pub struct StoreMap {
    pub(crate) stores: Vec<StoreView>,
    /// Groups of stores that are too close to each other to be shown one by one.
    pub(crate) clusters: Vec<MapCell>,
}

/// A cell of a map view that contains stores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MapCell {
    /// Set if the cell contains one store.
    pub(crate) single_store: Option<StoreId>,
    pub(crate) count: i64,
    /// Mean of the stores.
    pub(crate) latitude: f64,
    /// Mean of the stores.
    pub(crate) longitude: f64,
}
