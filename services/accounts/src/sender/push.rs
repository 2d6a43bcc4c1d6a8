//! Sender of push notifications: to browsers by Web Push, to the native app over an HTTP API, or to a file.

use serde_json::{Value, json};
use types::{Clock, SystemClock};

use super::{
    SendError, check_status, json_lines::JsonLines, native_push::NativePush, push_message::PushMessage,
    send_request, web_push::WebPush,
};
use crate::domain::push::PushSubscription;

#[derive(Debug, thiserror::Error)]
pub(crate) enum PushError {
    /// The push service no longer knows the device.
    #[error("the device is gone")]
    Gone,
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Where pushes are sent. The file is used for devices that cannot be reached otherwise.
#[derive(Debug, Default)]
pub(crate) struct PushSender {
    pub(super) web: Option<WebPush>,
    pub(super) native: Option<NativePush>,
    pub(super) file: Option<JsonLines>,
}

impl PushSender {
    pub(crate) const fn is_configured(&self) -> bool {
        self.web.is_some() || self.native.is_some() || self.file.is_some()
    }

    /// Returns the public key with which browsers register.
    pub(crate) fn web_key(&self) -> Option<&str> {
        self.web.as_ref().map(WebPush::public_key)
    }

    pub(crate) async fn send(
        &self,
        subscription: &PushSubscription,
        message: &PushMessage,
    ) -> Result<(), PushError> {
        let request = match (subscription, &self.web, &self.native) {
            (
                PushSubscription::Web {
                    endpoint,
                    p256dh,
                    auth,
                },
                Some(web),
                _,
            ) => web
                .request(endpoint, p256dh, auth, message, SystemClock.now())
                .map_err(SendError::Permanent)?,
            (PushSubscription::Native { token }, _, Some(native)) => native.request(token, message),
            _ => return self.append(subscription, message).await,
        };
        let status = send_request(request).await?.status();
        if matches!(status.as_u16(), 404 | 410) {
            return Err(PushError::Gone);
        }
        Ok(check_status(status, "")?)
    }

    async fn append(&self, subscription: &PushSubscription, message: &PushMessage) -> Result<(), PushError> {
        let Some(file) = &self.file else {
            let error = anyhow::anyhow!("no push service is configured for this device");
            return Err(SendError::Permanent(error).into());
        };
        let line: Value = json!({ "to": subscription.endpoint(), "message": message });
        Ok(file.append(&line).await?)
    }
}
