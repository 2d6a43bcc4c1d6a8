//! Verification of webhook signatures. The provider's library is not used, because it reads the system clock and
//! rejects events with unknown fields.

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

/// Maximum difference between the signature's time and ours, in either direction.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    #[error("malformed signature header")]
    Malformed,
    /// Signed with another secret, or the payload was changed.
    #[error("wrong signature")]
    Wrong,
    /// Outside the tolerance: possibly a replay.
    #[error("stale signature")]
    Stale,
}

/// Verifies that the provider signed this payload within the tolerance. During a rotation of the secret the header has one
/// signature per secret, of which one must match.
pub fn verify(
    payload: &[u8],
    header: &str,
    secret: &SecretString,
    now: Timestamp,
) -> Result<(), SignatureError> {
    let mut signed_at_seconds = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", seconds)) => signed_at_seconds = seconds.parse::<i64>().ok(),
            Some(("v1", digits)) => {
                signatures.push(hex::decode(digits).map_err(|_| SignatureError::Malformed)?);
            }
            // Signatures of other schemes.
            Some(_) => {}
            None => return Err(SignatureError::Malformed),
        }
    }
    let seconds = signed_at_seconds.ok_or(SignatureError::Malformed)?;
    let signed_at = Timestamp::from_second(seconds).map_err(|_| SignatureError::Malformed)?;
    let mac = expected_mac(payload, seconds, secret)?;
    // `verify_slice` compares in constant time.
    if !signatures
        .iter()
        .any(|signature| mac.clone().verify_slice(signature).is_ok())
    {
        return Err(SignatureError::Wrong);
    }
    // Checked last, so that only the owner of the secret learns about the tolerance.
    if now.duration_since(signed_at).abs() > TOLERANCE {
        return Err(SignatureError::Stale);
    }
    Ok(())
}

fn expected_mac(payload: &[u8], seconds: i64, secret: &SecretString) -> Result<Hmac<Sha256>, SignatureError> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes())
        .map_err(|_| SignatureError::Malformed)?;
    mac.update(seconds.to_string().as_bytes());
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

    fn header(payload: &[u8], at: i64, with_secret: &str) -> String {
        let mac = expected_mac(payload, at, &secret(with_secret)).unwrap();
        format!("t={at},v1={}", hex::encode(mac.finalize().into_bytes()))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn a_signature_with_our_secret_is_accepted() {
        let header = header(PAYLOAD, 1_000, "whsec_ours");
        assert_eq!(verify(PAYLOAD, &header, &secret("whsec_ours"), at(1_299)), Ok(()));
        let rotated = format!("{header},v1={},v0=00", "00".repeat(32));
        assert_eq!(
            verify(PAYLOAD, &rotated, &secret("whsec_ours"), at(1_000)),
            Ok(())
        );
    }

    #[test]
    fn forged_changed_and_stale_signatures_are_rejected() {
        let ours = secret("whsec_ours");
        let header = header(PAYLOAD, 1_000, "whsec_ours");
        assert_eq!(
            verify(PAYLOAD, &header, &secret("whsec_theirs"), at(1_000)),
            Err(SignatureError::Wrong)
        );
        assert_eq!(
            verify(b"{}", &header, &ours, at(1_000)),
            Err(SignatureError::Wrong)
        );
        let changed_time = header.replace("t=1000", "t=1200");
        assert_eq!(
            verify(PAYLOAD, &changed_time, &ours, at(1_200)),
            Err(SignatureError::Wrong)
        );
        for now in [1_301, 699] {
            assert_eq!(
                verify(PAYLOAD, &header, &ours, at(now)),
                Err(SignatureError::Stale)
            );
        }
    }

    #[test]
    fn malformed_headers_are_rejected() {
        for header in [
            "",
            "t=1",
            "v1=00",
            "t=x,v1=00",
            "t=1,v1=zz",
            "t=99999999999999,v1=00",
            "nonsense",
        ] {
            let result = verify(PAYLOAD, header, &secret("whsec_ours"), at(1));
            assert!(
                matches!(result, Err(SignatureError::Malformed | SignatureError::Wrong)),
                "{header}"
            );
        }
    }
}
