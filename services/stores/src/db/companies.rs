//! Companies.

use sqlx::PgConnection;
use types::CompanyId;

use crate::domain::company::{CityLocation, Company, CompanyView};

/// Creates or updates a company, and locks its row until the transaction ends. Returns the digest of the source from
/// which its menu was last written.
pub(crate) async fn upsert(
    tx: &mut PgConnection,
    id: CompanyId,
    name: &str,
    description: &str,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar!(
        "INSERT INTO companies (company_id, name, description) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT companies_pkey
         DO UPDATE SET name = excluded.name, description = excluded.description RETURNING menu_digest",
        id as CompanyId,
        name,
        description,
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

pub(crate) async fn find(conn: &mut PgConnection, id: CompanyId) -> Result<Option<CompanyView>, sqlx::Error> {
    sqlx::query_as!(
        CompanyView,
        r#"SELECT company_id AS "id: CompanyId", name, description,
                  (SELECT count(*) FROM stores s WHERE s.company_id = c.company_id) AS "store_count!"
           FROM companies c WHERE company_id = $1"#,
        id as CompanyId,
    )
    .fetch_optional(conn)
    .await
}

/// Finds a company by its name, ignoring case.
pub(crate) async fn find_by_name(
    conn: &mut PgConnection,
    name: &str,
) -> Result<Option<CompanyId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT company_id AS "id: CompanyId" FROM companies WHERE lower(name) = lower($1)
           ORDER BY name = $1 DESC LIMIT 1"#,
        name,
    )
    .fetch_optional(conn)
    .await
}

/// Maximum number of returned cities.
const MAX_LOCATIONS: i64 = 500;

/// Returns the cities with stores of a company, those with the most stores first.
pub(crate) async fn locations(
    conn: &mut PgConnection,
    id: CompanyId,
) -> Result<Vec<CityLocation>, sqlx::Error> {
    sqlx::query_as!(
        CityLocation,
        r#"SELECT city, region, count(*) AS "store_count!" FROM stores WHERE company_id = $1
           GROUP BY region, city ORDER BY 3 DESC, region, city LIMIT $2"#,
        id as CompanyId,
        MAX_LOCATIONS,
    )
    .fetch_all(conn)
    .await
}
