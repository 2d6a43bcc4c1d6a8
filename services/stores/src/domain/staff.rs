//! Store codes, PINs and sessions of the staff of stores.

use std::{fmt, str::FromStr, time::Duration};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use jiff::{SignedDuration, Timestamp};
use kit::InternalError;
use rand::RngExt;
use secrecy::{ExposeSecret, SecretString};
use types::{CredentialId, StoreId};

pub const SESSION_LIFETIME: SignedDuration = SignedDuration::from_hours(12);

/// Maximum number of failed attempts from one address in [`ADDRESS_WINDOW`], and of one known device.
pub(crate) const MAX_ATTEMPTS_PER_ADDRESS: i64 = 10;
pub(crate) const ADDRESS_WINDOW: SignedDuration = SignedDuration::from_mins(15);
/// After this many failed attempts of unknown devices for one store in [`STORE_WINDOW`], unknown devices are throttled: they
/// have to wait [`THROTTLE_INTERVAL`] between attempts.
pub(crate) const MAX_UNTHROTTLED_ATTEMPTS_PER_STORE: i64 = 40;
pub(crate) const STORE_WINDOW: SignedDuration = SignedDuration::from_hours(1);
pub(crate) const THROTTLE_INTERVAL: SignedDuration = SignedDuration::from_secs(90);
/// A device that did not sign in for this long is unknown again.
pub(crate) const DEVICE_LIFETIME: SignedDuration = SignedDuration::from_hours(90 * 24);

const MIN_CODE_CHARS: usize = 4;
const MAX_CODE_CHARS: usize = 32;
const MIN_PIN_DIGITS: usize = 6;
const MAX_PIN_DIGITS: usize = 12;
/// Excludes letters and digits that look alike.
const CODE_ALPHABET: &[u8] = b"ABCDEFGHJKMNPQRSTUVWXYZ23456789";
const NEW_CODE_CHARS: usize = 6;

/// A code that identifies a store at staff sign-in. Upper case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreCode(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {MIN_CODE_CHARS} to {MAX_CODE_CHARS} letters, digits or hyphens")]
pub struct InvalidStoreCode;

impl StoreCode {
    pub(crate) fn generate() -> Self {
        let mut rng = rand::rng();
        let chars = (0..NEW_CODE_CHARS).map(|_| CODE_ALPHABET[rng.random_range(0..CODE_ALPHABET.len())]);
        Self(chars.map(char::from).collect())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for StoreCode {
    type Err = InvalidStoreCode;

    fn from_str(text: &str) -> Result<Self, InvalidStoreCode> {
        let code = text.trim().to_ascii_uppercase();
        let is_valid = (MIN_CODE_CHARS..=MAX_CODE_CHARS).contains(&code.len())
            && code
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_valid {
            Ok(Self(code))
        } else {
            Err(InvalidStoreCode)
        }
    }
}

impl fmt::Display for StoreCode {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// The secret that the staff of a store share.
#[derive(Debug, Clone)]
pub struct Pin(SecretString);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {MIN_PIN_DIGITS} to {MAX_PIN_DIGITS} digits")]
pub struct InvalidPin;

impl Pin {
    pub(crate) fn generate() -> Self {
        let mut rng = rand::rng();
        let digits: String = (0..MIN_PIN_DIGITS)
            .map(|_| char::from(rng.random_range(b'0'..=b'9')))
            .collect();
        Self(SecretString::from(digits))
    }

    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// Takes about 20 ms of one processor.
    pub(crate) fn hash(&self) -> Result<String, InternalError> {
        Argon2::default()
            .hash_password(self.expose().as_bytes())
            .map(|hash| hash.to_string())
            .map_err(InternalError::invariant_violated)
    }

    /// Compares with a stored hash. Takes as long as [`Self::hash`].
    pub(crate) fn matches(&self, hash: &str) -> Result<bool, InternalError> {
        let hash = PasswordHash::new(hash).map_err(InternalError::invariant_violated)?;
        Ok(Argon2::default()
            .verify_password(self.expose().as_bytes(), &hash)
            .is_ok())
    }
}

impl FromStr for Pin {
    type Err = InvalidPin;

    fn from_str(text: &str) -> Result<Self, InvalidPin> {
        let pin = text.trim();
        let is_valid = (MIN_PIN_DIGITS..=MAX_PIN_DIGITS).contains(&pin.len())
            && pin.bytes().all(|byte| byte.is_ascii_digit());
        if is_valid {
            Ok(Self(SecretString::from(pin)))
        } else {
            Err(InvalidPin)
        }
    }
}

/// The credentials as typed, and the client.
#[derive(Debug)]
pub struct SignIn {
    pub store_code: String,
    pub pin: SecretString,
    pub client_address: String,
    /// Empty if unknown.
    pub device_id: SecretString,
    /// Reject devices that did not sign in to the store before.
    pub known_devices_only: bool,
}

/// What an attempt counts for: the device if it signed in to the store before, otherwise the store and the address. So
/// attempts on other devices cannot lock out a known one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt<'a> {
    /// Empty if the code is malformed.
    pub(crate) store_code: &'a str,
    pub(crate) client_address: &'a str,
    /// Empty for an unknown device.
    pub(crate) device_hash: &'a [u8],
}

impl Attempt<'_> {
    pub(crate) const fn is_of_known_device(&self) -> bool {
        !self.device_hash.is_empty()
    }
}

/// A session of the staff of one store.
#[derive(Debug)]
pub struct StaffSession {
    pub(crate) id: CredentialId,
    pub(crate) store_id: StoreId,
    pub(crate) expires_at: Timestamp,
}

/// Failed attempts within a window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecentAttempts {
    pub(crate) count: i64,
    pub(crate) oldest: Option<Timestamp>,
    pub(crate) newest: Option<Timestamp>,
}

impl RecentAttempts {
    /// Returns the time until the oldest attempt leaves the window, or `None` if another attempt is allowed.
    pub(crate) fn lockout(&self, max: i64, window: SignedDuration, now: Timestamp) -> Option<Duration> {
        (self.count >= max).then(|| {
            let oldest = self.oldest.unwrap_or(now);
            (oldest + window).duration_since(now).unsigned_abs()
        })
    }

    /// Returns the rest of `interval` since the newest attempt if there were `max` attempts, or `None` if another attempt is
    /// allowed.
    pub(crate) fn throttle_delay(
        &self,
        max: i64,
        interval: SignedDuration,
        now: Timestamp,
    ) -> Option<Duration> {
        let next = self.newest.filter(|_| self.count >= max)? + interval;
        (next > now).then(|| next.duration_since(now).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_case_insensitive_and_pins_are_digits_only() {
        assert_eq!(" seed-01 ".parse::<StoreCode>().unwrap().as_str(), "SEED-01");
        for invalid in ["", "abc", "a b c", "käse1", &"A".repeat(33)] {
            assert!(invalid.parse::<StoreCode>().is_err(), "{invalid}");
        }
        assert_eq!(" 123456".parse::<Pin>().unwrap().expose(), "123456");
        for invalid in ["", "12345", "1234567890123", "12345a", "１２３４５６"] {
            assert!(invalid.parse::<Pin>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn generated_codes_and_pins_are_valid_and_a_pin_matches_only_its_own_hash() {
        for _ in 0..100 {
            assert!(StoreCode::generate().as_str().parse::<StoreCode>().is_ok());
            assert!(Pin::generate().expose().parse::<Pin>().is_ok());
        }
        let (pin, other): (Pin, Pin) = ("123456".parse().unwrap(), "123457".parse().unwrap());
        let hash = pin.hash().unwrap();
        assert!(pin.matches(&hash).unwrap() && !other.matches(&hash).unwrap());
        assert_ne!(hash, pin.hash().unwrap(), "salted");
    }

    #[test]
    fn a_lockout_ends_with_the_window_and_throttling_with_the_interval() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1);
        let attempts = |count| RecentAttempts {
            count,
            oldest: Some(now - SignedDuration::from_mins(10)),
            newest: Some(now - SignedDuration::from_mins(1)),
        };
        let lockout = |count| attempts(count).lockout(3, SignedDuration::from_mins(15), now);
        assert_eq!(lockout(2), None);
        assert_eq!(lockout(3), Some(Duration::from_mins(5)));
        let throttle_delay =
            |count, secs| attempts(count).throttle_delay(3, SignedDuration::from_secs(secs), now);
        assert_eq!(throttle_delay(2, 90), None);
        assert_eq!(throttle_delay(3, 90), Some(Duration::from_secs(30)));
        assert_eq!(throttle_delay(3, 60), None);
    }
}
