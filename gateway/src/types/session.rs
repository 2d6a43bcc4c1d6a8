//! Where the consumer is signed in.

use proto::accounts::v1 as accounts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::convert_all;

/// The consumer's sessions and known devices.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionList {
    /// Active sessions, most recently used first.
    pub(crate) sessions: Vec<SignedInDevice>,
    /// Devices that signed in before and have no active session, most recently used first. Others cannot lock them out.
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
