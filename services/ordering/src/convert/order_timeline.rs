//! Encodes the records of orders.

use order_records::{Timeline, record_to_proto};
use proto::ordering::v1 as pb;

pub(crate) fn order_timeline(timeline: Timeline) -> pb::OrderTimeline {
    let records = timeline.sorted().into_iter().map(record_to_proto).collect();
    let not_consumed = timeline.not_consumed().to_vec();
    let not_read = timeline.not_read().to_vec();
    let (order_id, state, reason) = timeline
        .into_summary()
        .map(|summary| (summary.order, summary.state, summary.reason))
        .unwrap_or_default();
    pb::OrderTimeline {
        order_id,
        state,
        reason,
        records,
        not_consumed,
        not_read,
    }
}
