//! Data that is stored by phone number, before and apart from the consumer.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;

/// Deletes queued messages of a number, and anonymizes its codes and attempts: their times stay under the pseudonym, so that
/// the limits of the number stay. They become those of unknown devices.
pub(crate) async fn anonymize(
    conn: &mut PgConnection,
    phone: &str,
    pseudonym: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE challenges SET phone = $2, device_hash = '', code_hash = '', used_at = coalesce(used_at, $3) WHERE phone = $1",
        phone,
        pseudonym,
        now.to_sqlx(),
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE code_attempts SET phone = $2, device_hash = '' WHERE phone = $1",
        phone,
        pseudonym,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!("DELETE FROM sign_in_attempts WHERE phone = $1", phone)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM messages WHERE phone = $1", phone)
        .execute(conn)
        .await?;
    Ok(())
}

/// Gives codes and attempts under a pseudonym back to the number, which is entered again. The caller holds the lock of the
/// number.
pub(crate) async fn restore(
    conn: &mut PgConnection,
    pseudonym: &str,
    phone: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "UPDATE challenges SET phone = $2 WHERE phone = $1",
        pseudonym,
        phone,
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "UPDATE code_attempts SET phone = $2 WHERE phone = $1",
        pseudonym,
        phone,
    )
    .execute(conn)
    .await?;
    Ok(())
}
