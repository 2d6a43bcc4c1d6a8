use jiff::Timestamp;
use sqlx::PgConnection;

use super::raise_target_state::raise_target_state;
use crate::db::charges;
use crate::domain::charge::TargetState;
use crate::domain::subject::ChargeSubject;

/// Requests the capture of a charge, in the caller's transaction. A released charge is not captured. If there is no
/// money left to capture, publishes the event of the loss again.
pub async fn request_capture(
    conn: &mut PgConnection,
    subject: ChargeSubject,
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    if let Some(charge) = charges::find_by_subject(conn, subject).await? {
        raise_target_state(conn, charge.id, TargetState::Captured, now).await?;
    }
    Ok(())
}
