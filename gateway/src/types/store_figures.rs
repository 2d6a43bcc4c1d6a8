//! What a store has to make, and what it made today. Without amounts.

use proto::{ordering::v1 as ordering, stores::v1 as stores};
use serde::Serialize;
use utoipa::ToSchema;

use super::{convert_all, non_empty};

/// The reserved make time of the next hour.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreLoad {
    /// Each of five minutes; the first is the current one.
    pub(crate) slots: Vec<LoadSlot>,
}

impl From<stores::Load> for StoreLoad {
    fn from(load: stores::Load) -> Self {
        Self {
            slots: convert_all(load.slots),
        }
    }
}

/// Make time in seconds.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoadSlot {
    #[schema(format = DateTime)]
    pub(crate) start_at: String,
    pub(crate) reserved_seconds: u32,
    /// 0 while the store is closed.
    pub(crate) capacity_seconds: u32,
}

impl From<stores::LoadSlot> for LoadSlot {
    fn from(slot: stores::LoadSlot) -> Self {
        Self {
            start_at: slot.start_at,
            reserved_seconds: slot.reserved_seconds,
            capacity_seconds: slot.capacity_seconds,
        }
    }
}

/// The orders that are promised for today.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreSummary {
    /// In the store's time zone; null if no order is promised for today.
    #[schema(required, format = Date)]
    pub(crate) day: Option<String>,
    /// Placed and not ready.
    pub(crate) waiting: u32,
    /// For later today.
    pub(crate) scheduled: u32,
    pub(crate) made: u32,
    /// Of the made orders: those that were ready at the time that was promised first.
    pub(crate) kept: u32,
    /// Rounded down; null without made orders.
    #[schema(required)]
    pub(crate) kept_percent: Option<u32>,
    /// From placing to ready, of made orders that were not scheduled; null without any.
    #[schema(required)]
    pub(crate) average_wait_seconds: Option<u32>,
    pub(crate) rejected: u32,
    pub(crate) cancelled: u32,
    pub(crate) items_sold: u32,
    /// Of the made orders, most sold first.
    pub(crate) items: Vec<SoldItem>,
    pub(crate) ratings: u32,
    /// Average in tenths of a star; null without ratings.
    #[schema(required)]
    pub(crate) average_rating_tenths: Option<u32>,
}

impl From<ordering::StoreSummary> for StoreSummary {
    fn from(summary: ordering::StoreSummary) -> Self {
        Self {
            day: non_empty(summary.day),
            waiting: summary.waiting,
            scheduled: summary.scheduled,
            made: summary.made,
            kept: summary.kept,
            kept_percent: summary.kept_percent,
            average_wait_seconds: summary.average_wait_seconds,
            rejected: summary.rejected,
            cancelled: summary.cancelled,
            items_sold: summary.items_sold,
            items: convert_all(summary.items),
            ratings: summary.ratings,
            average_rating_tenths: summary.average_rating_tenths,
        }
    }
}

/// An item and how often it was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SoldItem {
    pub(crate) item_id: String,
    pub(crate) name: String,
    pub(crate) quantity: u32,
}

impl From<ordering::SoldItem> for SoldItem {
    fn from(item: ordering::SoldItem) -> Self {
        Self {
            item_id: item.item_id,
            name: item.name,
            quantity: item.quantity,
        }
    }
}
