//! Signatures of webhooks. Checked here rather than by the provider's library, which reads the machine's clock and
//! refuses a whole event for a field that it does not know.

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// How far a signature's time may be from ours, either way.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

/// Why a webhook is not taken for the provider's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// The header does not say when and with what.
    #[error("malformed signature")]
    Malformed,
    /// Not signed with our secret, or changed on the way.
    #[error("wrong signature")]
    Wrong,
    /// Signed too long ago, or in the future: perhaps recorded and replayed.
    #[error("stale signature")]
    Stale,
}

/// Checks that the provider signed this payload, and lately. While a secret is being changed the header carries a
/// signature by each; one that fits is enough.
///
/// # Errors
/// [`SignatureError`].
pub fn check(
    payload: &[u8],
    header: &str,
    secret: &SecretString,
    now: Timestamp,
) -> Result<(), SignatureError> {
    let mut at = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", seconds)) => at = seconds.parse::<i64>().ok(),
            Some(("v1", digits)) => {
                signatures.push(hex::decode(digits).map_err(|_| SignatureError::Malformed)?)
            }
            // Other schemes are the provider's business.
            Some(_) => {}
            None => return Err(SignatureError::Malformed),
        }
    }
    let at = at.ok_or(SignatureError::Malformed)?;
    let signed_at = Timestamp::from_second(at).map_err(|_| SignatureError::Malformed)?;
    let mac = signed(payload, at, secret)?;
    // Compared in constant time.
    if !signatures
        .iter()
        .any(|signature| mac.clone().verify_slice(signature).is_ok())
    {
        return Err(SignatureError::Wrong);
    }
    // Only then the age: who cannot sign learns nothing about it.
    if now.duration_since(signed_at).abs() > TOLERANCE {
        return Err(SignatureError::Stale);
    }
    Ok(())
}

fn signed(payload: &[u8], at: i64, secret: &SecretString) -> Result<Hmac<Sha256>, SignatureError> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
        .map_err(|_| SignatureError::Malformed)?;
    mac.update(at.to_string().as_bytes());
    mac.update(b".");
    mac.update(payload);
    Ok(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAYLOAD: &[u8] = br#"{"id":"evt_1"}"#;

    fn secret(text: &str) -> SecretString {
        SecretString::from(text)
    }

    fn header(payload: &[u8], at: i64, with: &str) -> String {
        let mac = signed(payload, at, &secret(with)).unwrap();
        format!("t={at},v1={}", hex::encode(mac.finalize().into_bytes()))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn takes_what_is_signed_with_our_secret() {
        let header = header(PAYLOAD, 1_000, "whsec_ours");
        assert_eq!(check(PAYLOAD, &header, &secret("whsec_ours"), at(1_299)), Ok(()));
        let rotated = format!("{header},v1={},v0=00", "00".repeat(32));
        assert_eq!(check(PAYLOAD, &rotated, &secret("whsec_ours"), at(1_000)), Ok(()));
    }

    #[test]
    fn refuses_what_is_forged_changed_or_old() {
        let ours = secret("whsec_ours");
        let header = header(PAYLOAD, 1_000, "whsec_ours");
        assert_eq!(
            check(PAYLOAD, &header, &secret("whsec_theirs"), at(1_000)),
            Err(SignatureError::Wrong)
        );
        assert_eq!(
            check(b"{}", &header, &ours, at(1_000)),
            Err(SignatureError::Wrong)
        );
        let moved = header.replace("t=1000", "t=1200");
        assert_eq!(
            check(PAYLOAD, &moved, &ours, at(1_200)),
            Err(SignatureError::Wrong)
        );
        for now in [1_301, 699] {
            assert_eq!(
                check(PAYLOAD, &header, &ours, at(now)),
                Err(SignatureError::Stale)
            );
        }
    }

    #[test]
    fn refuses_headers_that_say_nothing() {
        for header in [
            "",
            "t=1",
            "v1=00",
            "t=x,v1=00",
            "t=1,v1=zz",
            "t=99999999999999,v1=00",
            "nonsense",
        ] {
            let refused = check(PAYLOAD, header, &secret("whsec_ours"), at(1));
            assert!(
                matches!(refused, Err(SignatureError::Malformed | SignatureError::Wrong)),
                "{header}"
            );
        }
    }
}
