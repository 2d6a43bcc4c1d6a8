//! Writes events to the outbox, in the transaction of the change.

use jiff::Timestamp;
use kit::outbox;
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
    match convert::charge_outbox_entry(charge, event, at) {
        Some(entry) => outbox::append(conn, entry).await,
        None => Ok(()),
    }
}

/// Writes the event that a payment method was added, changed or removed.
pub async fn method_changed(
    conn: &mut PgConnection,
    method: MethodVersion,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    outbox::append(conn, convert::method_outbox_entry(method, at)).await
}
