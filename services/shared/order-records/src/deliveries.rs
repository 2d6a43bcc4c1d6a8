//! Which services have consumed the events of an order.
//!
//! Consumers record only the ids of events. An id contains the millisecond of its event, so a recorded id with the millisecond
//! of a known event is taken as its delivery. Several events of one millisecond are ambiguous.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::{FromRow, PgConnection};
use types::OrderId;
use uuid::Uuid;

use crate::{
    records::{PublishedEvent, Record, Records},
    service::Service,
};

/// Bits of a UUIDv7 below its milliseconds.
const RANDOM_BITS: u32 = 80;

#[derive(FromRow)]
struct Change {
    at: SqlTimestamp,
    status: String,
    is_delay: bool,
}

/// Returns the events of ordering about an order, from the history of its status.
pub(crate) async fn order_events(
    conn: &mut PgConnection,
    order: OrderId,
) -> sqlx::Result<Vec<PublishedEvent>> {
    let changes: Vec<Change> = sqlx::query_as(
        "SELECT at, status, ready_at IS NOT NULL AS is_delay FROM order_history WHERE order_id = $1
         UNION ALL SELECT arrived_at, 'arrived', false FROM orders WHERE id = $1 AND arrived_at IS NOT NULL",
    )
    .bind(order.uuid())
    .fetch_all(conn)
    .await?;
    Ok(changes
        .iter()
        .filter_map(|change| {
            Some(PublishedEvent {
                event_type: event_type(&change.status, change.is_delay)?.to_owned(),
                at: change.at.to_jiff(),
                is_time_exact: true,
            })
        })
        .collect())
}

/// Returns the type of the event that ordering publishes with a change.
fn event_type(status: &str, is_delay: bool) -> Option<&'static str> {
    if is_delay {
        return Some("ordering.OrderDelayed");
    }
    Some(match status {
        "scheduled" | "placed" => "ordering.OrderPlaced",
        "accepted" => "ordering.OrderAccepted",
        "preparing" => "ordering.OrderPreparing",
        "ready" => "ordering.OrderReady",
        "completed" => "ordering.OrderCompleted",
        "cancelled" => "ordering.OrderCancelled",
        "rejected" => "ordering.OrderRejected",
        "payment_failed" => "ordering.OrderAbandoned",
        "arrived" => "ordering.OrderArrived",
        _ => return None,
    })
}

/// Returns the events of payments about refunds of an order. A refund that the provider confirms later has a later time.
pub(crate) async fn refund_events(
    conn: &mut PgConnection,
    order: OrderId,
) -> sqlx::Result<Vec<PublishedEvent>> {
    let times: Vec<SqlTimestamp> = sqlx::query_scalar(
        "SELECT refunds.updated_at FROM refunds JOIN charges ON charges.id = charge_id
         WHERE purpose = 'order' AND subject_id = $1",
    )
    .bind(order.uuid())
    .fetch_all(conn)
    .await?;
    Ok(times
        .into_iter()
        .map(|at| PublishedEvent {
            event_type: "payments.RefundDone".to_owned(),
            at: at.to_jiff(),
            is_time_exact: false,
        })
        .collect())
}

#[derive(FromRow)]
struct Delivery {
    number: i64,
    candidates: i64,
    consumed_at: SqlTimestamp,
}

/// Returns records of the events that a service has consumed, and names those that it has not.
pub async fn read_deliveries(
    service: Service,
    conn: &mut PgConnection,
    published_events: &[PublishedEvent],
) -> sqlx::Result<Records> {
    let events = consumed_types(service, published_events);
    let (first, next): (Vec<Uuid>, Vec<Uuid>) = events.iter().map(|event| id_range(event.at)).unzip();
    let rows: Vec<Delivery> = sqlx::query_as(
        "SELECT number, count(*) AS candidates, min(consumed_at) AS consumed_at
         FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS event (first, next, number)
         JOIN consumed_events ON event_id >= first AND event_id < next GROUP BY number",
    )
    .bind(first)
    .bind(next)
    .fetch_all(conn)
    .await?;
    let deliveries: BTreeMap<i64, Delivery> = rows.into_iter().map(|row| (row.number, row)).collect();
    let mut records = Records::default();
    for (number, event) in (1..).zip(events) {
        match deliveries.get(&number) {
            Some(delivery) => records.records.push(consumed(service, event, delivery)),
            None if event.is_time_exact => records.not_consumed.push(format!(
                "{service} has no record of {} of {}",
                event.event_type, event.at
            )),
            None => {}
        }
    }
    Ok(records)
}

/// Returns the events of the types that a service consumes.
fn consumed_types(service: Service, events: &[PublishedEvent]) -> Vec<&PublishedEvent> {
    let bindings = proto::topology::CONSUMERS
        .iter()
        .find(|(name, _)| *name == service.name());
    let consumed = bindings.map_or(&[][..], |(_, event_types)| event_types);
    let is_consumed = |event: &&PublishedEvent| consumed.contains(&event.event_type.as_str());
    events.iter().filter(is_consumed).collect()
}

fn consumed(service: Service, event: &PublishedEvent, delivery: &Delivery) -> Record {
    let ambiguity = match delivery.candidates {
        1 => String::new(),
        candidates => format!(" (or another of {candidates} events of the same millisecond)"),
    };
    Record {
        at: delivery.consumed_at.to_jiff(),
        service: service.name().to_owned(),
        text: format!("event {} consumed{ambiguity}", event.event_type),
        trace_id: None,
    }
}

/// Returns the smallest id of the millisecond of an instant, and that of the next one.
fn id_range(at: Timestamp) -> (Uuid, Uuid) {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or_default();
    let smallest = |millis: u128| Uuid::from_u128(millis << RANDOM_BITS);
    (smallest(millis), smallest(millis + 1))
}

#[cfg(test)]
mod tests {
    use types::EventId;

    use super::*;

    #[test]
    fn the_id_of_an_event_is_in_the_range_of_its_millisecond() {
        let at: Timestamp = "2026-11-22T08:00:00.123456Z".parse().unwrap();
        let (first, next) = id_range(at);
        let id = EventId::new(at).uuid();
        assert!(first <= id && id < next);
        let later = EventId::new("2026-11-22T08:00:00.124Z".parse().unwrap()).uuid();
        assert!(later >= next);
    }

    #[test]
    fn every_event_type_of_a_change_is_an_event() {
        for status in [
            "placed",
            "accepted",
            "preparing",
            "ready",
            "completed",
            "cancelled",
            "rejected",
            "payment_failed",
            "arrived",
        ] {
            let event_type = event_type(status, false).unwrap();
            assert!(proto::events::EVENT_TYPES.contains(&event_type), "{event_type}");
        }
        assert_eq!(event_type("payment_pending", false), None);
    }

    #[test]
    fn each_service_consumes_its_own_events_only() {
        let event = |event_type: &str| PublishedEvent {
            event_type: event_type.to_owned(),
            at: Timestamp::UNIX_EPOCH,
            is_time_exact: true,
        };
        let events = [event("ordering.OrderArrived"), event("payments.RefundDone")];
        assert_eq!(consumed_types(Service::Stores, &events), [&events[0]]);
        assert_eq!(consumed_types(Service::Rewards, &events), [&events[1]]);
        assert!(consumed_types(Service::Payments, &events).is_empty());
    }
}
