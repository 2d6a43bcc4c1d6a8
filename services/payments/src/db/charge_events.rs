//! The log of published events about charges, for the audit.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

use crate::domain::charge::Charge;
use crate::domain::event_kind::EventKind;

pub async fn insert(
    conn: &mut PgConnection,
    charge: &Charge,
    kind: EventKind,
    amount_minor_units: i64,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO charge_events (charge_id, version, kind, amount_minor_units, created_at)
         VALUES ($1, $2, $3, $4, $5)",
        charge.id.uuid(),
        charge.version,
        kind.as_str(),
        amount_minor_units,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}
