//! The hold of an order from JoePass, and the capture of a hold, as one statement each, which writes everything or nothing. See
//! `docs/decisions/0055-holds-compute-balances.md`.
//!
//! The statements also write the tables of the ledger and the kit's `outbox`, to save round trips. Their postings are those
//! that [`super::postings::post_movement`] writes.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::outbox::OutboxEntry;
use ledger::Unit;
use sqlx::PgConnection;
use types::{ConsumerId, EntryId, OrderId, StoreId};

use super::accounts::{IN_FLIGHT, JOEPASS, SALES};
use crate::domain::hold::{HeldAmount, HoldState};

/// What the statement writes.
#[derive(Debug)]
pub struct NewHold<'a> {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    pub held: &'a HeldAmount,
    /// Title of the posting.
    pub explanation: &'a str,
    /// `BalanceChanged`, without its version and its balance.
    pub event: &'a OutboxEntry,
    /// Index of the balance in the payload of the event. It is written as a varint of 9 bytes, with zeros at its end: Protobuf
    /// does not require the shortest varint, and the lengths before it were encoded for 9 bytes.
    pub balance_index: i32,
    pub at: Timestamp,
}

/// Writes the hold, and returns the balance after it in cents. Also lets the rule for automatic reloads be checked if the balance is
/// below its threshold. Waits for other changes of the balance.
///
/// Returns `None`, and writes nothing, if the balance is insufficient or is not the consumer's JoePass, or the order has a hold.
pub async fn insert(conn: &mut PgConnection, hold: NewHold<'_>) -> sqlx::Result<Option<i64>> {
    let NewHold { held, event, .. } = hold;
    let reference = format!("order:{}:hold", hold.order_id);
    let cents = sqlx::query_scalar!(
        r#"WITH updated AS (
             UPDATE ledger.balances SET balance = balance - $5, line = line + 1
             WHERE account_id = $1 AND balance >= $5
               AND EXISTS (SELECT FROM ledger.accounts WHERE id = $1 AND kind = $2 AND owner = $3 AND unit = $4)
               AND NOT EXISTS (SELECT FROM holds WHERE order_id = $6)
             RETURNING account_id, line, balance AS cents
           ), new_hold AS (
             INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at, store_id)
             SELECT $6, $7, account_id, $5, $8, $9, $9, $10 FROM updated
           ), posting AS (
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation,
                                          subject, at, from_line, from_balance)
             SELECT $11, $12, account_id, $13, $4, $5, 'order_held', $14, $6, $9, line, cents FROM updated
           ), new_event AS (
             INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT $15, $16, $17, line, overlay($18::bytea PLACING (
                 SELECT string_agg(set_byte('\x00', 0,
                   (((cents >> (7 * place)) & 127) | CASE WHEN place < 8 THEN 128 ELSE 0 END)::integer), '' ORDER BY place)
                 FROM generate_series(0, 8) AS place
               ) FROM $19::integer + 1), $20, $21
             FROM updated
           ), due AS (
             UPDATE auto_reload_rules SET due_at = now() FROM updated
             WHERE consumer_id = $3 AND is_enabled AND (due_at IS NULL OR due_at > now()) AND threshold > cents
           )
           SELECT cents AS "cents!" FROM updated"#,
        held.balance_id.uuid(),
        JOEPASS,
        hold.consumer_id.uuid(),
        Unit::Usd.code(),
        held.amount.minor_units(),
        hold.order_id.uuid(),
        HoldState::Held.as_str(),
        held.title,
        hold.at.to_sqlx() as _,
        held.store_id.map(StoreId::uuid),
        EntryId::new(hold.at).uuid(),
        reference,
        IN_FLIGHT.uuid(),
        hold.explanation,
        event.event_id.uuid(),
        event.event_type,
        event.aggregate_id,
        event.payload,
        hold.balance_index,
        event.trace_parent,
        event.occurred_at.to_sqlx() as _,
    )
    .fetch_optional(conn)
    .await;
    match cents {
        // Another call wrote a hold or a tombstone of the order at the same time. Either conflict is found first.
        Err(sqlx::Error::Database(error))
            if matches!(error.constraint(), Some("holds_pkey" | "postings_reference")) =>
        {
            Ok(None)
        }
        cents => cents,
    }
}

/// Captures the hold of an order. Returns false, and writes nothing, if no amount is held for the order.
pub async fn capture(conn: &mut PgConnection, order_id: OrderId, at: Timestamp) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"WITH captured AS (
             UPDATE holds SET state = $3, changed_at = $4 WHERE order_id = $1 AND state = $2 RETURNING amount, title
           ), posting AS (
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation,
                                          subject, at)
             SELECT $5, $6, $7, $8, $9, amount, 'order_captured', title, $1, $4 FROM captured WHERE amount > 0
           )
           SELECT EXISTS (SELECT FROM captured) AS "captured!""#,
        order_id.uuid(),
        HoldState::Held.as_str(),
        HoldState::Captured.as_str(),
        at.to_sqlx() as _,
        EntryId::new(at).uuid(),
        format!("order:{order_id}:capture"),
        IN_FLIGHT.uuid(),
        SALES.uuid(),
        Unit::Usd.code(),
    )
    .fetch_one(conn)
    .await
}
