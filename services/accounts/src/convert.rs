//! Conversions between proto messages and domain types, and the encoding of events for the outbox.

use std::time::Duration;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError, outbox::OutboxEntry};
use proto::{accounts::v1 as pb, events::Event};
use types::{ConsumerId, IdError, SessionId};

use crate::{
    domain::{
        profile::{Profile, SetName},
        session::{NewSession, Session},
        sign_in::{SentCode, VerifyCommand},
    },
    ops::list_sessions::SessionList,
};

pub(crate) fn login_response(code: &SentCode) -> pb::LoginResponse {
    let seconds = |duration: Duration| u32::try_from(duration.as_secs()).unwrap_or(u32::MAX);
    pb::LoginResponse {
        phone: code.phone.as_str().to_owned(),
        resend_after_seconds: seconds(code.resend_after),
        expires_after_seconds: seconds(code.expires_after),
    }
}

pub(crate) fn verify_command(request: pb::VerifyRequest) -> VerifyCommand {
    VerifyCommand {
        phone: request.phone,
        code: request.code,
        device_id: request.device_id,
        user_agent: request.user_agent,
    }
}

pub(crate) fn verify_response(new: NewSession) -> pb::VerifyResponse {
    pb::VerifyResponse {
        session_token: new.token,
        session: Some(session(&new.session)),
        needs_name: new.profile.first_name.is_empty(),
        profile: Some(profile(new.profile)),
    }
}

pub(crate) fn session(session: &Session) -> pb::Session {
    pb::Session {
        consumer_id: session.consumer_id.to_string(),
        session_id: session.id.to_string(),
        expires_at: session.expires_at.to_string(),
    }
}

pub(crate) fn session_list(list: SessionList, current: SessionId) -> pb::SessionList {
    let sessions = list.sessions.into_iter().map(|session| pb::SignedInDevice {
        session_id: session.session_id.to_string(),
        device_name: session.device_name,
        signed_in_at: session.signed_in_at.to_string(),
        last_seen_at: session.last_seen_at.to_string(),
        is_current: session.session_id == current,
    });
    let known_devices = list.known_devices.into_iter().map(|device| pb::KnownDevice {
        device_id: hex::encode(device.device_hash),
        name: device.name,
        last_signed_in_at: device.last_signed_in_at.to_string(),
    });
    pb::SessionList {
        sessions: sessions.collect(),
        known_devices: known_devices.collect(),
    }
}

pub(crate) fn session_id(text: &str) -> Result<SessionId, ServiceError> {
    text.parse().map_err(|error: IdError| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ID_MALFORMED",
            format!("sessionId: {error}"),
        )
        .with_field("sessionId")
    })
}

/// Returns the hash of the device. A malformed id is that of no device, like an unknown one.
pub(crate) fn device_hash(device_id: &str) -> Vec<u8> {
    hex::decode(device_id).unwrap_or_default()
}

pub(crate) fn profile(profile: Profile) -> pb::Profile {
    pb::Profile {
        consumer_id: profile.id.to_string(),
        email: profile.email,
        first_name: profile.first_name,
        last_name: profile.last_name,
        phone: profile.phone,
        share_code: profile.share_code,
        created_at: profile.created_at.to_string(),
    }
}

pub(crate) fn set_name(request: pb::SetNameRequest) -> SetName {
    SetName {
        first_name: request.first_name,
        last_name: request.last_name,
        email: request.email,
    }
}

pub(crate) fn consumer_registered(consumer: ConsumerId, phone_hash: &[u8], at: Timestamp) -> OutboxEntry {
    let event = pb::ConsumerEvent {
        consumer_id: consumer.to_string(),
        phone_hash: hex::encode(phone_hash),
        change: Some(pb::consumer_event::Change::Registered(pb::ConsumerRegistered {
            registered_at: at.to_string(),
        })),
    };
    OutboxEntry::new(event.event_type(), &event, event.consumer_id.clone(), 1, at)
}
