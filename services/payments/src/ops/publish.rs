//! Writes events to the outbox, in the transaction of the change.

use jiff::Timestamp;
use kit::outbox;
use sqlx::PgConnection;

use crate::convert;
use crate::db::charge_events;
use crate::domain::charge::{Charge, ChargeEvent};
use crate::domain::payment_method::MethodVersion;

/// Writes an event about a charge to the outbox, and to the log for the audit. Does nothing for a tombstone, which has no
/// terms. Each event needs a version of the charge of its own.
pub async fn charge_event(
    conn: &mut PgConnection,
    charge: &Charge,
    event: ChargeEvent,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let (kind, amount) = (event.kind(), event.amount_minor_units(charge));
    let Some(entry) = convert::charge_outbox_entry(charge, event, at) else {
        return Ok(());
    };
    charge_events::insert(conn, charge, kind, amount, at).await?;
    outbox::append(conn, entry).await
}

/// Writes the event that a payment method was added or changed.
pub async fn method_changed(
    conn: &mut PgConnection,
    method: MethodVersion,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    outbox::append(conn, convert::method_outbox_entry(method, false, at)).await
}

/// Writes the event that a payment method was removed.
pub async fn method_removed(
    conn: &mut PgConnection,
    method: MethodVersion,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    outbox::append(conn, convert::method_outbox_entry(method, true, at)).await
}
