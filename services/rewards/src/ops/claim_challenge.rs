use kit::{ErrorCode, InternalError, ServiceError};
use ledger::{Overdraft, Posting, Unit};
use types::ConsumerId;

use crate::{
    Rewards,
    db::{
        accounts::{self, EARNED},
        challenge_claims, challenges, consumers,
    },
    domain::challenge::{Challenge, ChallengeState, ClaimedChallenge},
};

#[derive(Debug, thiserror::Error)]
pub enum ClaimChallengeError {
    /// There is no such challenge, or it has not started.
    #[error("unknown challenge")]
    Unknown,
    #[error("the challenge is not completed")]
    NotCompleted,
    #[error("the challenge was claimed")]
    AlreadyClaimed,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(ClaimChallengeError);

impl From<ClaimChallengeError> for ServiceError {
    fn from(error: ClaimChallengeError) -> Self {
        match error {
            ClaimChallengeError::Unknown => Self::new(
                ErrorCode::NotFound,
                "CHALLENGE_UNKNOWN",
                "We couldn't find that challenge. It may have ended.",
            ),
            ClaimChallengeError::NotCompleted => Self::new(
                ErrorCode::Conflict,
                "CHALLENGE_NOT_COMPLETED",
                "You haven't completed this challenge yet.",
            ),
            ClaimChallengeError::AlreadyClaimed => Self::new(
                ErrorCode::Conflict,
                "CHALLENGE_CLAIMED",
                "You've already claimed this reward.",
            ),
            ClaimChallengeError::Internal(error) => error.into(),
        }
    }
}

/// Awards the points of a completed challenge, once. If concurrent requests claim it, one succeeds.
///
/// # Errors
/// [`ClaimChallengeError::Unknown`], [`ClaimChallengeError::NotCompleted`] or [`ClaimChallengeError::AlreadyClaimed`].
pub async fn claim_challenge(
    cx: &Rewards,
    consumer_id: ConsumerId,
    challenge_id: &str,
) -> Result<ClaimedChallenge, ClaimChallengeError> {
    let now = cx.clock.now();
    let mut tx = kit::postgres::begin(&cx.pool).await?;
    // The lock keeps a concurrent refund from changing the progress.
    if consumers::lock_active(&mut tx, consumer_id).await?.is_none() {
        return Err(ClaimChallengeError::Unknown);
    }
    let challenge = challenges::list(&mut tx, consumer_id, Some(challenge_id), now)
        .await?
        .pop()
        .ok_or(ClaimChallengeError::Unknown)?;
    match challenge.state() {
        ChallengeState::Open => return Err(ClaimChallengeError::NotCompleted),
        ChallengeState::Claimed => return Err(ClaimChallengeError::AlreadyClaimed),
        ChallengeState::Completed => {}
    }
    let points = challenge.rules.points;
    let claim = challenge_claims::insert(&mut tx, challenge_id, consumer_id, points, now)
        .await?
        .ok_or(ClaimChallengeError::AlreadyClaimed)?;
    let posting = Posting {
        reference: &format!("challenge:{}:{}", claim.claim_id, claim.claim_count),
        from: EARNED,
        to: accounts::open_points(&mut tx, consumer_id, now).await?,
        unit: Unit::Points,
        amount: points,
        overdraft: Overdraft::Forbidden,
        kind: "challenge_claimed",
        explanation: &challenge.rules.title,
        subject: None,
        at: now,
    };
    let posted = ledger::post(&mut tx, posting)
        .await
        .map_err(InternalError::from)?;
    let after = posted
        .to
        .ok_or_else(|| InternalError::invariant_violated("points account without balance"))?;
    tx.commit().await?;
    Ok(ClaimedChallenge {
        challenge: Challenge {
            claimed_at: Some(now),
            ..challenge
        },
        balance: after.balance,
    })
}
