//! The words that the contract uses for states and kinds.

use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum OrderStatus {
    /// Being placed, or waiting for the consumer's authentication.
    PaymentPending,
    /// For later.
    Scheduled,
    /// Waiting for the store.
    Placed,
    /// The store has said yes.
    Accepted,
    /// Being made.
    Preparing,
    /// On the counter.
    Ready,
    /// Picked up.
    Completed,
    /// By the consumer, or by the system when no store accepted.
    Cancelled,
    /// By the store.
    Rejected,
    /// Never became an order.
    PaymentFailed,
}

impl OrderStatus {
    /// Scheduled to Ready: the order still has a way to go.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(
            self,
            Self::Scheduled | Self::Placed | Self::Accepted | Self::Preparing | Self::Ready
        )
    }
}

impl From<ordering::OrderStatus> for OrderStatus {
    fn from(status: ordering::OrderStatus) -> Self {
        match status {
            // A word that this gateway does not know yet: the one that promises nothing.
            ordering::OrderStatus::Unspecified | ordering::OrderStatus::PaymentPending => {
                Self::PaymentPending
            }
            ordering::OrderStatus::Scheduled => Self::Scheduled,
            ordering::OrderStatus::Placed => Self::Placed,
            ordering::OrderStatus::Accepted => Self::Accepted,
            ordering::OrderStatus::Preparing => Self::Preparing,
            ordering::OrderStatus::Ready => Self::Ready,
            ordering::OrderStatus::Completed => Self::Completed,
            ordering::OrderStatus::Cancelled => Self::Cancelled,
            ordering::OrderStatus::Rejected => Self::Rejected,
            ordering::OrderStatus::PaymentFailed => Self::PaymentFailed,
        }
    }
}

/// Who changed the status of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    Consumer,
    Store,
    System,
}

impl From<ordering::Actor> for Actor {
    fn from(actor: ordering::Actor) -> Self {
        match actor {
            ordering::Actor::Consumer => Self::Consumer,
            ordering::Actor::Store => Self::Store,
            ordering::Actor::Unspecified | ordering::Actor::System => Self::System,
        }
    }
}

/// How an order is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pickup {
    /// Inside.
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

impl From<ordering::PickupKind> for Pickup {
    fn from(kind: ordering::PickupKind) -> Self {
        match kind {
            ordering::PickupKind::Unspecified | ordering::PickupKind::Counter => Self::Counter,
            ordering::PickupKind::Curbside => Self::Curbside,
        }
    }
}

/// What an order is paid with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaymentType {
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

impl From<ordering::TenderKind> for PaymentType {
    fn from(kind: ordering::TenderKind) -> Self {
        match kind {
            ordering::TenderKind::Unspecified | ordering::TenderKind::Card => Self::Card,
            ordering::TenderKind::Bank => Self::Bank,
            ordering::TenderKind::Joepass | ordering::TenderKind::GiftCard => Self::Joebucks,
            ordering::TenderKind::ApplePay => Self::Apple,
            ordering::TenderKind::GooglePay => Self::Google,
        }
    }
}

/// Whether a store takes orders now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpenState {
    /// It does.
    Open,
    /// Outside its hours.
    Closed,
    /// Open, but not taking orders ahead just now.
    Paused,
}

impl From<stores::OpenState> for OpenState {
    fn from(state: stores::OpenState) -> Self {
        match state {
            stores::OpenState::Open => Self::Open,
            stores::OpenState::Paused => Self::Paused,
            stores::OpenState::Unspecified | stores::OpenState::Closed => Self::Closed,
        }
    }
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    /// Drawn in a vessel.
    Drink,
    /// Drawn on a plate.
    Food,
}

impl ItemKind {
    pub(crate) fn of(word: &str) -> Self {
        if word == "food" { Self::Food } else { Self::Drink }
    }
}
