//! Enumerations of the API.

use std::str::FromStr;

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use proto::values::v1 as values;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A service sent an enum value that this version of the gateway does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("unknown {0}")]
pub(crate) struct UnknownValue(pub(crate) &'static str);

/// Status of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum OrderStatus {
    /// Being placed, or waiting for the consumer to authenticate the payment.
    PaymentPending,
    /// For a later time; the store has not received it yet.
    Scheduled,
    /// Waiting for the store to accept.
    Placed,
    Accepted,
    Preparing,
    /// Ready for pickup.
    Ready,
    /// Picked up.
    Completed,
    /// By the consumer, or by the system because the store did not accept in time.
    Cancelled,
    /// By the store.
    Rejected,
    /// The payment failed, so the order was not placed.
    PaymentFailed,
}

impl OrderStatus {
    pub(crate) const fn is_active(self) -> bool {
        matches!(
            self,
            Self::Scheduled | Self::Placed | Self::Accepted | Self::Preparing | Self::Ready
        )
    }
}

impl TryFrom<i32> for OrderStatus {
    type Error = UnknownValue;

    fn try_from(status: i32) -> Result<Self, UnknownValue> {
        use ordering::OrderStatus as Status;
        match Status::try_from(status) {
            Ok(Status::PaymentPending) => Ok(Self::PaymentPending),
            Ok(Status::Scheduled) => Ok(Self::Scheduled),
            Ok(Status::Placed) => Ok(Self::Placed),
            Ok(Status::Accepted) => Ok(Self::Accepted),
            Ok(Status::Preparing) => Ok(Self::Preparing),
            Ok(Status::Ready) => Ok(Self::Ready),
            Ok(Status::Completed) => Ok(Self::Completed),
            Ok(Status::Cancelled) => Ok(Self::Cancelled),
            Ok(Status::Rejected) => Ok(Self::Rejected),
            Ok(Status::PaymentFailed) => Ok(Self::PaymentFailed),
            Ok(Status::Unspecified) | Err(_) => Err(UnknownValue("order status")),
        }
    }
}

/// Who changed the status of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Actor {
    Consumer,
    Store,
    System,
}

impl TryFrom<i32> for Actor {
    type Error = UnknownValue;

    fn try_from(actor: i32) -> Result<Self, UnknownValue> {
        match ordering::Actor::try_from(actor) {
            Ok(ordering::Actor::Consumer) => Ok(Self::Consumer),
            Ok(ordering::Actor::Store) => Ok(Self::Store),
            Ok(ordering::Actor::System) => Ok(Self::System),
            Ok(ordering::Actor::Unspecified) | Err(_) => Err(UnknownValue("actor")),
        }
    }
}

/// Why a store pauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PauseReason {
    /// More orders than the baristas can make.
    Busy,
    /// A machine is out of order.
    Equipment,
    Staffing,
    Supplies,
    Other,
}

impl TryFrom<i32> for PauseReason {
    type Error = UnknownValue;

    fn try_from(reason: i32) -> Result<Self, UnknownValue> {
        use stores::PauseReason as Reason;
        match Reason::try_from(reason) {
            Ok(Reason::Busy) => Ok(Self::Busy),
            Ok(Reason::Equipment) => Ok(Self::Equipment),
            Ok(Reason::Staffing) => Ok(Self::Staffing),
            Ok(Reason::Supplies) => Ok(Self::Supplies),
            Ok(Reason::Other) => Ok(Self::Other),
            Ok(Reason::Unspecified) | Err(_) => Err(UnknownValue("pause reason")),
        }
    }
}

impl From<PauseReason> for stores::PauseReason {
    fn from(reason: PauseReason) -> Self {
        match reason {
            PauseReason::Busy => Self::Busy,
            PauseReason::Equipment => Self::Equipment,
            PauseReason::Staffing => Self::Staffing,
            PauseReason::Supplies => Self::Supplies,
            PauseReason::Other => Self::Other,
        }
    }
}

/// How an order is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Pickup {
    /// Inside the store.
    #[default]
    Counter,
    /// Brought to the car.
    Curbside,
}

impl From<Pickup> for ordering::PickupKind {
    fn from(pickup: Pickup) -> Self {
        match pickup {
            Pickup::Counter => Self::Counter,
            Pickup::Curbside => Self::Curbside,
        }
    }
}

impl TryFrom<i32> for Pickup {
    type Error = UnknownValue;

    fn try_from(kind: i32) -> Result<Self, UnknownValue> {
        match ordering::PickupKind::try_from(kind) {
            Ok(ordering::PickupKind::Counter) => Ok(Self::Counter),
            Ok(ordering::PickupKind::Curbside) => Ok(Self::Curbside),
            Ok(ordering::PickupKind::Unspecified) | Err(_) => Err(UnknownValue("pickup kind")),
        }
    }
}

/// Type of a payment method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PaymentType {
    /// A saved card.
    Card,
    /// A saved bank account.
    Bank,
    /// Stored value: JoePass, or a company's gift card.
    Joebucks,
    /// Apple Pay.
    Apple,
    /// Google Pay.
    Google,
}

impl PaymentType {
    /// Returns whether a wallet creates the payment method.
    pub(crate) const fn is_wallet(self) -> bool {
        matches!(self, Self::Apple | Self::Google)
    }
}

impl From<PaymentType> for ordering::TenderKind {
    fn from(kind: PaymentType) -> Self {
        match kind {
            PaymentType::Card => Self::Card,
            PaymentType::Bank => Self::Bank,
            PaymentType::Joebucks => Self::Joepass,
            PaymentType::Apple => Self::ApplePay,
            PaymentType::Google => Self::GooglePay,
        }
    }
}

impl TryFrom<i32> for PaymentType {
    type Error = UnknownValue;

    fn try_from(kind: i32) -> Result<Self, UnknownValue> {
        use ordering::TenderKind;
        match TenderKind::try_from(kind) {
            Ok(TenderKind::Card) => Ok(Self::Card),
            Ok(TenderKind::Bank) => Ok(Self::Bank),
            Ok(TenderKind::Joepass | TenderKind::GiftCard) => Ok(Self::Joebucks),
            Ok(TenderKind::ApplePay) => Ok(Self::Apple),
            Ok(TenderKind::GooglePay) => Ok(Self::Google),
            Ok(TenderKind::Unspecified) | Err(_) => Err(UnknownValue("tender kind")),
        }
    }
}

/// Whether a store accepts orders now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OpenState {
    Open,
    /// Outside its hours.
    Closed,
    /// Open, but not accepting orders ahead at the moment.
    Paused,
}

impl TryFrom<i32> for OpenState {
    type Error = UnknownValue;

    fn try_from(state: i32) -> Result<Self, UnknownValue> {
        match stores::OpenState::try_from(state) {
            Ok(stores::OpenState::Open) => Ok(Self::Open),
            Ok(stores::OpenState::Closed) => Ok(Self::Closed),
            Ok(stores::OpenState::Paused) => Ok(Self::Paused),
            Ok(stores::OpenState::Unspecified) | Err(_) => Err(UnknownValue("open state")),
        }
    }
}

/// Kind of a menu item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ItemKind {
    Drink,
    Food,
}

impl TryFrom<&str> for ItemKind {
    type Error = UnknownValue;

    fn try_from(kind: &str) -> Result<Self, UnknownValue> {
        match kind {
            "drink" => Ok(Self::Drink),
            "food" => Ok(Self::Food),
            _ => Err(UnknownValue("item kind")),
        }
    }
}

/// Where a session runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JourneyStep {
    /// In a browser.
    Web,
    /// In the native app.
    App,
}

impl JourneyStep {
    /// The text in the session cache.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::App => "app",
        }
    }
}

impl FromStr for JourneyStep {
    type Err = UnknownValue;

    fn from_str(text: &str) -> Result<Self, UnknownValue> {
        [Self::Web, Self::App]
            .into_iter()
            .find(|step| step.as_str() == text)
            .ok_or(UnknownValue("journey step"))
    }
}

/// A session without a step is one of a browser: accounts of an earlier release do not send it.
impl From<values::JourneyStep> for JourneyStep {
    fn from(step: values::JourneyStep) -> Self {
        match step {
            values::JourneyStep::Web | values::JourneyStep::Unspecified => Self::Web,
            values::JourneyStep::App => Self::App,
        }
    }
}

impl From<JourneyStep> for values::JourneyStep {
    fn from(step: JourneyStep) -> Self {
        match step {
            JourneyStep::Web => Self::Web,
            JourneyStep::App => Self::App,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_are_errors() {
        for unknown in [0, 99] {
            assert!(OrderStatus::try_from(unknown).is_err());
            assert!(Actor::try_from(unknown).is_err());
            assert!(Pickup::try_from(unknown).is_err());
            assert!(PaymentType::try_from(unknown).is_err());
            assert!(OpenState::try_from(unknown).is_err());
        }
        assert!(ItemKind::try_from("gadget").is_err());
    }
}
