//! Read-only connections to the databases of the services.

use std::str::FromStr;

use anyhow::{Context, anyhow};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{ConnectOptions, FromRow, PgConnection, postgres::PgConnectOptions};
use types::{ChargeId, OrderId};
use uuid::Uuid;

use crate::timeline::{Entry, Summary};

/// Each service with the statement that returns the records of an order.
pub(crate) const DATABASES: [(&str, &str); 5] = [
    ("ordering", include_str!("sql/ordering.sql")),
    ("stores", include_str!("sql/stores.sql")),
    ("payments", include_str!("sql/payments.sql")),
    ("gift-cards", include_str!("sql/gift-cards.sql")),
    ("rewards", include_str!("sql/rewards.sql")),
];

pub(crate) struct Database {
    pub(crate) service: &'static str,
    pub(crate) connection: PgConnection,
}

#[derive(FromRow)]
struct Row {
    at: SqlTimestamp,
    text: String,
    trace_parent: Option<String>,
}

#[derive(FromRow)]
struct OrderRow {
    store_name: String,
    status: String,
    total: i64,
    currency: String,
    tender: String,
    reason: String,
}

impl Database {
    /// Connects with the URL that the service uses. Transactions are read-only and statements end after ten seconds.
    ///
    /// # Errors
    /// The URL is missing or invalid, or the database is unavailable.
    pub(crate) async fn connect(service: &'static str) -> anyhow::Result<Self> {
        let variable = format!("{}_DATABASE_URL", service.to_uppercase().replace('-', "_"));
        let url = std::env::var(&variable).with_context(|| format!("{variable} is not set"))?;
        let connection = PgConnectOptions::from_str(&url)
            .with_context(|| format!("{variable} is invalid"))?
            .application_name("order-xray")
            .options([
                ("default_transaction_read_only", "on"),
                ("statement_timeout", "10000"),
            ])
            .connect()
            .await
            .map_err(|error| anyhow!("the database is unavailable: {error}"))?;
        Ok(Self { service, connection })
    }

    /// Returns the records that a statement selects for an order.
    pub(crate) async fn entries(
        &mut self,
        statement: &'static str,
        order: OrderId,
    ) -> sqlx::Result<Vec<Entry>> {
        let rows: Vec<Row> = sqlx::query_as(statement)
            .bind(order.uuid())
            .fetch_all(&mut self.connection)
            .await?;
        Ok(rows.into_iter().map(|row| self.entry(row)).collect())
    }

    /// Returns the events about these aggregates: those in the outbox, and those that were published since the order was created
    /// and are still kept.
    pub(crate) async fn events(
        &mut self,
        aggregates: &[String],
        created_at: Timestamp,
    ) -> sqlx::Result<Vec<Entry>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT occurred_at AS at, 'event ' || kind || ' is not published yet' AS text, trace_parent
             FROM outbox WHERE aggregate_id = ANY($1)
             UNION ALL
             SELECT published_at, 'event ' || kind || ' published', trace_parent
             FROM published_events WHERE published_at >= $2 AND aggregate_id = ANY($1)",
        )
        .bind(aggregates)
        .bind(created_at.to_sqlx())
        .fetch_all(&mut self.connection)
        .await?;
        Ok(rows.into_iter().map(|row| self.entry(row)).collect())
    }

    /// Returns the newest state of an order.
    ///
    /// # Errors
    /// The order does not exist.
    pub(crate) async fn order_summary(&mut self, order: OrderId) -> anyhow::Result<Summary> {
        let row: Option<OrderRow> = sqlx::query_as(
            "SELECT store_name, status, total, currency, tender, reason FROM orders WHERE id = $1",
        )
        .bind(order.uuid())
        .fetch_optional(&mut self.connection)
        .await?;
        let row = row.with_context(|| format!("{order} does not exist"))?;
        Ok(Summary {
            order: order.to_string(),
            state: format!(
                "{} at {}, {} {} cents by {}",
                row.status, row.store_name, row.total, row.currency, row.tender
            ),
            reason: row.reason,
        })
    }

    pub(crate) async fn charges(&mut self, order: OrderId) -> sqlx::Result<Vec<ChargeId>> {
        let ids: Vec<Uuid> =
            sqlx::query_scalar("SELECT id FROM charges WHERE purpose = 'order' AND subject_id = $1")
                .bind(order.uuid())
                .fetch_all(&mut self.connection)
                .await?;
        Ok(ids.into_iter().map(ChargeId::from_uuid).collect())
    }

    fn entry(&self, row: Row) -> Entry {
        Entry {
            at: row.at.to_jiff(),
            service: self.service,
            text: row.text,
            trace_id: row.trace_parent.as_deref().and_then(trace_id),
        }
    }
}

/// Returns the trace id of a W3C `traceparent`.
fn trace_id(trace_parent: &str) -> Option<String> {
    trace_parent.split('-').nth(1).map(str::to_owned)
}
