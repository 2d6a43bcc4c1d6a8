use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

/// What the device receives. The service worker of the web app and the native app read these fields.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PushMessage {
    /// The device shows a message with the same id once.
    pub(crate) id: String,
    /// A device on which another consumer signed in since does not show the message.
    pub(crate) consumer_id: String,
    pub(crate) title: String,
    pub(crate) body: String,
    /// The page that it opens.
    pub(crate) path: String,
    /// Turns off push notifications.
    pub(crate) stop_token: String,
    /// The push subscription.
    #[serde(skip)]
    pub(crate) device_id: Uuid,
    /// The push service discards the message afterwards.
    #[serde(skip)]
    pub(crate) expires_at: Timestamp,
    /// The time left until then.
    #[serde(skip)]
    pub(crate) seconds_to_live: u64,
}
