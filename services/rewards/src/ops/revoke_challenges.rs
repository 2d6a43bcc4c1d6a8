use jiff::Timestamp;
use kit::InternalError;
use ledger::{Overdraft, Posting, Unit};
use sqlx::PgConnection;
use types::ConsumerId;

use crate::db::{
    accounts::{self, EARNED},
    challenge_claims, challenges,
};

/// Revokes the rewards of challenges that are no longer completed after a refund, even if the points were spent. The
/// caller has locked the consumer.
pub(super) async fn revoke_challenges(
    conn: &mut PgConnection,
    consumer_id: ConsumerId,
    at: Timestamp,
    now: Timestamp,
) -> Result<(), InternalError> {
    let challenges = challenges::list(conn, consumer_id, None, now).await?;
    for challenge in challenges {
        if challenge.claimed_at.is_none() || challenge.is_completed() {
            continue;
        }
        let claim = challenge_claims::revoke(conn, &challenge.rules.id, consumer_id, now).await?;
        let Some(claim) = claim else { continue };
        let posting = Posting {
            reference: &format!("challenge:{}:{}:revoked", claim.claim_id, claim.claim_count),
            from: accounts::open_points(conn, consumer_id, at).await?,
            to: EARNED,
            unit: Unit::Points,
            amount: claim.points,
            overdraft: Overdraft::Allowed,
            kind: "challenge_revoked",
            explanation: &format!("{}: refunded order", challenge.rules.title),
            subject: None,
            at,
        };
        ledger::post(conn, posting).await?;
    }
    Ok(())
}
