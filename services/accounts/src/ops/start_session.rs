use sqlx::PgConnection;
use types::SessionId;

use super::DeviceHash;
use crate::{
    Accounts,
    db::{devices, sessions},
    domain::{
        journey_step::JourneyStep,
        profile::Profile,
        secret,
        session::{NewSession, Session},
    },
};

/// Stores a new session of the consumer and remembers its device.
pub(super) async fn start_session(
    cx: &Accounts,
    tx: &mut PgConnection,
    profile: Profile,
    device: Option<&DeviceHash>,
    device_name: &str,
    journey_step: JourneyStep,
) -> Result<NewSession, sqlx::Error> {
    let now = cx.clock.now();
    if let Some(DeviceHash(hash)) = device {
        devices::remember(tx, profile.id, hash, device_name, now).await?;
    }
    let token = secret::new_token(&mut rand::rng());
    let session = Session {
        id: SessionId::new(now),
        consumer_id: profile.id,
        expires_at: now + cx.rules.session_lifetime(),
        journey_step,
    };
    let row = sessions::NewRow {
        session: &session,
        token_hash: &secret::token_hash(&token),
        device_hash: device.map(|DeviceHash(hash)| hash.as_slice()),
        device_name,
        created_at: now,
    };
    sessions::insert(tx, &row).await?;
    Ok(NewSession {
        token,
        session,
        profile,
    })
}
