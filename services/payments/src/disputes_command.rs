//! `payments disputes`: lists disputes that need a response.

use std::io::{self, Write};

use sqlx::PgPool;

use crate::db::disputes;

/// Maximum number of listed disputes.
const LIST_LIMIT: i64 = 1_000;

/// Lists disputes that need a response, the most urgent first. Fields are separated by tabs, amounts are in cents.
///
/// # Errors
/// The database is unavailable.
pub async fn run(pool: &PgPool) -> anyhow::Result<()> {
    let mut conn = pool.acquire().await?;
    let mut out = io::stdout().lock();
    writeln!(out, "id\tpaid for\tamount\treason\trespond by")?;
    for (dispute, subject) in disputes::list_open(&mut conn, LIST_LIMIT).await? {
        let respond_by = dispute.respond_by.map(|at| at.to_string()).unwrap_or_default();
        writeln!(
            out,
            "{}\t{subject}\t{}\t{}\t{respond_by}",
            dispute.provider_id,
            dispute.amount.minor_units(),
            dispute.reason,
        )?;
    }
    Ok(())
}
