use std::time::Duration;

use super::phone::Phone;

/// A sign-in code that is to be sent by text message.
#[derive(Debug)]
pub struct SentCode {
    pub phone: Phone,
    pub resend_after: Duration,
    pub expires_after: Duration,
}
