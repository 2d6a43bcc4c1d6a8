//! Companies.

use sqlx::PgConnection;
use types::CompanyId;

use crate::domain::company::Company;

/// Creates or renames a company, and locks its row until the transaction ends. Returns the digest of the source from
/// which its menu was last written.
pub(crate) async fn upsert(
    tx: &mut PgConnection,
    id: CompanyId,
    name: &str,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO companies (company_id, name) VALUES ($1, $2)
         ON CONFLICT ON CONSTRAINT companies_pkey DO UPDATE SET name = excluded.name RETURNING menu_digest",
        id as CompanyId,
        name,
    )
    .fetch_one(tx)
    .await
}

pub(crate) async fn all(conn: &mut PgConnection) -> Result<Vec<Company>, sqlx::Error> {
    sqlx::query_as!(
        Company,
        r#"SELECT company_id AS "id: CompanyId", name FROM companies ORDER BY company_id"#
    )
    .fetch_all(conn)
    .await
}
