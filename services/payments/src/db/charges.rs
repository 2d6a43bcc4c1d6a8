//! Charges, one per order.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::{ChargeId, ConsumerId, Money, OrderId, PaymentMethodId};

use super::unknown_value;
use crate::domain::charge::{Charge, ChargeState, ChargeTerms, TargetState};
use crate::domain::decline::{Decline, DeclineReason};
use crate::domain::payment_method::MethodKind;

struct Row {
    id: ChargeId,
    order_id: OrderId,
    consumer_id: Option<ConsumerId>,
    payment_method_id: Option<PaymentMethodId>,
    method_kind: Option<String>,
    provider_customer_id: Option<String>,
    provider_method_id: Option<String>,
    amount_minor_units: Option<i64>,
    currency: Option<String>,
    provider_id: Option<String>,
    state: String,
    decline_reason: Option<String>,
    decline_message: Option<String>,
    target_state: String,
    hold_ends_at: Option<SqlTimestamp>,
    version: i64,
}

impl Row {
    fn into_charge(self) -> Result<Charge, sqlx::Error> {
        let state = self.state()?;
        let target_state = TargetState::from_name(&self.target_state)
            .ok_or_else(|| unknown_value("target_state", &self.target_state))?;
        let terms = self.terms()?;
        Ok(Charge {
            id: self.id,
            order_id: self.order_id,
            terms,
            provider_id: self.provider_id,
            state,
            target_state,
            hold_ends_at: self.hold_ends_at.map(SqlTimestamp::to_jiff),
            version: self.version,
        })
    }

    fn state(&self) -> Result<ChargeState, sqlx::Error> {
        Ok(match self.state.as_str() {
            "pending" => ChargeState::Pending,
            "requires_action" => ChargeState::RequiresAction,
            "authorized" => ChargeState::Authorized,
            "processing" => ChargeState::Processing,
            "succeeded" => ChargeState::Succeeded,
            "voided" => ChargeState::Voided,
            "returned" => ChargeState::Returned,
            "disputed" => ChargeState::Disputed,
            "refunded" => ChargeState::Refunded,
            "declined" => {
                let name = self.decline_reason.as_deref().unwrap_or_default();
                let reason =
                    DeclineReason::from_name(name).ok_or_else(|| unknown_value("decline_reason", name))?;
                ChargeState::Declined(Decline {
                    reason,
                    message: self.decline_message.clone().unwrap_or_default(),
                })
            }
            other => return Err(unknown_value("state", other)),
        })
    }

    fn terms(&self) -> Result<Option<ChargeTerms>, sqlx::Error> {
        let (
            Some(payment_method_id),
            Some(kind),
            Some(provider_customer_id),
            Some(provider_method_id),
            Some(amount),
            Some(currency),
        ) = (
            self.payment_method_id,
            self.method_kind.as_deref(),
            self.provider_customer_id.as_ref(),
            self.provider_method_id.as_ref(),
            self.amount_minor_units,
            self.currency.as_deref(),
        )
        else {
            return Ok(None);
        };
        Ok(Some(ChargeTerms {
            consumer_id: self.consumer_id,
            payment_method_id,
            method_kind: MethodKind::from_name(kind).ok_or_else(|| unknown_value("method_kind", kind))?,
            provider_customer_id: provider_customer_id.clone(),
            provider_method_id: provider_method_id.clone(),
            amount: Money::new(
                amount,
                currency
                    .parse()
                    .map_err(|_| unknown_value("currency", currency))?,
            ),
        }))
    }
}

/// Inserts a charge unless the order has one. Returns whether it was inserted.
pub async fn insert(conn: &mut PgConnection, charge: &Charge, at: Timestamp) -> Result<bool, sqlx::Error> {
    let terms = charge.terms.as_ref();
    let inserted = sqlx::query!(
        "INSERT INTO charges (id, order_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                              provider_method_id, amount_minor_units, currency, state, target_state,
                              created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
         ON CONFLICT ON CONSTRAINT charges_one_per_order DO NOTHING",
        charge.id.uuid(),
        charge.order_id.uuid(),
        terms.and_then(|terms| terms.consumer_id).map(ConsumerId::uuid),
        terms.map(|terms| terms.payment_method_id.uuid()),
        terms.map(|terms| terms.method_kind.as_str()),
        terms.map(|terms| terms.provider_customer_id.as_str()),
        terms.map(|terms| terms.provider_method_id.as_str()),
        terms.map(|terms| terms.amount.minor_units()),
        terms.map(|terms| terms.amount.currency().code()),
        charge.state.as_str(),
        charge.target_state.as_str(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn find_by_order(
    conn: &mut PgConnection,
    order_id: OrderId,
) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, order_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", version
         FROM charges WHERE order_id = $1"#,
        order_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_charge).transpose()
}

pub async fn find(conn: &mut PgConnection, id: ChargeId) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, order_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", version
         FROM charges WHERE id = $1"#,
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_charge).transpose()
}

/// Reads a charge and locks it until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: ChargeId) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, order_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", version
         FROM charges WHERE id = $1 FOR UPDATE"#,
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_charge).transpose()
}

/// Writes a changed charge if its version is still the one that was read. Returns whether it was written.
pub async fn update(conn: &mut PgConnection, charge: &Charge, at: Timestamp) -> Result<bool, sqlx::Error> {
    let decline = match &charge.state {
        ChargeState::Declined(decline) => Some(decline),
        _ => None,
    };
    let updated = sqlx::query!(
        "UPDATE charges
         SET provider_id = coalesce(provider_id, $3), state = $4, decline_reason = $5, decline_message = $6,
             target_state = $7, hold_ends_at = $8, version = version + 1, updated_at = $9
         WHERE id = $1 AND version = $2",
        charge.id.uuid(),
        charge.version,
        charge.provider_id,
        charge.state.as_str(),
        decline.map(|decline| decline.reason.as_str()),
        decline.map(|decline| decline.message.as_str()),
        charge.target_state.as_str(),
        charge.hold_ends_at.map(ToSqlx::to_sqlx) as _,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Leases the authorization of a pending charge to the caller. Returns the number of earlier attempts, or `None` if
/// another task has the lease or the charge is no longer pending.
pub async fn lease_attempt(
    conn: &mut PgConnection,
    id: ChargeId,
    now: Timestamp,
    lease: Duration,
) -> Result<Option<i32>, sqlx::Error> {
    let until = now + lease;
    sqlx::query_scalar!(
        r#"UPDATE charges SET attempt_lease_until = $3, attempts = attempts + 1
           WHERE id = $1 AND state = 'pending' AND target_state <> 'released'
             AND (attempt_lease_until IS NULL OR attempt_lease_until <= $2)
           RETURNING attempts - 1 AS "earlier_attempts!""#,
        id.uuid(),
        now.to_sqlx(),
        until.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Ends the lease early, so that the next attempt does not wait for it to expire.
pub async fn end_attempt_lease(conn: &mut PgConnection, id: ChargeId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE charges SET attempt_lease_until = NULL WHERE id = $1",
        id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Claims up to `limit` charges to reconcile with the provider that did not change for `min_age`: those without an outcome,
/// those that have not reached their target state, and those held for more than a day, because the bank may have released
/// the hold. Older charges are claimed less often: the interval grows from `min_age` to 6 hours.
pub async fn claim_for_reconciliation(
    conn: &mut PgConnection,
    now: Timestamp,
    min_age: Duration,
    limit: i64,
) -> Result<Vec<(ChargeId, OrderId)>, sqlx::Error> {
    let unchanged_since = now - min_age;
    let rows = sqlx::query!(
        "UPDATE charges SET reconciled_at = $1::timestamptz
         WHERE id IN (
             SELECT id FROM charges
             WHERE (state IN ('pending', 'requires_action', 'processing', 'authorized')
                    OR (state = 'succeeded' AND target_state = 'released'))
               AND updated_at <= $2::timestamptz
               AND (state <> 'authorized' OR target_state <> 'authorized'
                    OR created_at <= $1::timestamptz - interval '1 day')
               AND coalesce(reconciled_at, updated_at)
                   <= $1::timestamptz - greatest($1::timestamptz - $2::timestamptz,
                                             least(($1::timestamptz - created_at) / 8, interval '6 hours'))
             ORDER BY updated_at LIMIT $3 FOR UPDATE SKIP LOCKED)
         RETURNING id, order_id",
        now.to_sqlx(),
        unchanged_since.to_sqlx(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.order_id)).collect())
}

/// Removes the reference to a removed consumer. The amounts stay.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE charges SET consumer_id = NULL WHERE consumer_id = $1",
        consumer_id.uuid()
    )
    .execute(conn)
    .await?;
    Ok(())
}
