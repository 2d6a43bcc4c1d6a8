//! Data that is stored by phone number, before and apart from the consumer.

use sqlx::PgConnection;

/// Deletes codes, attempts and queued messages of a number.
pub(crate) async fn delete(conn: &mut PgConnection, phone: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("DELETE FROM challenges WHERE phone = $1", phone)
        .execute(&mut *conn)
        .await?;
    sqlx::query!("DELETE FROM code_attempts WHERE phone = $1", phone)
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
