use jiff::Timestamp;
use types::{ConsumerId, SessionId};

use super::profile::Profile;

#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub consumer_id: ConsumerId,
    pub expires_at: Timestamp,
}

/// A session that was just created. Only its hash is stored, so the token exists nowhere else.
#[derive(Debug)]
pub struct NewSession {
    pub token: String,
    pub session: Session,
    pub profile: Profile,
}
