//! Charges, one an order.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ChargeId, ConsumerId, Money, OrderId, PaymentMethodId};

use super::unreadable;
use crate::domain::charge::{Charge, State, Terms, Wanted};
use crate::domain::decline::{Decline, Reason};
use crate::domain::method::MethodKind;

struct Row {
    id: ChargeId,
    order_id: OrderId,
    consumer_id: Option<ConsumerId>,
    payment_method_id: Option<PaymentMethodId>,
    method_kind: Option<String>,
    provider_customer: Option<String>,
    provider_method: Option<String>,
    amount_minor_units: Option<i64>,
    currency: Option<String>,
    provider_id: Option<String>,
    state: String,
    decline_reason: Option<String>,
    decline_message: Option<String>,
    wanted: String,
    version: i64,
}

impl Row {
    fn read(self) -> Result<Charge, sqlx::Error> {
        let state = self.state()?;
        let wanted = Wanted::from_name(&self.wanted).ok_or_else(|| unreadable("wanted", &self.wanted))?;
        let terms = self.terms()?;
        Ok(Charge {
            id: self.id,
            order: self.order_id,
            terms,
            provider_id: self.provider_id,
            state,
            wanted,
            version: self.version,
        })
    }

    fn state(&self) -> Result<State, sqlx::Error> {
        Ok(match self.state.as_str() {
            "pending" => State::Pending,
            "requires_action" => State::RequiresAction,
            "authorized" => State::Authorized,
            "processing" => State::Processing,
            "succeeded" => State::Succeeded,
            "voided" => State::Voided,
            "returned" => State::Returned,
            "disputed" => State::Disputed,
            "refunded" => State::Refunded,
            "declined" => {
                let name = self.decline_reason.as_deref().unwrap_or_default();
                let reason = Reason::from_name(name).ok_or_else(|| unreadable("decline_reason", name))?;
                State::Declined(Decline {
                    reason,
                    message: self.decline_message.clone().unwrap_or_default(),
                })
            }
            other => return Err(unreadable("state", other)),
        })
    }

    fn terms(&self) -> Result<Option<Terms>, sqlx::Error> {
        let (Some(method), Some(kind), Some(customer), Some(provider_method), Some(amount), Some(currency)) = (
            self.payment_method_id,
            self.method_kind.as_deref(),
            self.provider_customer.as_ref(),
            self.provider_method.as_ref(),
            self.amount_minor_units,
            self.currency.as_deref(),
        ) else {
            return Ok(None);
        };
        Ok(Some(Terms {
            consumer: self.consumer_id,
            method,
            kind: MethodKind::from_name(kind).ok_or_else(|| unreadable("method_kind", kind))?,
            provider_customer: customer.clone(),
            provider_method: provider_method.clone(),
            amount: Money::new(
                amount,
                currency.parse().map_err(|_| unreadable("currency", currency))?,
            ),
        }))
    }
}

/// Writes a new charge, unless the order has one. Returns whether it was written.
///
/// # Errors
/// The database's.
pub async fn insert(conn: &mut PgConnection, charge: &Charge, at: Timestamp) -> Result<bool, sqlx::Error> {
    let terms = charge.terms.as_ref();
    let written = sqlx::query!(
        "INSERT INTO charges (id, order_id, consumer_id, payment_method_id, method_kind, provider_customer,
                              provider_method, amount_minor_units, currency, state, wanted, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
         ON CONFLICT ON CONSTRAINT charges_one_per_order DO NOTHING",
        charge.id.uuid(),
        charge.order.uuid(),
        terms.and_then(|terms| terms.consumer).map(ConsumerId::uuid),
        terms.map(|terms| terms.method.uuid()),
        terms.map(|terms| terms.kind.as_str()),
        terms.map(|terms| terms.provider_customer.as_str()),
        terms.map(|terms| terms.provider_method.as_str()),
        terms.map(|terms| terms.amount.minor_units()),
        terms.map(|terms| terms.amount.currency().code()),
        charge.state.as_str(),
        charge.wanted.as_str(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// The charge of an order.
///
/// # Errors
/// The database's.
pub async fn of_order(conn: &mut PgConnection, order: OrderId) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, order_id, consumer_id, payment_method_id, method_kind, provider_customer, provider_method,
                amount_minor_units, currency, provider_id, state, decline_reason, decline_message, wanted, version
         FROM charges WHERE order_id = $1",
        order.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::read).transpose()
}

/// A charge by its id.
///
/// # Errors
/// The database's.
pub async fn find(conn: &mut PgConnection, id: ChargeId) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        "SELECT id, order_id, consumer_id, payment_method_id, method_kind, provider_customer, provider_method,
                amount_minor_units, currency, provider_id, state, decline_reason, decline_message, wanted, version
         FROM charges WHERE id = $1",
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::read).transpose()
}

/// Locks a charge until the transaction ends, so that what is read is what will be changed. False: there is none.
///
/// # Errors
/// The database's.
pub async fn lock(conn: &mut PgConnection, id: ChargeId) -> Result<bool, sqlx::Error> {
    let found = sqlx::query!("SELECT id FROM charges WHERE id = $1 FOR UPDATE", id.uuid())
        .fetch_optional(conn)
        .await?;
    Ok(found.is_some())
}

/// Writes what changed in a charge, from the version that was read. Returns whether that was still the latest.
///
/// # Errors
/// The database's.
pub async fn update(conn: &mut PgConnection, charge: &Charge, at: Timestamp) -> Result<bool, sqlx::Error> {
    let decline = match &charge.state {
        State::Declined(decline) => Some(decline),
        _ => None,
    };
    let written = sqlx::query!(
        "UPDATE charges
         SET provider_id = coalesce(provider_id, $3), state = $4, decline_reason = $5, decline_message = $6,
             wanted = $7, version = version + 1, updated_at = $8
         WHERE id = $1 AND version = $2",
        charge.id.uuid(),
        charge.version,
        charge.provider_id,
        charge.state.as_str(),
        decline.map(|decline| decline.reason.as_str()),
        decline.map(|decline| decline.message.as_str()),
        charge.wanted.as_str(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(written.rows_affected() == 1)
}

/// Claims the right to ask the provider for a pending charge, until `lease` is over. Returns how often it was asked
/// before; none: somebody else asks, or there is nothing to ask any more.
///
/// # Errors
/// The database's.
pub async fn claim_attempt(
    conn: &mut PgConnection,
    id: ChargeId,
    now: Timestamp,
    lease: Duration,
) -> Result<Option<i32>, sqlx::Error> {
    let until = now + lease;
    sqlx::query_scalar!(
        r#"UPDATE charges SET attempt_until = $3, attempts = attempts + 1
           WHERE id = $1 AND state = 'pending' AND wanted <> 'release'
             AND (attempt_until IS NULL OR attempt_until <= $2)
           RETURNING attempts - 1 AS "before!""#,
        id.uuid(),
        now.to_sqlx(),
        until.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Gives the claim back, so that the next attempt need not wait for it to end.
///
/// # Errors
/// The database's.
pub async fn end_attempt(conn: &mut PgConnection, id: ChargeId) -> Result<(), sqlx::Error> {
    sqlx::query!("UPDATE charges SET attempt_until = NULL WHERE id = $1", id.uuid())
        .execute(conn)
        .await?;
    Ok(())
}

/// Claims charges whose outcome has been open for long, to look at them: the older the charge, the longer the pause,
/// from `pause` up to 6 hours. What is held for more than a day may run out at the bank: it is looked at likewise.
///
/// # Errors
/// The database's.
pub async fn claim_looks(
    conn: &mut PgConnection,
    now: Timestamp,
    pause: Duration,
    most: i64,
) -> Result<Vec<OrderId>, sqlx::Error> {
    let quiet_since = now - pause;
    let rows = sqlx::query!(
        "UPDATE charges SET looked_at = $1::timestamptz
         WHERE id IN (
             SELECT id FROM charges
             WHERE state IN ('pending', 'requires_action', 'processing', 'authorized')
               AND updated_at <= $2::timestamptz
               AND (state <> 'authorized' OR created_at <= $1::timestamptz - interval '1 day')
               AND coalesce(looked_at, updated_at)
                   <= $1::timestamptz - greatest($1::timestamptz - $2::timestamptz,
                                             least(($1::timestamptz - created_at) / 8, interval '6 hours'))
             ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING order_id",
        now.to_sqlx(),
        quiet_since.to_sqlx(),
        most,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| row.order_id).collect())
}

/// Takes the person out of a removed consumer's charges; the money stays.
///
/// # Errors
/// The database's.
pub async fn anonymise(conn: &mut PgConnection, consumer: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE charges SET consumer_id = NULL WHERE consumer_id = $1",
        consumer.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
