//! Consumers.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::ConsumerId;

use crate::domain::{profile::Profile, share_code::ShareCode};

/// Inserts a consumer. Returns `false` if the phone number is registered already. A share code that is taken violates
/// `consumers_share_code_key`.
pub(crate) async fn insert(
    conn: &mut PgConnection,
    id: ConsumerId,
    phone: &str,
    share_code: &str,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let inserted = sqlx::query!(
        "INSERT INTO consumers (id, phone, share_code, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT consumers_phone_key DO NOTHING",
        id.uuid(),
        phone,
        share_code,
        at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub(crate) async fn find_by_phone(
    conn: &mut PgConnection,
    phone: &str,
) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        r#"SELECT id, phone, email, verified_email IS NOT DISTINCT FROM email AS "is_email_verified!", first_name, last_name,
                  share_code, photo_id, created_at
           FROM consumers WHERE phone = $1"#,
        phone
    )
    .fetch_optional(conn)
    .await
}

/// Returns the consumer with a normalized share code.
pub(crate) async fn find_by_share_code(
    conn: &mut PgConnection,
    share_code: &str,
) -> Result<Option<ShareCode>, sqlx::Error> {
    sqlx::query_as!(
        ShareCode,
        "SELECT share_code AS code, first_name, id AS consumer_id FROM consumers WHERE share_code = $1",
        share_code
    )
    .fetch_optional(conn)
    .await
}

pub(crate) async fn find(conn: &mut PgConnection, id: ConsumerId) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        r#"SELECT id, phone, email, verified_email IS NOT DISTINCT FROM email AS "is_email_verified!", first_name, last_name,
                  share_code, photo_id, created_at
           FROM consumers WHERE id = $1"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Returns the consumer, who cannot be removed until the transaction ends.
pub(crate) async fn lock_against_removal(
    conn: &mut PgConnection,
    id: ConsumerId,
) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        r#"SELECT id, phone, email, verified_email IS NOT DISTINCT FROM email AS "is_email_verified!", first_name, last_name,
                  share_code, photo_id, created_at
           FROM consumers WHERE id = $1 FOR KEY SHARE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Returns the consumer, who cannot be changed and to whom no row can be added until the transaction ends.
pub(crate) async fn lock_for_removal(
    conn: &mut PgConnection,
    id: ConsumerId,
) -> Result<Option<Profile>, sqlx::Error> {
    sqlx::query_as!(
        Profile,
        r#"SELECT id, phone, email, verified_email IS NOT DISTINCT FROM email AS "is_email_verified!", first_name, last_name,
                  share_code, photo_id, created_at
           FROM consumers WHERE id = $1 FOR UPDATE"#,
        id.uuid()
    )
    .fetch_optional(conn)
    .await
}

/// Sets the name, and the email address unless it is `None`. A new address is not verified. Returns `false` if the consumer does not exist.
pub(crate) async fn set_name(
    conn: &mut PgConnection,
    id: ConsumerId,
    first_name: &str,
    last_name: &str,
    email: Option<&str>,
) -> Result<bool, sqlx::Error> {
    let updated = sqlx::query!(
        "UPDATE consumers SET first_name = $2, last_name = $3, email = coalesce($4, email),
             email_verified_at = CASE WHEN coalesce($4, email) = email THEN email_verified_at END,
             verified_email = CASE WHEN coalesce($4, email) = verified_email THEN verified_email END
         WHERE id = $1",
        id.uuid(),
        first_name,
        last_name,
        email,
    )
    .execute(conn)
    .await?;
    Ok(updated.rows_affected() == 1)
}

/// Deletes a consumer with their sessions, devices and settings.
pub(crate) async fn delete(conn: &mut PgConnection, id: ConsumerId) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM consumers WHERE id = $1", id.uuid())
        .execute(conn)
        .await?;
    Ok(())
}
