//! The consumer's sessions and devices.

use proto::accounts::v1 as accounts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::convert_all;
use super::enums::JourneyStep;

/// The consumer's sessions and known devices.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionList {
    /// Active sessions, newest use first.
    pub(crate) sessions: Vec<SignedInDevice>,
    /// Devices that signed in before and have no active session, newest use first. Failed sign-in attempts on other devices
    /// do not lock them out.
    pub(crate) known_devices: Vec<KnownDevice>,
}

impl From<accounts::SessionList> for SessionList {
    fn from(list: accounts::SessionList) -> Self {
        Self {
            sessions: convert_all(list.sessions),
            known_devices: convert_all(list.known_devices),
        }
    }
}

/// An active session and its device.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignedInDevice {
    pub(crate) session_id: String,
    /// For example "Safari on iPhone"; empty if unknown.
    pub(crate) device_name: String,
    #[schema(format = DateTime)]
    pub(crate) signed_in_at: String,
    /// Accurate to an hour.
    #[schema(format = DateTime)]
    pub(crate) last_seen_at: String,
    /// The session of this call.
    pub(crate) is_current: bool,
}

impl From<accounts::SignedInDevice> for SignedInDevice {
    fn from(session: accounts::SignedInDevice) -> Self {
        Self {
            session_id: session.session_id,
            device_name: session.device_name,
            signed_in_at: session.signed_in_at,
            last_seen_at: session.last_seen_at,
            is_current: session.is_current,
        }
    }
}

/// A device without an active session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct KnownDevice {
    pub(crate) device_id: String,
    /// For example "Safari on iPhone"; empty if unknown.
    pub(crate) name: String,
    #[schema(format = DateTime)]
    pub(crate) last_signed_in_at: String,
}

impl From<accounts::KnownDevice> for KnownDevice {
    fn from(device: accounts::KnownDevice) -> Self {
        Self {
            device_id: device.device_id,
            name: device.name,
            last_signed_in_at: device.last_signed_in_at,
        }
    }
}

/// Ends a session on another device.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EndSessionRequest {
    pub(crate) session_id: String,
}

/// Makes a device unknown.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ForgetDeviceRequest {
    pub(crate) device_id: String,
}

/// Where the session runs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JourneyStepResponse {
    pub(crate) journey_step: JourneyStep,
}

/// Creates a hand-over code.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CreateHandOverCodeRequest {
    /// The key of the native app. The new session is then one of the app; otherwise it has the journey step of the current
    /// session.
    #[serde(default)]
    pub(crate) app_key: Option<String>,
}

/// A code for the `session` parameter of a page, or for exchange.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HandOverCode {
    /// Valid once.
    pub(crate) code: String,
    pub(crate) expires_after_seconds: u32,
}

impl From<accounts::HandOverCode> for HandOverCode {
    fn from(code: accounts::HandOverCode) -> Self {
        Self {
            code: code.code,
            expires_after_seconds: code.expires_after_seconds,
        }
    }
}

/// Exchanges a hand-over code for a session.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExchangeHandOverCodeRequest {
    pub(crate) code: String,
    /// Signs out another consumer who is signed in on the device. Set after the consumer has confirmed it.
    #[serde(default)]
    pub(crate) replaces_consumer: bool,
}
