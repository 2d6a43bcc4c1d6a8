use jiff::Timestamp;
use sqlx::PgConnection;

use super::publish;
use super::save_charge::save_charge;
use crate::db::disputes;
use crate::domain::charge::{Charge, ChargeEvent};
use crate::domain::dispute::Dispute;

/// Records the disputes of a locked charge, and publishes each once.
pub async fn apply_disputes(
    conn: &mut PgConnection,
    charge: &mut Charge,
    reported: &[Dispute],
    now: Timestamp,
) -> Result<(), kit::InternalError> {
    for dispute in reported {
        if disputes::upsert(conn, charge.id, dispute, now).await? {
            tracing::warn!(
                charge_id = %charge.id,
                subject = %charge.subject,
                reason = dispute.reason,
                respond_by = ?dispute.respond_by,
                "charge disputed; see `payments disputes`"
            );
            let event = ChargeEvent::Disputed {
                amount: dispute.amount,
                respond_by: dispute.respond_by,
            };
            save_charge(conn, charge, now).await?;
            publish::charge_event(conn, charge, event, now).await?;
        }
    }
    Ok(())
}
