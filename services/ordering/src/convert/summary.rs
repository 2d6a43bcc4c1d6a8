//! Encodes summaries of stores.

use proto::ordering::v1 as pb;

use crate::domain::summary::{StoreSummary, SummaryItem};

pub(crate) fn store_summary(summary: StoreSummary) -> pb::StoreSummary {
    pb::StoreSummary {
        day: summary.day.map(|day| day.to_string()).unwrap_or_default(),
        waiting: summary.waiting,
        scheduled: summary.scheduled,
        made: summary.made,
        kept: summary.kept,
        kept_percent: summary.kept_percent(),
        average_wait_seconds: summary.average_wait_seconds,
        rejected: summary.rejected,
        cancelled: summary.cancelled,
        items_sold: summary.items_sold,
        items: summary.items.into_iter().map(sold_item).collect(),
        ratings: summary.ratings,
        average_rating_tenths: summary.average_rating_tenths,
    }
}

fn sold_item(item: SummaryItem) -> pb::SoldItem {
    pb::SoldItem {
        item_id: item.item_id,
        name: item.name,
        quantity: item.quantity,
    }
}
