//! Progress and differences of audits, by the database's clock.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// The lease of an audit.
#[derive(Debug, Clone, Copy)]
pub(super) struct AuditLease {
    name: &'static str,
    /// When it expires. Another replica that acquires the lease changes it.
    expires_at: Timestamp,
    /// When the audit began.
    started_at: Timestamp,
    /// When the newest audit began that ended.
    pub(super) audited_until: Option<Timestamp>,
}

/// Leases an audit if it is due. The lease of a process that died expires.
pub(super) async fn lease_due(
    conn: &mut PgConnection,
    name: &'static str,
    lease: Duration,
) -> sqlx::Result<Option<AuditLease>> {
    let row = sqlx::query!(
        r#"INSERT INTO audits AS audit (name, due_at) VALUES ($1, now() + make_interval(secs => $2))
           ON CONFLICT ON CONSTRAINT audits_pkey DO UPDATE SET due_at = excluded.due_at WHERE audit.due_at <= now()
           RETURNING due_at AS "due_at: SqlTimestamp", now() AS "started_at!: SqlTimestamp",
             audited_until AS "audited_until: SqlTimestamp""#,
        name,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(row.map(|row| AuditLease {
        name,
        expires_at: row.due_at.to_jiff(),
        started_at: row.started_at.to_jiff(),
        audited_until: row.audited_until.map(SqlTimestamp::to_jiff),
    }))
}

/// Extends the lease, or returns `None` if it has expired and another replica audits.
pub(super) async fn extend_lease(
    conn: &mut PgConnection,
    held: AuditLease,
    lease: Duration,
) -> sqlx::Result<Option<AuditLease>> {
    let due_at = sqlx::query_scalar!(
        r#"UPDATE audits SET due_at = now() + make_interval(secs => $3) WHERE name = $1 AND due_at = $2
           RETURNING due_at AS "due_at: SqlTimestamp""#,
        held.name,
        held.expires_at.to_sqlx() as _,
        lease.as_secs_f64(),
    )
    .fetch_optional(conn)
    .await?;
    Ok(due_at.map(|due_at| AuditLease {
        expires_at: due_at.to_jiff(),
        ..held
    }))
}

/// Records that an audit has ended, and when the next one is due.
pub(super) async fn finish(
    conn: &mut PgConnection,
    held: AuditLease,
    interval: Duration,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE audits SET audited_until = $3, due_at = now() + make_interval(secs => $4) WHERE name = $1 AND due_at = $2",
        held.name,
        held.expires_at.to_sqlx() as _,
        held.started_at.to_sqlx() as _,
        interval.as_secs_f64(),
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Lists the subjects with differences by id, after `after`.
pub(super) async fn list_differing(
    conn: &mut PgConnection,
    name: &str,
    after: Uuid,
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT DISTINCT subject_id FROM audit_differences WHERE audit = $1 AND subject_id > $2 ORDER BY subject_id LIMIT $3",
        name,
        after,
        limit,
    )
    .fetch_all(conn)
    .await
}

/// Replaces the differences of subjects.
pub(super) async fn replace_differences(
    conn: &mut PgConnection,
    name: &str,
    subject_ids: &[Uuid],
    differences: &[(Uuid, &'static str)],
) -> sqlx::Result<()> {
    let (ids, kinds): (Vec<Uuid>, Vec<String>) = differences
        .iter()
        .map(|(id, kind)| (*id, (*kind).to_owned()))
        .unzip();
    sqlx::query!(
        "WITH found AS (SELECT * FROM unnest($3::uuid[], $4::text[]) AS found (subject_id, kind)), resolved AS (
           DELETE FROM audit_differences AS known WHERE audit = $1 AND subject_id = ANY($2)
             AND NOT EXISTS (SELECT FROM found WHERE found.subject_id = known.subject_id AND found.kind = known.kind)
         )
         INSERT INTO audit_differences (audit, subject_id, kind) SELECT $1, subject_id, kind FROM found
         ON CONFLICT ON CONSTRAINT audit_differences_pkey DO NOTHING",
        name,
        subject_ids,
        &ids,
        &kinds,
    )
    .execute(conn)
    .await
    .map(drop)
}

/// Counts the differences by kind.
pub(super) async fn count_differences(
    conn: &mut PgConnection,
    name: &str,
) -> sqlx::Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"SELECT kind, count(*) AS "count!" FROM audit_differences WHERE audit = $1 GROUP BY kind"#,
        name,
    )
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.count)).collect())
}
