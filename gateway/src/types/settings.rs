//! The consumer's settings.

use proto::accounts::v1 as accounts;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wallet::AutoReload;

/// The consumer's settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Settings {
    pub(crate) notifications: NotificationSettings,
    /// Vehicle for curbside pickup; empty if not given.
    pub(crate) vehicle: String,
    /// IANA name of the consumer's time zone, for quiet hours; empty if unknown.
    pub(crate) time_zone: String,
    /// Public key with which browsers register for push notifications (VAPID); empty if they are not configured.
    pub(crate) push_key: String,
    /// Null if gift-cards is unavailable.
    #[schema(required)]
    pub(crate) auto_reload: Option<AutoReload>,
}

impl Settings {
    pub(crate) fn new(settings: accounts::Settings, auto_reload: Option<AutoReload>) -> Self {
        Self {
            notifications: settings.notifications.unwrap_or_default().into(),
            vehicle: settings.vehicle,
            time_zone: settings.time_zone,
            push_key: settings.push_key,
            auto_reload,
        }
    }
}

/// Channels on which the consumer gets notifications. Sign-in codes do not depend on them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotificationSettings {
    pub(crate) push: bool,
    pub(crate) sms: bool,
    pub(crate) email: bool,
}

impl From<accounts::NotificationSettings> for NotificationSettings {
    fn from(settings: accounts::NotificationSettings) -> Self {
        Self {
            push: settings.push,
            sms: settings.sms,
            email: settings.email,
        }
    }
}

/// Changes settings. Fields that are absent or null are unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SaveSettingsRequest {
    pub(crate) notifications: Option<NotificationChanges>,
    /// Vehicle for curbside pickup; empty to delete it.
    pub(crate) vehicle: Option<String>,
    /// IANA name of the consumer's time zone.
    pub(crate) time_zone: Option<String>,
}

/// Changes channels for notifications. Fields that are absent or null are unchanged.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NotificationChanges {
    pub(crate) push: Option<bool>,
    pub(crate) sms: Option<bool>,
    pub(crate) email: Option<bool>,
}

impl From<SaveSettingsRequest> for accounts::SaveSettingsRequest {
    fn from(request: SaveSettingsRequest) -> Self {
        let notifications = request.notifications.unwrap_or_default();
        Self {
            push: notifications.push,
            sms: notifications.sms,
            email: notifications.email,
            vehicle: request.vehicle,
            time_zone: request.time_zone,
        }
    }
}
