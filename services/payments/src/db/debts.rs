//! Debts.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use sqlx::types::Json;
use types::{ChargeId, ConsumerId, Currency, DebtId, Money, OrderId};
use uuid::Uuid;

use super::charges::subject;
use super::{require_one_row, unknown_value};
use crate::domain::charge::ChargeDescription;
use crate::domain::debt::{Debt, ListedDebt};

struct Row {
    id: DebtId,
    charge_id: ChargeId,
    consumer_id: Option<ConsumerId>,
    amount_minor_units: i64,
    penalty_fee_minor_units: i64,
    currency: String,
    created_at: SqlTimestamp,
    recovered_at: Option<SqlTimestamp>,
    written_off_at: Option<SqlTimestamp>,
}

impl Row {
    fn into_debt(self) -> Result<Debt, sqlx::Error> {
        let currency: Currency = self
            .currency
            .parse()
            .map_err(|_| unknown_value("currency", &self.currency))?;
        Ok(Debt {
            id: self.id,
            charge_id: self.charge_id,
            consumer_id: self.consumer_id,
            amount: Money::new(self.amount_minor_units, currency),
            penalty_fee: Money::new(self.penalty_fee_minor_units, currency),
            created_at: self.created_at.to_jiff(),
            recovered_at: self.recovered_at.map(SqlTimestamp::to_jiff),
            written_off_at: self.written_off_at.map(SqlTimestamp::to_jiff),
        })
    }
}

struct ListedRow {
    id: DebtId,
    charge_id: ChargeId,
    consumer_id: Option<ConsumerId>,
    amount_minor_units: i64,
    penalty_fee_minor_units: i64,
    currency: String,
    created_at: SqlTimestamp,
    recovered_at: Option<SqlTimestamp>,
    written_off_at: Option<SqlTimestamp>,
    purpose: String,
    subject_id: Uuid,
    description: Option<Json<ChargeDescription>>,
}

impl ListedRow {
    fn into_listed(self) -> Result<ListedDebt, sqlx::Error> {
        Ok(ListedDebt {
            subject: subject(&self.purpose, self.subject_id)?,
            description: self
                .description
                .map(|Json(description)| description)
                .unwrap_or_default(),
            debt: Row {
                id: self.id,
                charge_id: self.charge_id,
                consumer_id: self.consumer_id,
                amount_minor_units: self.amount_minor_units,
                penalty_fee_minor_units: self.penalty_fee_minor_units,
                currency: self.currency,
                created_at: self.created_at,
                recovered_at: self.recovered_at,
                written_off_at: self.written_off_at,
            }
            .into_debt()?,
        })
    }
}

/// Inserts a debt unless the charge has one. The hash is that of the removed consumer who owes it. Returns whether it was inserted.
pub async fn insert(
    conn: &mut PgConnection,
    debt: &Debt,
    phone_hash: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO debts (id, charge_id, consumer_id, amount_minor_units, penalty_fee_minor_units, currency, created_at,
                            written_off_at, phone_hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT ON CONSTRAINT debts_one_per_charge DO NOTHING",
        debt.id.uuid(),
        debt.charge_id.uuid(),
        debt.consumer_id.map(ConsumerId::uuid),
        debt.amount.minor_units(),
        debt.penalty_fee.minor_units(),
        debt.amount.currency().code(),
        debt.created_at.to_sqlx(),
        debt.written_off_at.map(ToSqlx::to_sqlx) as _,
        phone_hash,
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Returns whether a consumer owes something, including what is being paid.
pub async fn has_open(conn: &mut PgConnection, consumer_id: ConsumerId) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM debts
                          WHERE consumer_id = $1 AND recovered_at IS NULL AND written_off_at IS NULL) AS "has_open!""#,
        consumer_id.uuid(),
    )
    .fetch_one(conn)
    .await
}

/// Lists up to `limit` open debts, oldest first: of a consumer, or all.
pub async fn list_open(
    conn: &mut PgConnection,
    consumer_id: Option<ConsumerId>,
    limit: i64,
) -> Result<Vec<ListedDebt>, sqlx::Error> {
    let rows = sqlx::query_as!(
        ListedRow,
        r#"SELECT debts.id, debts.charge_id, debts.consumer_id, debts.amount_minor_units,
                  debts.penalty_fee_minor_units, debts.currency, debts.created_at AS "created_at: SqlTimestamp",
                  debts.recovered_at AS "recovered_at: SqlTimestamp",
                  debts.written_off_at AS "written_off_at: SqlTimestamp", charges.purpose, charges.subject_id,
                  charges.description AS "description: Json<ChargeDescription>"
           FROM debts JOIN charges ON charges.id = debts.charge_id
           WHERE debts.recovered_at IS NULL AND debts.written_off_at IS NULL
             AND ($1::uuid IS NULL OR debts.consumer_id = $1)
           ORDER BY debts.id LIMIT $2"#,
        consumer_id.map(ConsumerId::uuid),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(ListedRow::into_listed).collect()
}

/// Lists up to `limit` orders of a consumer whose debt was paid, the last one first.
pub async fn list_recovered_orders(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    limit: i64,
) -> Result<Vec<OrderId>, sqlx::Error> {
    let ids = sqlx::query_scalar!(
        "SELECT charges.subject_id FROM debts JOIN charges ON charges.id = debts.charge_id
         WHERE debts.consumer_id = $1 AND debts.recovered_at IS NOT NULL AND charges.purpose = 'order'
         ORDER BY debts.recovered_at DESC LIMIT $2",
        consumer_id.uuid(),
        limit,
    )
    .fetch_all(conn)
    .await?;
    Ok(ids.into_iter().map(OrderId::from_uuid).collect())
}

/// Reads a debt and locks it until the transaction ends.
pub async fn lock(conn: &mut PgConnection, id: DebtId) -> Result<Option<Debt>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"SELECT id, charge_id, consumer_id, amount_minor_units, penalty_fee_minor_units, currency,
                  created_at AS "created_at: SqlTimestamp", recovered_at AS "recovered_at: SqlTimestamp",
                  written_off_at AS "written_off_at: SqlTimestamp"
           FROM debts WHERE id = $1 FOR UPDATE"#,
        id.uuid(),
    )
    .fetch_optional(conn)
    .await?;
    row.map(Row::into_debt).transpose()
}

/// Records that a debt was paid. The payment may have begun before the debt was written off.
pub async fn mark_recovered(
    conn: &mut PgConnection,
    id: DebtId,
    at: Timestamp,
) -> Result<(), kit::InternalError> {
    let updated = sqlx::query!(
        "UPDATE debts SET recovered_at = $2, written_off_at = NULL, phone_hash = NULL
         WHERE id = $1 AND recovered_at IS NULL",
        id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    require_one_row(&updated, id)
}

/// Sets the penalty fee to 0.
pub async fn waive_fee(conn: &mut PgConnection, id: DebtId, at: Timestamp) -> Result<(), kit::InternalError> {
    let updated = sqlx::query!(
        "UPDATE debts SET penalty_fee_minor_units = 0, fee_waived_at = $2 WHERE id = $1",
        id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    require_one_row(&updated, id)
}

/// Records that a debt will not be recovered.
pub async fn write_off(conn: &mut PgConnection, id: DebtId, at: Timestamp) -> Result<(), kit::InternalError> {
    let updated = sqlx::query!(
        "UPDATE debts SET written_off_at = $2, phone_hash = NULL
         WHERE id = $1 AND recovered_at IS NULL AND written_off_at IS NULL",
        id.uuid(),
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    require_one_row(&updated, id)
}

/// Removes the reference to a removed consumer. Open debts get the hash of the phone number instead.
pub async fn anonymize(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    phone_hash: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE debts
         SET consumer_id = NULL,
             phone_hash = CASE WHEN recovered_at IS NULL AND written_off_at IS NULL THEN $2 END
         WHERE consumer_id = $1",
        consumer_id.uuid(),
        phone_hash,
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Assigns the debts of removed consumers with this phone number to a new consumer, and returns them.
pub async fn assign_to_consumer(
    conn: &mut PgConnection,
    phone_hash: &str,
    consumer_id: ConsumerId,
) -> Result<Vec<Debt>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"UPDATE debts SET consumer_id = $2, phone_hash = NULL
           WHERE phone_hash = $1 AND consumer_id IS NULL AND recovered_at IS NULL AND written_off_at IS NULL
           RETURNING id, charge_id, consumer_id, amount_minor_units, penalty_fee_minor_units, currency,
                     created_at AS "created_at: SqlTimestamp", recovered_at AS "recovered_at: SqlTimestamp",
                     written_off_at AS "written_off_at: SqlTimestamp""#,
        phone_hash,
        consumer_id.uuid(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::into_debt).collect()
}
