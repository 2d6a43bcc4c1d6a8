//! Receipts, and the signatures of their public links.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use types::OrderId;

use super::{
    order::{Order, OrderDetails},
    status::Status,
};

const MIN_SECRET_BYTES: usize = 32;

/// An order as its receipt shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    pub order: Order,
    pub completed_at: Option<Timestamp>,
    /// Signature of the public link; empty on the public receipt.
    pub signature: String,
}

impl Receipt {
    /// Returns `None` if the order was never placed.
    #[must_use]
    pub fn of(details: OrderDetails, signature: String) -> Option<Self> {
        let OrderDetails { order, history } = details;
        if matches!(order.status, Status::PaymentPending | Status::PaymentFailed) {
            return None;
        }
        let completed = history.iter().find(|change| change.status == Status::Completed);
        Some(Self {
            completed_at: completed.map(|change| change.at),
            order,
            signature,
        })
    }

    /// Removes the notes, which may contain personal data. The public receipt has no other field with personal data.
    #[must_use]
    pub fn into_public(mut self) -> Self {
        for line in &mut self.order.lines {
            line.note.clear();
        }
        self.signature.clear();
        self
    }
}

/// Signs the public links of receipts. A second secret is accepted while secrets are rotated.
#[derive(Clone)]
pub struct ReceiptKeys {
    signing: SecretString,
    accepted: Option<SecretString>,
}

impl std::fmt::Debug for ReceiptKeys {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ReceiptKeys")
    }
}

impl ReceiptKeys {
    /// # Errors
    /// A secret is shorter than 32 bytes. The second secret may be empty.
    pub fn new(signing: SecretString, accepted: SecretString) -> anyhow::Result<Self> {
        let accepted = Some(accepted).filter(|secret| !secret.expose_secret().is_empty());
        for (name, secret) in [
            ("RECEIPT_SECRET", Some(&signing)),
            ("RECEIPT_SECRET_ACCEPTED", accepted.as_ref()),
        ] {
            let is_long = secret.is_none_or(|secret| secret.expose_secret().len() >= MIN_SECRET_BYTES);
            anyhow::ensure!(
                is_long,
                "bad configuration: {name}: expected at least {MIN_SECRET_BYTES} bytes"
            );
        }
        Ok(Self { signing, accepted })
    }

    #[must_use]
    pub fn sign(&self, order_id: OrderId) -> String {
        URL_SAFE_NO_PAD.encode(mac(&self.signing, order_id).finalize().into_bytes())
    }

    /// Compares in constant time.
    #[must_use]
    pub fn is_valid(&self, order_id: OrderId, signature: &str) -> bool {
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else {
            return false;
        };
        [Some(&self.signing), self.accepted.as_ref()]
            .into_iter()
            .flatten()
            .any(|secret| mac(secret, order_id).verify_slice(&signature).is_ok())
    }
}

fn mac(secret: &SecretString, order_id: OrderId) -> Hmac<Sha256> {
    #[expect(clippy::expect_used, reason = "HMAC accepts keys of any length")]
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()).expect("any length");
    // The prefix separates these signatures from other uses of the secret.
    mac.update(b"receipt\0");
    mac.update(order_id.uuid().as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(text: &str) -> SecretString {
        text.repeat(MIN_SECRET_BYTES).into()
    }

    #[test]
    fn a_signature_is_valid_for_its_order_and_its_secret_only() {
        let at = Timestamp::UNIX_EPOCH;
        let (order_id, other) = (OrderId::new(at), OrderId::new(at));
        let keys = ReceiptKeys::new(secret("a"), "".into()).unwrap();
        let signature = keys.sign(order_id);
        assert!(keys.is_valid(order_id, &signature));
        assert!(!keys.is_valid(other, &signature));
        let truncated = &signature[..signature.len() - 2];
        for invalid in ["", "?", truncated, &keys.sign(other)] {
            assert!(!keys.is_valid(order_id, invalid), "{invalid}");
        }
        let foreign = ReceiptKeys::new(secret("b"), "".into()).unwrap();
        assert!(!foreign.is_valid(order_id, &signature));
    }

    #[test]
    fn links_stay_valid_while_secrets_are_rotated() {
        let order_id = OrderId::new(Timestamp::UNIX_EPOCH);
        let old = ReceiptKeys::new(secret("a"), "".into()).unwrap();
        let rotated = ReceiptKeys::new(secret("b"), secret("a")).unwrap();
        assert!(rotated.is_valid(order_id, &old.sign(order_id)));
        assert!(!old.is_valid(order_id, &rotated.sign(order_id)));
    }

    #[test]
    fn short_secrets_are_rejected() {
        assert!(ReceiptKeys::new("short".into(), "".into()).is_err());
        assert!(ReceiptKeys::new(secret("a"), "short".into()).is_err());
    }
}
