use jiff::Timestamp;
use sqlx::PgConnection;
use types::ChargeId;

use super::raise_target_state::raise_target_state;
use crate::db::charges;
use crate::domain::charge::{Charge, TargetState};
use crate::domain::subject::ChargeSubject;

/// Requests that a charge is voided or refunded, in the caller's transaction. If the subject has no charge, writes a tombstone,
/// which rejects a delayed authorization.
pub async fn request_release(
    conn: &mut PgConnection,
    subject: ChargeSubject,
    now: Timestamp,
) -> Result<Charge, kit::InternalError> {
    let tombstone = Charge::tombstone(ChargeId::new(now), subject);
    if charges::insert(conn, &tombstone, None).await? {
        return Ok(tombstone);
    }
    let charge = charges::find_by_subject(conn, subject)
        .await?
        .ok_or_else(|| kit::InternalError::invariant_violated(format!("charge of {subject} not found")))?;
    raise_target_state(conn, charge.id, TargetState::Released, now).await
}
