//! Facts on their way out, written in the transaction that makes them true.

use jiff::Timestamp;
use kit::outbox::{self, OutboxEntry};
use proto::events::Event;
use sqlx::PgConnection;
use types::{ConsumerId, PaymentMethodId};

use crate::convert;
use crate::domain::charge::{Charge, Fact};

/// Writes an event about a charge to the outbox. A tombstone has no terms, so it has no events.
pub async fn charge(
    conn: &mut PgConnection,
    charge: &Charge,
    fact: Fact,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let Some(event) = convert::charge_event(charge, fact, at) else {
        return Ok(());
    };
    let entry = OutboxEntry::new(event.event_type(), &event, charge.id.to_string(), charge.version, at);
    outbox::append(conn, entry).await
}

/// Writes the event that a method was added, changed or removed to the outbox.
pub async fn method_changed(
    conn: &mut PgConnection,
    consumer: ConsumerId,
    (id, version): (PaymentMethodId, i64),
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let event = convert::payment_method_event(consumer, id);
    let entry = OutboxEntry::new(event.event_type(), &event, id.to_string(), version, at);
    outbox::append(conn, entry).await
}
