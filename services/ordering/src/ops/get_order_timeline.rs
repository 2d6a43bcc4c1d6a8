//! Collects what all services recorded about an order, for operators.

use futures::future::join_all;
use kit::InternalError;
use order_records::{Records, RecordsClient, Service, Timeline, read_deliveries, read_records, read_summary};
use types::OrderId;

use super::order_error::OrderError;
use crate::Ordering;

/// Returns the records of an order by time. Services that do not respond are named.
///
/// # Errors
/// [`OrderError::NotFound`] if there is no such order.
pub async fn get_order_timeline(cx: &Ordering, order_id: OrderId) -> Result<Timeline, OrderError> {
    let mut timeline = Timeline::default();
    let mut conn = cx.pool.acquire().await?;
    let summary = read_summary(&mut conn, order_id).await?;
    timeline.set_summary(summary.ok_or(OrderError::NotFound)?);
    timeline.add(read_records(Service::Ordering, &mut conn, order_id).await?);
    // Not held during the calls.
    drop(conn);
    let [payments, others @ ..] = &cx.clients.order_records;
    let records = payments
        .list_order_records(order_id, timeline.published_events())
        .await;
    add(&mut timeline, payments, records);
    let events = timeline.published_events().to_vec();
    let calls = others
        .iter()
        .map(|client| client.list_order_records(order_id, &events));
    for (client, records) in others.iter().zip(join_all(calls).await) {
        add(&mut timeline, client, records);
    }
    let mut conn = cx.pool.acquire().await?;
    let deliveries = read_deliveries(Service::Ordering, &mut conn, timeline.published_events()).await?;
    timeline.add(deliveries);
    Ok(timeline)
}

fn add(timeline: &mut Timeline, client: &RecordsClient, records: Result<Records, InternalError>) {
    match records {
        Ok(records) => timeline.add(records),
        Err(error) => {
            let service = client.service();
            tracing::warn!(%service, %error, "records of an order not read");
            timeline.add_gap(format!("{service} did not respond"));
        }
    }
}
