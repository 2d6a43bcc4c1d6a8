//! The hold of an order from JoePass as one statement, which writes the hold, its posting, the balance and the event, or
//! nothing. See `docs/decisions/0014-one-statement-per-step.md`.
//!
//! The statement also writes the tables of the ledger and the kit's `outbox`, to save round trips. Its posting is the one
//! that [`super::postings::post_movement`] writes.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use kit::outbox::OutboxEntry;
use ledger::{AccountId, BalanceAfter, Unit};
use sqlx::PgConnection;
use types::{ConsumerId, EntryId, OrderId, StoreId};

use super::accounts::{IN_FLIGHT, JOEPASS};
use crate::domain::hold::{HeldAmount, HoldState};

/// A JoePass balance as it was read.
#[derive(Debug, Clone, Copy)]
pub struct ReadBalance {
    pub account: AccountId,
    pub line: i64,
    pub cents: i64,
}

/// Reads the consumer's JoePass balance, or `None` if it was never opened or the consumer was removed.
pub async fn read_joepass(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
) -> sqlx::Result<Option<ReadBalance>> {
    sqlx::query_as!(
        ReadBalance,
        r#"SELECT account.id AS "account: AccountId", balance.line, balance.balance AS cents
           FROM ledger.accounts account JOIN ledger.balances balance ON balance.account_id = account.id
           WHERE account.kind = $1 AND account.owner = $2 AND account.unit = $3"#,
        JOEPASS,
        consumer_id.uuid(),
        Unit::Usd.code(),
    )
    .fetch_optional(conn)
    .await
}

/// What the statement writes.
#[derive(Debug)]
pub struct NewHold<'a> {
    pub order_id: OrderId,
    pub consumer_id: ConsumerId,
    pub held: &'a HeldAmount,
    pub from: ReadBalance,
    /// The balance after the hold.
    pub after: BalanceAfter,
    /// Title of the posting.
    pub explanation: &'a str,
    pub event: &'a OutboxEntry,
    pub at: Timestamp,
}

/// Writes the hold. Also lets the rule for automatic reloads be checked if the balance is below its threshold.
///
/// Returns false, and writes nothing, if the balance changed since it was read or the order has a hold.
pub async fn insert(conn: &mut PgConnection, hold: NewHold<'_>) -> sqlx::Result<bool> {
    let NewHold { held, event, .. } = hold;
    let reference = format!("order:{}:hold", hold.order_id);
    sqlx::query_scalar!(
        r#"WITH locked AS (
             SELECT account_id FROM ledger.balances
             WHERE account_id = $1 AND line = $2 AND balance = $3 FOR NO KEY UPDATE
           ), new_hold AS (
             INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at, store_id)
             SELECT $4, $5, account_id, $6, $7, $8, $8, $9 FROM locked
             ON CONFLICT ON CONSTRAINT holds_pkey DO NOTHING
             RETURNING balance_id, amount
           ), posting AS (
             INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation,
                                          subject, at, from_line, from_balance)
             SELECT $10, $11, balance_id, $12, $13, amount, 'order_held', $14, $4, $8, $15, $16 FROM new_hold
           ), updated AS (
             UPDATE ledger.balances SET balance = $16, line = $15 FROM new_hold WHERE account_id = balance_id
           ), new_event AS (
             INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, trace_parent, occurred_at)
             SELECT $17, $18, $19, $20, $21, $22, $23 FROM new_hold
           ), due AS (
             UPDATE auto_reload_rules SET due_at = $8 FROM new_hold
             WHERE consumer_id = $24 AND is_enabled AND (due_at IS NULL OR due_at > $8) AND threshold > $16
           )
           SELECT EXISTS (SELECT FROM new_hold) AS "held!""#,
        hold.from.account.uuid(),
        hold.from.line,
        hold.from.cents,
        hold.order_id.uuid(),
        HoldState::Held.as_str(),
        held.amount.minor_units(),
        held.title,
        hold.at.to_sqlx() as _,
        held.store_id.map(StoreId::uuid),
        EntryId::new(hold.at).uuid(),
        reference,
        IN_FLIGHT.uuid(),
        Unit::Usd.code(),
        hold.explanation,
        hold.after.line,
        hold.after.balance,
        event.event_id.uuid(),
        event.event_type,
        event.aggregate_id,
        event.aggregate_version,
        event.payload,
        event.trace_parent,
        event.occurred_at.to_sqlx() as _,
        hold.consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}
