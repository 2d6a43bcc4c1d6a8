//! Push notifications and how they are turned off.

use proto::accounts::v1::{self as accounts, save_push_subscription_request::Subscription};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Registers this device for push notifications: with `web` in a browser, with `nativeToken` in the native app.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SavePushSubscriptionRequest {
    pub(crate) web: Option<WebPushSubscription>,
    /// Token of the native app's push service.
    pub(crate) native_token: Option<String>,
}

/// The JSON form of the browser's `PushSubscription`. Other fields are ignored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebPushSubscription {
    pub(crate) endpoint: String,
    pub(crate) keys: WebPushKeys,
}

/// Keys of the browser in base64url.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WebPushKeys {
    pub(crate) p256dh: String,
    pub(crate) auth: String,
}

impl From<SavePushSubscriptionRequest> for accounts::SavePushSubscriptionRequest {
    fn from(request: SavePushSubscriptionRequest) -> Self {
        let web = request.web.map(|web| {
            Subscription::Web(accounts::WebPushSubscription {
                endpoint: web.endpoint,
                p256dh: web.keys.p256dh,
                auth: web.keys.auth,
            })
        });
        Self {
            subscription: web.or(request.native_token.map(Subscription::NativeToken)),
        }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StopNotificationsQuery {
    /// The token of the notification.
    pub(crate) token: String,
}

/// What was turned off.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoppedNotifications {
    /// `push`, `sms` or `email`.
    pub(crate) channel: String,
}
