//! Pages of charges, by id.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use types::ChargeId;
use uuid::Uuid;

use super::charges::Row;
use crate::domain::charge::{Charge, ListCharges, MAX_LISTED_CHARGES};

/// Lists up to `limit` charges by id, after `after`: those with a log of events that changed since `since`.
pub async fn list_for_audit(
    conn: &mut PgConnection,
    since: Option<Timestamp>,
    after: Option<ChargeId>,
    limit: i64,
) -> Result<Vec<Charge>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges
         WHERE has_events AND ($1::timestamptz IS NULL OR updated_at >= $1) AND ($2::uuid IS NULL OR id > $2)
         ORDER BY id LIMIT $3"#,
        since.map(ToSqlx::to_sqlx) as _,
        after.map(ChargeId::uuid),
        limit,
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter().map(Row::into_charge).collect()
}

/// Lists a page of charges. Each kind of request has its own statement, because a plan that suits all of them reads the whole table.
pub async fn list(conn: &mut PgConnection, request: &ListCharges) -> Result<Vec<Charge>, sqlx::Error> {
    let rows = match (&request.subject_ids, request.changed_since) {
        (Some(subject_ids), since) => list_by_subjects(conn, request, subject_ids, since).await?,
        (None, Some(since)) => list_changed(conn, request, since).await?,
        (None, None) => list_all(conn, request).await?,
    };
    rows.into_iter().map(Row::into_charge).collect()
}

async fn list_by_subjects(
    conn: &mut PgConnection,
    request: &ListCharges,
    subject_ids: &[Uuid],
    since: Option<Timestamp>,
) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges
         WHERE purpose = ANY($1) AND subject_id = ANY($2)
           AND ($3::timestamptz IS NULL OR has_events AND updated_at >= $3) AND id > $4
         ORDER BY id LIMIT $5"#,
        &purposes(request),
        subject_ids,
        since.map(ToSqlx::to_sqlx) as _,
        after(request),
        max_listed(),
    )
    .fetch_all(conn)
    .await
}

async fn list_changed(
    conn: &mut PgConnection,
    request: &ListCharges,
    since: Timestamp,
) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges
         WHERE purpose = ANY($1) AND has_events AND updated_at >= $2 AND id > $3
         ORDER BY id LIMIT $4"#,
        &purposes(request),
        since.to_sqlx() as _,
        after(request),
        max_listed(),
    )
    .fetch_all(conn)
    .await
}

async fn list_all(conn: &mut PgConnection, request: &ListCharges) -> sqlx::Result<Vec<Row>> {
    sqlx::query_as!(
        Row,
        r#"SELECT id, purpose, subject_id, consumer_id, payment_method_id, method_kind, provider_customer_id,
                provider_method_id, amount_minor_units, currency, capture, provider_id, state, decline_reason,
                decline_message, target_state, hold_ends_at AS "hold_ends_at: SqlTimestamp", refunded_minor_units,
                version
         FROM charges
         WHERE purpose = ANY($1) AND id > $2
         ORDER BY id LIMIT $3"#,
        &purposes(request),
        after(request),
        max_listed(),
    )
    .fetch_all(conn)
    .await
}

fn purposes(request: &ListCharges) -> Vec<String> {
    let purposes = request.purposes.iter();
    purposes.map(|purpose| purpose.as_str().to_owned()).collect()
}

fn max_listed() -> i64 {
    i64::try_from(MAX_LISTED_CHARGES).unwrap_or(i64::MAX)
}

/// Each id is after the nil id.
fn after(request: &ListCharges) -> Uuid {
    request.after.map_or(Uuid::nil(), ChargeId::uuid)
}
