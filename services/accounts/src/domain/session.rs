use jiff::Timestamp;
use types::{ConsumerId, SessionId};

use super::{journey_step::JourneyStep, profile::Profile};

#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub consumer_id: ConsumerId,
    pub expires_at: Timestamp,
    pub journey_step: JourneyStep,
}

/// A session that was just created. Only its hash is stored, so the token exists nowhere else.
#[derive(Debug)]
pub struct NewSession {
    pub token: String,
    pub session: Session,
    pub profile: Profile,
}
