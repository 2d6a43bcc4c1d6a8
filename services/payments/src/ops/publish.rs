//! Writes events to the outbox, in the transaction of the change.

use jiff::Timestamp;
use kit::outbox::{self, OutboxEntry};
use proto::events::Event;
use sqlx::PgConnection;

use crate::convert;
use crate::domain::charge::{Charge, ChargeEvent};
use crate::domain::payment_method::MethodVersion;

/// Writes an event about a charge. Does nothing for a tombstone, which has no terms.
pub async fn charge_event(
    conn: &mut PgConnection,
    charge: &Charge,
    event: ChargeEvent,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let Some(event) = convert::charge_event(charge, event, at) else {
        return Ok(());
    };
    let entry = OutboxEntry::new(
        event.event_type(),
        &event,
        charge.id.to_string(),
        charge.version,
        at,
    );
    outbox::append(conn, entry).await
}

/// Writes the event that a payment method was added, changed or removed.
pub async fn method_changed(
    conn: &mut PgConnection,
    method: MethodVersion,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let event = convert::method_changed(method);
    let entry = OutboxEntry::new(
        event.event_type(),
        &event,
        method.id.to_string(),
        method.version,
        at,
    );
    outbox::append(conn, entry).await
}
