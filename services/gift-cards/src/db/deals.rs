//! Deals.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{CompanyId, ConsumerId, DealId, Money};

use crate::domain::deal::{Deal, NewDeal};

struct Row {
    id: DealId,
    company_id: Option<CompanyId>,
    company_name: String,
    title: String,
    description: String,
    price: i64,
    value: i64,
    ends_at: Option<jiff_sqlx::Timestamp>,
    uses_left: i64,
}

impl From<Row> for Deal {
    fn from(row: Row) -> Self {
        let company_name = row.company_name;
        Self {
            id: row.id,
            title: row.title,
            description: row.description,
            price: Money::usd(row.price),
            value: Money::usd(row.value),
            company: row.company_id.map(|id| (id, company_name)),
            ends_at: row.ends_at.map(Into::into),
            uses_left: u32::try_from(row.uses_left).unwrap_or_default(),
        }
    }
}

/// Returns the deals that the consumer can use now, cheapest first: those of the company or, without one, those that are
/// valid at all stores. With `deal_id`, only that deal.
pub async fn list(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    company_id: Option<CompanyId>,
    deal_id: Option<DealId>,
    now: Timestamp,
) -> sqlx::Result<Vec<Deal>> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT d.id, d.company_id, d.company_name, d.title, d.description, d.price, d.value, d.ends_at,
                  d.max_per_consumer - (SELECT count(*) FROM purchases p
                    WHERE p.consumer_id = $1 AND p.deal_id = d.id AND p.state NOT IN ('failed', 'returned')) AS "uses_left!"
           FROM deals d
           WHERE d.company_id IS NOT DISTINCT FROM $2 AND ($3::uuid IS NULL OR d.id = $3)
             AND d.starts_at <= $4 AND (d.ends_at IS NULL OR d.ends_at > $4)
           ORDER BY d.price, d.id"#,
        consumer_id.uuid(),
        company_id.map(CompanyId::uuid),
        deal_id.map(DealId::uuid),
        now.to_sqlx(),
    )
    .fetch_all(conn)
    .await?;
    Ok(rows
        .into_iter()
        .map(Deal::from)
        .filter(|deal| deal.uses_left > 0)
        .collect())
}

/// Inserts a deal, or replaces its texts, times and limit. Returns false, and writes nothing, if it has another price, value or
/// company: consumers may be buying it.
pub async fn upsert(conn: &mut PgConnection, deal: &NewDeal, now: Timestamp) -> sqlx::Result<bool> {
    let written = sqlx::query_scalar!(
        "INSERT INTO deals (id, company_id, company_name, title, description, price, value, starts_at, ends_at, max_per_consumer)
         VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, $11::timestamptz), $9, $10)
         ON CONFLICT ON CONSTRAINT deals_pkey DO UPDATE SET company_name = excluded.company_name, title = excluded.title,
           description = excluded.description, starts_at = coalesce($8::timestamptz, least(deals.starts_at, $11::timestamptz)),
           ends_at = excluded.ends_at, max_per_consumer = excluded.max_per_consumer
         WHERE (deals.price, deals.value) = (excluded.price, excluded.value)
           AND deals.company_id IS NOT DISTINCT FROM excluded.company_id
         RETURNING id",
        deal.id.uuid(),
        deal.company.as_ref().map(|(id, _)| id.uuid()),
        deal.company.as_ref().map_or("", |(_, name)| name),
        deal.title,
        deal.description,
        deal.price.minor_units(),
        deal.value.minor_units(),
        deal.starts_at.map(ToSqlx::to_sqlx) as Option<jiff_sqlx::Timestamp>,
        deal.ends_at.map(ToSqlx::to_sqlx) as Option<jiff_sqlx::Timestamp>,
        deal.max_per_consumer,
        now.to_sqlx() as jiff_sqlx::Timestamp,
    )
    .fetch_optional(conn)
    .await?;
    Ok(written.is_some())
}
