use std::time::Duration;

use super::phone::Phone;

/// A sign-in code on its way to a phone.
#[derive(Debug)]
pub struct SentCode {
    pub phone: Phone,
    pub resend_after: Duration,
    pub expires_after: Duration,
}
