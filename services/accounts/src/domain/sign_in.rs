use std::time::Duration;

use contacts::{Countries, Phone};
use secrecy::{ExposeSecret, SecretString};
use types::limits::SIGN_IN_CODE_DIGITS;

/// A sign-in code that is to be sent by text message.
#[derive(Debug)]
pub struct SentCode {
    pub phone: Phone,
    pub resend_after: Duration,
    pub expires_after: Duration,
}

/// An attempt to sign in, as received.
#[derive(Debug)]
pub struct VerifyCommand {
    pub phone: String,
    pub code: String,
    /// Empty if the device has none.
    pub device_id: String,
    pub user_agent: String,
    /// Share code of the consumer who invited this one, as typed. May be empty or unknown.
    pub share_code: String,
}

/// A phone number with a fixed code that is not sent, so that reviewers of the app can sign in. All limits apply to it.
#[derive(Debug, Clone)]
pub struct DemoLogin {
    pub phone: Phone,
    pub code: SecretString,
}

impl DemoLogin {
    /// Reads the settings; both or neither must be set.
    ///
    /// # Errors
    /// Only one is set, the number is invalid, or the code does not have [`SIGN_IN_CODE_DIGITS`] digits.
    pub fn from_settings(
        phone: Option<&str>,
        code: Option<&SecretString>,
        countries: &Countries,
    ) -> anyhow::Result<Option<Self>> {
        let phone = phone.filter(|phone| !phone.is_empty());
        let code = code.filter(|code| !code.expose_secret().is_empty());
        let (phone, code) = match (phone, code) {
            (None, None) => return Ok(None),
            (Some(phone), Some(code)) => (phone, code),
            _ => anyhow::bail!("bad configuration: DEMO_LOGIN_PHONE, DEMO_LOGIN_CODE: set both or neither"),
        };
        let phone = Phone::parse(phone, countries)
            .map_err(|error| anyhow::anyhow!("bad configuration: DEMO_LOGIN_PHONE: {error}"))?;
        let digits = code.expose_secret();
        anyhow::ensure!(
            digits.len() == SIGN_IN_CODE_DIGITS && digits.bytes().all(|digit| digit.is_ascii_digit()),
            "bad configuration: DEMO_LOGIN_CODE: expected {SIGN_IN_CODE_DIGITS} digits"
        );
        let code = code.clone();
        Ok(Some(Self { phone, code }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn demo_login(phone: Option<&str>, code: Option<&str>) -> anyhow::Result<Option<DemoLogin>> {
        let code = code.map(SecretString::from);
        DemoLogin::from_settings(phone, code.as_ref(), &Countries::parse("US").unwrap())
    }

    #[test]
    fn the_demo_login_is_off_by_default_and_needs_a_number_and_a_code() {
        assert!(demo_login(None, None).unwrap().is_none());
        assert!(demo_login(Some(""), Some("")).unwrap().is_none());
        assert!(demo_login(Some("4155550100"), Some("123456")).unwrap().is_some());
        for (phone, code) in [
            (Some("4155550100"), None),
            (None, Some("123456")),
            (Some("555"), Some("123456")),
            (Some("4155550100"), Some("12345")),
            (Some("4155550100"), Some("12345x")),
        ] {
            assert!(demo_login(phone, code).is_err(), "{phone:?} {code:?}");
        }
    }
}
