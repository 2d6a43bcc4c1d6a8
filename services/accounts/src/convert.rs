//! Conversions between proto messages and domain types, and the encoding of events for the outbox.

use std::time::Duration;

use jiff::Timestamp;
use kit::outbox::OutboxEntry;
use proto::{accounts::v1 as pb, events::Event};
use types::ConsumerId;

use crate::domain::{
    profile::{Profile, SetName},
    session::{NewSession, Session},
    sign_in::SentCode,
};

pub(crate) fn login_response(code: &SentCode) -> pb::LoginResponse {
    let seconds = |duration: Duration| u32::try_from(duration.as_secs()).unwrap_or(u32::MAX);
    pb::LoginResponse {
        phone: code.phone.as_str().to_owned(),
        resend_after_seconds: seconds(code.resend_after),
        expires_after_seconds: seconds(code.expires_after),
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
