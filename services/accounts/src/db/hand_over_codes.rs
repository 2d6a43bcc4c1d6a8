//! Codes that hand a session over to another client, found by their hash.

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use sqlx::PgConnection;
use types::{ConsumerId, SessionId};

use crate::domain::journey_step::JourneyStep;

pub(crate) async fn insert(
    conn: &mut PgConnection,
    code_hash: &[u8],
    session: SessionId,
    journey_step: JourneyStep,
    expires_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "INSERT INTO hand_over_codes (code_hash, session_id, journey_step, expires_at) VALUES ($1, $2, $3, $4)",
        code_hash,
        session.uuid(),
        journey_step.as_str(),
        expires_at.to_sqlx(),
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// A code that can be exchanged.
#[derive(Debug)]
pub(crate) struct ValidCode {
    pub(crate) consumer_id: ConsumerId,
    pub(crate) journey_step: JourneyStep,
}

/// Finds an unexpired code of an active session.
pub(crate) async fn find_valid(
    conn: &mut PgConnection,
    code_hash: &[u8],
    now: Timestamp,
) -> Result<Option<ValidCode>, sqlx::Error> {
    sqlx::query_as!(
        ValidCode,
        "SELECT sessions.consumer_id, hand_over_codes.journey_step
         FROM hand_over_codes JOIN sessions ON sessions.id = hand_over_codes.session_id
         WHERE code_hash = $1 AND hand_over_codes.expires_at > $2
             AND sessions.ended_at IS NULL AND sessions.expires_at > $2",
        code_hash,
        now.to_sqlx(),
    )
    .fetch_optional(conn)
    .await
}

/// Returns `false` if the code does not exist.
pub(crate) async fn delete(conn: &mut PgConnection, code_hash: &[u8]) -> Result<bool, sqlx::Error> {
    let deleted = sqlx::query!("DELETE FROM hand_over_codes WHERE code_hash = $1", code_hash)
        .execute(conn)
        .await?;
    Ok(deleted.rows_affected() == 1)
}
