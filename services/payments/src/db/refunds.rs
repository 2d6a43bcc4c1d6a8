//! Refunds of charges.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ChargeId, Money, RefundId};

use super::{require_one_row, unknown_value};
use crate::domain::refund::{Refund, RefundState};

struct Row {
    id: RefundId,
    charge_id: ChargeId,
    request_id: Option<String>,
    amount_minor_units: i64,
    currency: String,
    provider_id: Option<String>,
    state: String,
}

impl Row {
    fn into_refund(self) -> Result<Refund, sqlx::Error> {
        let currency = self
            .currency
            .parse()
            .map_err(|_| unknown_value("currency", &self.currency))?;
        Ok(Refund {
            id: self.id,
            charge_id: self.charge_id,
            request_id: self.request_id,
            amount: Money::new(self.amount_minor_units, currency),
            provider_id: self.provider_id,
            state: RefundState::from_name(&self.state).ok_or_else(|| unknown_value("state", &self.state))?,
        })
    }
}

/// Lists the refunds of a charge, oldest first. The caller has locked the charge if it changes them.
pub async fn list_of_charge(
    conn: &mut PgConnection,
    charge_id: ChargeId,
) -> Result<Vec<Refund>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT refunds.id, refunds.charge_id, refunds.request_id, refunds.amount_minor_units,
                  charges.currency AS "currency!", refunds.provider_id, refunds.state
           FROM refunds JOIN charges ON charges.id = refunds.charge_id
           WHERE refunds.charge_id = $1 ORDER BY refunds.id"#,
        charge_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::into_refund).collect()
}

pub async fn find(conn: &mut PgConnection, id: RefundId) -> Result<Option<Refund>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT refunds.id, refunds.charge_id, refunds.request_id, refunds.amount_minor_units,
                  charges.currency AS "currency!", refunds.provider_id, refunds.state
           FROM refunds JOIN charges ON charges.id = refunds.charge_id WHERE refunds.id = $1"#,
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_refund).transpose()
}

/// Returns the part of a charge that is neither refunded nor planned to be refunded. One statement, so that both come from the same
/// snapshot. `None` for a tombstone.
pub async fn releasable(conn: &mut PgConnection, charge_id: ChargeId) -> Result<Option<Money>, sqlx::Error> {
    let row = sqlx::query!(
        r#"SELECT charges.currency AS "currency!",
                  (charges.amount_minor_units - charges.refunded_minor_units
                   - coalesce((SELECT sum(amount_minor_units) FROM refunds
                               WHERE charge_id = charges.id AND state = 'planned'), 0))::bigint AS "amount!"
           FROM charges WHERE id = $1 AND amount_minor_units IS NOT NULL"#,
        charge_id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(|row| {
        let currency = row
            .currency
            .parse()
            .map_err(|_| unknown_value("currency", &row.currency))?;
        Ok(Money::new(row.amount, currency))
    })
    .transpose()
}

pub async fn insert(conn: &mut PgConnection, refund: &Refund, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO refunds (id, charge_id, request_id, amount_minor_units, provider_id, state, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        refund.id.uuid(),
        refund.charge_id.uuid(),
        refund.request_id,
        refund.amount.minor_units(),
        refund.provider_id,
        refund.state.as_str(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Writes the state and the provider's id of a refund.
pub async fn update(
    conn: &mut PgConnection,
    refund: &Refund,
    at: Timestamp,
) -> Result<(), kit::InternalError> {
    let updated = sqlx::query!(
        "UPDATE refunds SET state = $2, provider_id = coalesce(provider_id, $3), updated_at = $4 WHERE id = $1",
        refund.id.uuid(),
        refund.state.as_str(),
        refund.provider_id,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    require_one_row(&updated, refund.id)
}
