//! Consumers by the addresses to which gift cards are sent.

use sqlx::PgConnection;
use types::ConsumerId;

pub(crate) async fn find_by_phone(
    conn: &mut PgConnection,
    phone: &str,
) -> Result<Option<ConsumerId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: ConsumerId" FROM consumers WHERE phone = $1"#,
        phone
    )
    .fetch_optional(conn)
    .await
}

/// Returns up to two consumers who verified an address.
pub(crate) async fn list_by_verified_email(
    conn: &mut PgConnection,
    email: &str,
) -> Result<Vec<ConsumerId>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: ConsumerId" FROM consumers
           WHERE lower(verified_email) = lower($1) AND verified_email = email LIMIT 2"#,
        email
    )
    .fetch_all(conn)
    .await
}
