//! Charges, one per subject.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use sqlx::types::Json;
use types::{ChargeId, ConsumerId, Money, PaymentMethodId, PurchaseId};
use uuid::Uuid;

use super::unknown_value;
use crate::domain::charge::{Capture, Charge, ChargeDescription, ChargeState, ChargeTerms, TargetState};
use crate::domain::decline::{Decline, DeclineReason};
use crate::domain::payment_method::MethodKind;
use crate::domain::subject::{ChargeSubject, Purpose};

/// A row of `charges`.
pub(super) struct Row {
    pub(super) id: ChargeId,
    pub(super) purpose: String,
    pub(super) subject_id: Uuid,
    pub(super) consumer_id: Option<ConsumerId>,
    pub(super) payment_method_id: Option<PaymentMethodId>,
    pub(super) method_kind: Option<String>,
    pub(super) provider_customer_id: Option<String>,
    pub(super) provider_method_id: Option<String>,
    pub(super) amount_minor_units: Option<i64>,
    pub(super) currency: Option<String>,
    pub(super) capture: Option<String>,
    pub(super) provider_id: Option<String>,
    pub(super) state: String,
    pub(super) decline_reason: Option<String>,
    pub(super) decline_message: Option<String>,
    pub(super) target_state: String,
    pub(super) hold_ends_at: Option<SqlTimestamp>,
    pub(super) refunded_minor_units: i64,
    pub(super) version: i64,
}

impl Row {
    pub(super) fn into_charge(self) -> Result<Charge, sqlx::Error> {
        let state = self.state()?;
        let target_state = TargetState::from_name(&self.target_state)
            .ok_or_else(|| unknown_value("target_state", &self.target_state))?;
        let terms = self.terms()?;
        Ok(Charge {
            id: self.id,
            subject: subject(&self.purpose, self.subject_id)?,
            terms,
            provider_id: self.provider_id,
            state,
            target_state,
            hold_ends_at: self.hold_ends_at.map(SqlTimestamp::to_jiff),
            refunded_minor_units: self.refunded_minor_units,
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
        let (Some(kind), Some(customer_id), Some(method_id), Some(amount), Some(currency), Some(capture)) = (
            self.method_kind.as_deref(),
            self.provider_customer_id.as_ref(),
            self.provider_method_id.as_ref(),
            self.amount_minor_units,
            self.currency.as_deref(),
            self.capture.as_deref(),
        ) else {
            return Ok(None);
        };
        let currency = currency
            .parse()
            .map_err(|_| unknown_value("currency", currency))?;
        Ok(Some(ChargeTerms {
            consumer_id: self.consumer_id,
            payment_method_id: self.payment_method_id,
            method_kind: MethodKind::from_name(kind).ok_or_else(|| unknown_value("method_kind", kind))?,
            provider_customer_id: customer_id.clone(),
            provider_method_id: method_id.clone(),
            amount: Money::new(amount, currency),
            capture: Capture::from_name(capture).ok_or_else(|| unknown_value("capture", capture))?,
        }))
    }
}

/// Returns the subject of stored columns.
pub fn subject(purpose: &str, id: Uuid) -> Result<ChargeSubject, sqlx::Error> {
    let purpose = Purpose::from_name(purpose).ok_or_else(|| unknown_value("purpose", purpose))?;
    Ok(ChargeSubject::new(purpose, id))
}

/// Inserts a charge unless the subject has one or its consumer was removed. Returns whether it was inserted. A removal waits for the
/// caller's transaction, so that it anonymizes the charge.
pub async fn insert(
    conn: &mut PgConnection,
    charge: &Charge,
    description: Option<&ChargeDescription>,
) -> Result<bool, sqlx::Error> {
    let terms = charge.terms.as_ref();
    let inserted = sqlx::query!(
        "INSERT INTO charges (id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                              provider_method_id, amount_minor_units, currency, capture, description, state,
                              target_state, created_at, updated_at, has_events)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, now(), now(), true
         WHERE $4::uuid IS NULL OR EXISTS (
           SELECT FROM provider_customers WHERE consumer_id = $4 AND removed_at IS NULL FOR SHARE)
         ON CONFLICT ON CONSTRAINT charges_one_per_subject DO NOTHING",
        charge.id.uuid(),
        charge.subject.purpose().as_str(),
        charge.subject.uuid(),
        terms.and_then(|terms| terms.consumer_id).map(ConsumerId::uuid),
        terms.and_then(|terms| terms.payment_method_id).map(PaymentMethodId::uuid),
        terms.map(|terms| terms.method_kind.as_str()),
        terms.map(|terms| terms.provider_customer_id.as_str()),
        terms.map(|terms| terms.provider_method_id.as_str()),
        terms.map(|terms| terms.amount.minor_units()),
        terms.map(|terms| terms.amount.currency().code()),
        terms.map(|terms| terms.capture.as_str()),
        description.map(Json) as _,
        charge.state.as_str(),
        charge.target_state.as_str(),
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn find_by_subject(
    conn: &mut PgConnection,
    subject: ChargeSubject,
) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges WHERE purpose = $1 AND subject_id = $2"#,
        subject.purpose().as_str(),
        subject.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_charge).transpose()
}

pub async fn find(conn: &mut PgConnection, id: ChargeId) -> Result<Option<Charge>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
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
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges WHERE id = $1 FOR UPDATE"#,
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_charge).transpose()
}

/// Writes a changed charge if its version is still the one that was read. Returns whether it was written.
pub async fn update(conn: &mut PgConnection, charge: &Charge) -> Result<bool, sqlx::Error> {
    let decline = match &charge.state {
        ChargeState::Declined(decline) => Some(decline),
        _ => None,
    };
    let updated = sqlx::query!(
        "UPDATE charges
         SET provider_id = coalesce(provider_id, $3), state = $4, decline_reason = $5, decline_message = $6,
             target_state = $7, hold_ends_at = $8, refunded_minor_units = $9, version = version + 1, updated_at = now()
         WHERE id = $1 AND version = $2",
        charge.id.uuid(),
        charge.version,
        charge.provider_id,
        charge.state.as_str(),
        decline.map(|decline| decline.reason.as_str()),
        decline.map(|decline| decline.message.as_str()),
        charge.target_state.as_str(),
        charge.hold_ends_at.map(ToSqlx::to_sqlx) as _,
        charge.refunded_minor_units,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Leases the authorization of a pending charge to the caller, by the database's clock. Returns the number of previous attempts, or `None` if
/// another task has the lease or the charge is no longer pending.
pub async fn lease_attempt(
    conn: &mut PgConnection,
    id: ChargeId,
    lease: Duration,
) -> Result<Option<i32>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"UPDATE charges SET attempt_lease_until = now() + make_interval(secs => $2), attempts = attempts + 1
           WHERE id = $1 AND state = 'pending' AND target_state <> 'released'
             AND (attempt_lease_until IS NULL OR attempt_lease_until <= now())
           RETURNING attempts - 1 AS "earlier_attempts!""#,
        id.uuid(),
        lease.as_secs_f64(),
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
/// the hold. Older charges are claimed less often: the interval grows from `min_age` to 6 hours. Uses the database's clock.
pub async fn claim_for_reconciliation(
    conn: &mut PgConnection,
    min_age: Duration,
    limit: i64,
) -> Result<Vec<(ChargeId, ChargeSubject)>, sqlx::Error> {
    let rows = sqlx::query!(
        "UPDATE charges SET reconciled_at = now()
         WHERE id IN (
             SELECT id FROM charges
             WHERE (state IN ('pending', 'requires_action', 'processing', 'authorized')
                    OR (state = 'succeeded' AND target_state = 'released' AND purpose <> 'debt'))
               AND updated_at <= now() - make_interval(secs => $1)
               AND (state <> 'authorized' OR target_state <> 'authorized'
                    OR created_at <= now() - interval '1 day')
               AND coalesce(reconciled_at, updated_at)
                   <= now() - greatest(make_interval(secs => $1), least((now() - created_at) / 8, interval '6 hours'))
             ORDER BY updated_at LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING id, purpose, subject_id",
        min_age.as_secs_f64(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|row| Ok((row.id, subject(&row.purpose, row.subject_id)?)))
        .collect()
}

/// Removes the reference to a removed consumer. The amounts stay. Returns the changed charges.
pub async fn anonymize(conn: &mut PgConnection, consumer_id: ConsumerId) -> sqlx::Result<Vec<ChargeId>> {
    sqlx::query_scalar!(
        "UPDATE charges SET consumer_id = NULL WHERE consumer_id = $1 RETURNING id",
        consumer_id.uuid()
    )
    .fetch_all(conn)
    .await
}

/// Records when the consumer received what the charge pays for.
pub async fn mark_fulfilled(conn: &mut PgConnection, id: ChargeId, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE charges SET fulfilled_at = coalesce(fulfilled_at, $2) WHERE id = $1",
        id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns whether the consumer received what the charge pays for.
pub async fn is_fulfilled(conn: &mut PgConnection, id: ChargeId) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT fulfilled_at IS NOT NULL AS "is_fulfilled!" FROM charges WHERE id = $1"#,
        id.uuid(),
    )
    .fetch_one(conn)
    .await
}

pub async fn description(conn: &mut PgConnection, id: ChargeId) -> Result<ChargeDescription, sqlx::Error> {
    let description = sqlx::query_scalar!(
        r#"SELECT description AS "description: Json<ChargeDescription>" FROM charges WHERE id = $1"#,
        id.uuid(),
    )
    .fetch_one(conn)
    .await?;
    Ok(description
        .map(|Json(description)| description)
        .unwrap_or_default())
}

/// Finds the charge of a purchase of stored value.
pub async fn find_id_by_purchase(
    conn: &mut PgConnection,
    purchase_id: PurchaseId,
) -> Result<Option<ChargeId>, sqlx::Error> {
    sqlx::query_scalar!(
        "SELECT id FROM charges WHERE subject_id = $1 AND purpose IN ('top_up', 'gift_card', 'company_card')",
        purchase_id.uuid(),
    )
    .fetch_optional(conn)
    .await
}
