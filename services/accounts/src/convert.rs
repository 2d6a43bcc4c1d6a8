//! Conversions between proto messages and domain types, and the encoding of events for the outbox.

use std::time::Duration;

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine as _};
use jiff::Timestamp;
use kit::{
    ErrorCode, ServiceError,
    consumer::{ConsumeError, require_field},
    outbox::OutboxEntry,
    parse_id, parse_optional_id,
};
use proto::{
    accounts::v1 as pb, events::Event, ordering::v1 as ordering, rewards::v1 as rewards, values::v1 as values,
};
use types::{ConsumerId, SessionId};

use crate::{
    domain::{
        hand_over::{ExchangeHandOverCode, HandOverCode},
        journey_step::JourneyStep,
        notification::{CanceledOrder, RequestedNotification},
        profile::{Profile, SetName},
        push::{InvalidSubscription, PushHosts, PushSubscription},
        recipient::RecipientAddress,
        session::{NewSession, Session},
        settings::{SaveSettings, Settings},
        share_code::ShareCode,
        sign_in::{SentCode, VerifyCommand},
    },
    ops::list_sessions::SessionList,
};

fn seconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_secs()).unwrap_or(u32::MAX)
}

pub(crate) fn login_response(code: &SentCode) -> pb::LoginResponse {
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
        share_code: request.share_code,
    }
}

pub(crate) fn share_code(code: ShareCode) -> pb::ShareCode {
    pb::ShareCode {
        share_code: code.code,
        first_name: code.first_name,
    }
}

pub(crate) fn recipient_address(request: pb::FindRecipientRequest) -> Result<RecipientAddress, ServiceError> {
    use pb::find_recipient_request::Address;
    match request.address {
        Some(Address::Phone(phone)) => Ok(RecipientAddress::Phone(phone)),
        Some(Address::Email(email)) => Ok(RecipientAddress::Email(email)),
        None => Err(ServiceError::new(
            ErrorCode::InvalidRequest,
            "ADDRESS_MISSING",
            "Please enter a phone number or an email address.",
        )
        .with_field("address")),
    }
}

pub(crate) fn find_recipient_response(consumer: Option<ConsumerId>) -> pb::FindRecipientResponse {
    pb::FindRecipientResponse {
        consumer_id: consumer.map(|id| id.to_string()).unwrap_or_default(),
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
        journey_step: journey_step(session.journey_step).into(),
    }
}

const fn journey_step(step: JourneyStep) -> values::JourneyStep {
    match step {
        JourneyStep::Web => values::JourneyStep::Web,
        JourneyStep::App => values::JourneyStep::App,
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
    parse_id(text, "sessionId")
}

/// Returns the hash of the device. A malformed id is treated as an unknown device.
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
        photo_id: profile.photo_id.map(|id| id.to_string()).unwrap_or_default(),
        email_verified: profile.is_email_verified,
    }
}

pub(crate) fn set_name(request: pb::SetNameRequest) -> SetName {
    SetName {
        first_name: request.first_name,
        last_name: request.last_name,
        email: request.email,
    }
}

/// `push_key` is empty if push notifications are not configured.
pub(crate) fn settings(settings: Settings, push_key: &str) -> pb::Settings {
    pb::Settings {
        notifications: Some(pb::NotificationSettings {
            push: settings.push,
            sms: settings.sms,
            email: settings.email,
        }),
        vehicle: settings.vehicle,
        time_zone: settings.time_zone,
        push_key: push_key.to_owned(),
    }
}

pub(crate) fn save_settings(request: pb::SaveSettingsRequest) -> SaveSettings {
    SaveSettings {
        push: request.push,
        sms: request.sms,
        email: request.email,
        vehicle: request.vehicle,
        time_zone: request.time_zone,
    }
}

/// # Errors
/// `PUSH_SUBSCRIPTION_INVALID`
pub(crate) fn push_subscription(
    request: pb::SavePushSubscriptionRequest,
    hosts: &PushHosts,
) -> Result<PushSubscription, ServiceError> {
    use pb::save_push_subscription_request::Subscription;
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
    let subscription = match request.subscription {
        Some(Subscription::Web(web)) => match (decode(&web.p256dh), decode(&web.auth)) {
            (Ok(p256dh), Ok(auth)) => PushSubscription::web(web.endpoint, p256dh, auth, hosts),
            _ => Err(InvalidSubscription),
        },
        Some(Subscription::NativeToken(token)) => PushSubscription::native(token),
        None => Err(InvalidSubscription),
    };
    subscription.map_err(|_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "PUSH_SUBSCRIPTION_INVALID",
            "We can't send notifications to this device.",
        )
        .with_field("subscription")
    })
}

/// Parses the time of an event. Returns `now` if it is missing, malformed or in the future.
fn event_time(text: &str, now: Timestamp) -> Timestamp {
    text.parse().map_or(now, |at: Timestamp| at.min(now))
}

/// Decodes `NotificationRequested`.
pub(crate) fn requested_notification(
    consumer_id: &str,
    requested: rewards::NotificationRequested,
    now: Timestamp,
) -> Result<RequestedNotification, ConsumeError> {
    let parameters = require_field(requested.parameters, "parameters")?;
    let requested_at = event_time(&requested.requested_at, now);
    Ok(RequestedNotification {
        consumer_id: consumer_id.parse()?,
        message_id: requested.message_id.parse()?,
        template: requested.template,
        title: parameters.title,
        body: parameters.body,
        order_id: parameters.order_id,
        requested_at,
        // Events of earlier releases do not have it.
        occurred_at: requested
            .occurred_at
            .parse()
            .map_or(requested_at, |at: Timestamp| at.min(requested_at)),
        useful_until: requested.useful_until.parse().ok(),
    })
}

/// Decodes an order that its consumer canceled. Returns `None` for other changes and cancellations: the consumer is notified of them.
pub(crate) fn canceled_order(
    event: ordering::OrderEvent,
    now: Timestamp,
) -> Result<Option<CanceledOrder>, ConsumeError> {
    let Some(ordering::order_event::Change::Cancelled(cancelled)) = event.change else {
        return Ok(None);
    };
    let end = require_field(cancelled.end, "end")?;
    if end.reason() != ordering::EndReason::CancelledByConsumer {
        return Ok(None);
    }
    let order = require_field(event.order, "order")?;
    Ok(Some(CanceledOrder {
        order_id: order.order_id,
        consumer_id: order.consumer_id.parse()?,
        canceled_at: event_time(&order.changed_at, now),
    }))
}

pub(crate) fn hand_over_code(code: HandOverCode) -> pb::HandOverCode {
    pb::HandOverCode {
        code: code.code,
        expires_after_seconds: seconds(code.expires_after),
    }
}

/// Decodes a request to exchange a code.
///
/// # Errors
/// `ID_MALFORMED` if the id of the current consumer is malformed.
pub(crate) fn exchange_hand_over_code(
    request: pb::ExchangeHandOverCodeRequest,
) -> Result<ExchangeHandOverCode, ServiceError> {
    Ok(ExchangeHandOverCode {
        code: request.code,
        current_consumer: parse_optional_id(&request.current_consumer_id, "currentConsumerId")?,
        replaces_consumer: request.replaces_consumer,
        device_id: request.device_id,
        user_agent: request.user_agent,
    })
}

/// Version of a consumer in its events: each has at most these two.
const REGISTERED_VERSION: i64 = 1;
const REMOVED_VERSION: i64 = 2;

pub(crate) fn consumer_registered(
    consumer: ConsumerId,
    phone_hash: &[u8],
    referrer: Option<ConsumerId>,
    at: Timestamp,
) -> OutboxEntry {
    let registered = pb::ConsumerRegistered {
        registered_at: at.to_string(),
        referrer_id: referrer.map(|id| id.to_string()).unwrap_or_default(),
    };
    let change = pb::consumer_event::Change::Registered(registered);
    consumer_event(consumer, phone_hash, change, REGISTERED_VERSION, at)
}

pub(crate) fn consumer_removed(consumer: ConsumerId, phone_hash: &[u8], at: Timestamp) -> OutboxEntry {
    let change = pb::consumer_event::Change::Removed(pb::ConsumerRemoved {});
    consumer_event(consumer, phone_hash, change, REMOVED_VERSION, at)
}

fn consumer_event(
    consumer: ConsumerId,
    phone_hash: &[u8],
    change: pb::consumer_event::Change,
    version: i64,
    at: Timestamp,
) -> OutboxEntry {
    let event = pb::ConsumerEvent {
        consumer_id: consumer.to_string(),
        phone_hash: hex::encode(phone_hash),
        change: Some(change),
    };
    OutboxEntry::new(event.event_type(), &event, event.consumer_id.clone(), version, at)
}
