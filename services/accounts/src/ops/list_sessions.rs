use kit::InternalError;
use types::ConsumerId;

use crate::{
    Accounts,
    db::{devices, sessions},
    domain::device::{KnownDevice, SignedInDevice},
};

/// Active sessions, and known devices without one, most recently used first.
#[derive(Debug)]
pub struct SessionList {
    pub sessions: Vec<SignedInDevice>,
    pub known_devices: Vec<KnownDevice>,
}

/// Lists the consumer's active sessions, and the known devices without one.
pub async fn list_sessions(cx: &Accounts, consumer: ConsumerId) -> Result<SessionList, InternalError> {
    let now = cx.clock.now();
    let mut conn = cx.pool.acquire().await?;
    Ok(SessionList {
        sessions: sessions::list_active(&mut conn, consumer, now).await?,
        known_devices: devices::list_signed_out(&mut conn, consumer, now).await?,
    })
}
