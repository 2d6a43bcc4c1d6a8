//! Typed ids: UUIDv7 inside and in Postgres, prefixed Crockford base 32 outside (`ord_01h455vb4pex5vsknk084sn02q`),
//! after the `TypeID` specification 0.3.

use std::fmt;

use jiff::Timestamp;
use uuid::Uuid;

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX_LENGTH: usize = 26;

/// Why a text is no id of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The prefix is another kind's, or missing.
    #[error("expected an id that starts with {expected}_")]
    Prefix {
        /// The prefix that was wanted.
        expected: &'static str,
    },
    /// The part after the prefix is no 128-bit number in base 32.
    #[error("malformed id")]
    Malformed,
}

fn encode(id: Uuid) -> String {
    let bits = id.as_u128();
    let digit = |place: usize| {
        let shift = 5 * (SUFFIX_LENGTH - 1 - place);
        let value = usize::try_from((bits >> shift) & 31).unwrap_or_default();
        char::from(ALPHABET[value])
    };
    (0..SUFFIX_LENGTH).map(digit).collect()
}

fn decode(suffix: &str) -> Result<Uuid, IdError> {
    // 26 digits hold 130 bits: the first may not pass 7, or the number would not fit.
    if suffix.len() != SUFFIX_LENGTH || !matches!(suffix.as_bytes()[0], b'0'..=b'7') {
        return Err(IdError::Malformed);
    }
    let mut bits: u128 = 0;
    for byte in suffix.bytes() {
        let value = ALPHABET
            .iter()
            .position(|&digit| digit == byte)
            .ok_or(IdError::Malformed)?;
        bits = (bits << 5) | u128::try_from(value).map_err(|_| IdError::Malformed)?;
    }
    Ok(Uuid::from_u128(bits))
}

/// A fresh UUIDv7 for an instant: sorts by time, random within a millisecond.
#[expect(
    clippy::disallowed_methods,
    reason = "an id only has to be unique; nothing is decided by its random part"
)]
fn fresh(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
        #[sqlx(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// What its text starts with.
            pub const PREFIX: &'static str = $prefix;

            /// A fresh id for something that comes to be at `at`.
            #[must_use]
            pub fn new(at: Timestamp) -> Self {
                Self(fresh(at))
            }

            /// The id as Postgres keeps it.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

            /// An id from what Postgres kept.
            #[must_use]
            pub const fn from_uuid(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(out, concat!($prefix, "_{}"), encode(self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                let suffix = text.strip_prefix(concat!($prefix, "_")).ok_or(IdError::Prefix { expected: $prefix })?;
                decode(suffix).map(Self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                let text = String::deserialize(input)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

ids! {
    /// A consumer.
    ConsumerId = "usr";
    /// A session of a consumer.
    SessionId = "ses";
    /// A company that runs stores.
    CompanyId = "cmp";
    /// A store.
    StoreId = "str";
    /// A credential that stores' own systems sign in with.
    CredentialId = "crd";
    /// A category of a menu.
    CategoryId = "cat";
    /// An item on a menu.
    ItemId = "itm";
    /// A size of an item.
    SizeId = "siz";
    /// A group of choices of an item.
    ModificationId = "mod";
    /// A choice in such a group.
    ChoiceId = "cho";
    /// An order.
    OrderId = "ord";
    /// A payment method.
    PaymentMethodId = "pay";
    /// A charge on a payment method.
    ChargeId = "chg";
    /// A balance of stored value.
    BalanceId = "bal";
    /// An entry of a ledger.
    EntryId = "ent";
    /// A message in an inbox.
    MessageId = "msg";
    /// An event between services.
    EventId = "evt";
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_example_of_the_specification() {
        let id: OrderId = "ord_01h455vb4pex5vsknk084sn02q".parse().unwrap();
        assert_eq!(
            id.uuid(),
            Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
        );
    }

    #[test]
    fn refuses_other_kinds_and_rubbish() {
        assert_eq!(
            "str_01h455vb4pex5vsknk084sn02q".parse::<OrderId>(),
            Err(IdError::Prefix { expected: "ord" })
        );
        for text in [
            "ord_",
            "ord_8zzzzzzzzzzzzzzzzzzzzzzzzz",
            "ord_01H455VB4PEX5VSKNK084SN02Q",
            "ord_é1h455vb4pex5vsknk084sn02",
        ] {
            assert_eq!(text.parse::<OrderId>(), Err(IdError::Malformed), "{text}");
        }
    }

    #[test]
    fn later_ids_sort_later() {
        let earlier = OrderId::new(Timestamp::from_millisecond(1_000).unwrap());
        let later = OrderId::new(Timestamp::from_millisecond(1_001).unwrap());
        assert!(earlier < later && earlier.to_string() < later.to_string());
    }

    proptest! {
        #[test]
        fn text_and_back(bits: u128) {
            let id = OrderId::from_uuid(Uuid::from_u128(bits));
            prop_assert_eq!(id.to_string().parse::<OrderId>(), Ok(id));
        }
    }
}
