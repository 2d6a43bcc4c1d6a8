//! Typed ids: `UUIDv7` in memory and in Postgres, prefixed text outside (`ord_01h455vb4pex5vsknk084sn02q`), in the
//! `TypeID` format.

use std::fmt;

use jiff::Timestamp;
use type_safe_id::{StaticType, TypeSafeId};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// The prefix is missing, or belongs to another type.
    #[error("expected an id that starts with {expected}_")]
    Prefix { expected: &'static str },
    /// The suffix is not a 128-bit number in base 32.
    #[error("malformed id")]
    Malformed,
}

/// Returns a new `UUIDv7` for an instant: sorts by time, random within a millisecond.
#[expect(
    clippy::disallowed_methods,
    reason = "an id only has to be unique; no decision depends on its random part"
)]
fn new_uuid(at: Timestamp) -> Uuid {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &rand::random()).into_uuid()
}

fn encode<P: StaticType>(id: Uuid) -> TypeSafeId<P> {
    TypeSafeId::from_uuid(id)
}

fn decode<P: StaticType>(text: &str) -> Result<Uuid, IdError> {
    let id: Result<TypeSafeId<P>, _> = text.parse();
    id.map(|id| id.uuid()).map_err(|_| {
        if text
            .strip_prefix(P::TYPE)
            .is_some_and(|rest| rest.starts_with('_'))
        {
            IdError::Malformed
        } else {
            IdError::Prefix { expected: P::TYPE }
        }
    })
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
        #[sqlx(transparent)]
        pub struct $name(Uuid);

        impl $name {
            pub const PREFIX: &'static str = $prefix;

            /// Creates an id for an entity that is created at `at`.
            #[must_use]
            pub fn new(at: Timestamp) -> Self {
                Self(new_uuid(at))
            }

            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }

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

        const _: () = {
            #[derive(Default)]
            struct Prefix;

            impl StaticType for Prefix {
                const TYPE: &'static str = $prefix;
            }

            impl fmt::Display for $name {
                fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                    fmt::Display::fmt(&encode::<Prefix>(self.0), out)
                }
            }

            impl std::str::FromStr for $name {
                type Err = IdError;

                fn from_str(text: &str) -> Result<Self, IdError> {
                    decode::<Prefix>(text).map(Self)
                }
            }
        };

        impl fmt::Debug for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, out)
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
    ConsumerId = "usr";
    SessionId = "ses";
    CompanyId = "cmp";
    StoreId = "str";
    /// Credential of stores' own systems.
    CredentialId = "crd";
    /// Category of a menu.
    CategoryId = "cat";
    /// Item on a menu.
    ItemId = "itm";
    /// Size of an item.
    SizeId = "siz";
    /// Group of choices of an item.
    ModificationId = "mod";
    /// Choice in a modification.
    ChoiceId = "cho";
    /// Item that a consumer saved with its customization.
    UsualItemId = "usu";
    OrderId = "ord";
    /// Subscription of a company to the events of its orders.
    WebhookSubscriptionId = "whk";
    /// Delivery of an event to a subscription.
    WebhookDeliveryId = "whd";
    PaymentMethodId = "pay";
    ChargeId = "chg";
    /// Refund of a charge or of a part of it.
    RefundId = "rfd";
    /// Amount that a consumer owes because a bank returned a debit.
    DebtId = "dbt";
    /// Attempt to recover a debt.
    RecoveryId = "rcv";
    /// Balance of stored value.
    BalanceId = "bal";
    /// Purchase of stored value.
    PurchaseId = "pur";
    /// Gift card or company card.
    GiftCardId = "gft";
    /// Deal on stored value.
    DealId = "dea";
    /// Payment at the counter with stored value.
    CounterPaymentId = "ctp";
    /// Entry in a ledger.
    EntryId = "ent";
    /// Message in a consumer's inbox.
    MessageId = "msg";
    /// Event between services.
    EventId = "evt";
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_of_the_typeid_specification_is_parsed() {
        let id: OrderId = "ord_01h455vb4pex5vsknk084sn02q".parse().unwrap();
        assert_eq!(
            id.uuid(),
            Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").unwrap()
        );
    }

    #[test]
    fn ids_of_other_types_and_malformed_ids_are_rejected() {
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
    fn ids_sort_by_creation_time() {
        let first = OrderId::new(Timestamp::from_millisecond(1_000).unwrap());
        let second = OrderId::new(Timestamp::from_millisecond(1_001).unwrap());
        assert!(first < second && first.to_string() < second.to_string());
    }

    proptest! {
        #[test]
        fn a_displayed_id_parses_to_itself(bits: u128) {
            let id = OrderId::from_uuid(Uuid::from_u128(bits));
            prop_assert_eq!(id.to_string().parse::<OrderId>(), Ok(id));
        }
    }
}
