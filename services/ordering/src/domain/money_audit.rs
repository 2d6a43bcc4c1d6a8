//! Compares an order with its charge and its hold.

use types::{Money, OrderId, text_enum};

use super::{charge::Charge, status::Status, tender::Tender};

text_enum! {
    /// How the money of an order differs from the order.
    #[derive(PartialOrd, Ord)]
    pub enum MoneyDifference {
        /// The order is paid by a charge that does not exist or has no money.
        ChargeMissing = "charge_missing",
        /// A store accepted the order, and nothing captures its charge.
        ChargeNotCaptured = "charge_not_captured",
        /// The order has ended, and its charge has or gets money.
        ChargeNotReleased = "charge_not_released",
        /// The order is paid otherwise or not accepted, and its charge has money.
        ChargeUnexpected = "charge_unexpected",
        ChargeAmount = "charge_amount",
        ChargeWithoutOrder = "charge_without_order",
        /// The order is paid by stored value that is not held.
        HoldMissing = "hold_missing",
        HoldNotCaptured = "hold_not_captured",
        HoldNotReleased = "hold_not_released",
        HoldUnexpected = "hold_unexpected",
        HoldAmount = "hold_amount",
        HoldWithoutOrder = "hold_without_order",
        /// Money is held for longer than the rule allows, without a store having accepted the order.
        HeldTooLong = "held_too_long",
    }
}

/// An order as the audit reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedOrder {
    pub id: OrderId,
    pub status: Status,
    pub tender: Tender,
    /// Whether the order was made and its payment failed afterwards, which is reported when it happens.
    pub is_unpaid: bool,
    /// The part that a card, wallet or bank account pays.
    pub charge_part: Money,
    /// The part that stored value pays.
    pub hold_part: Money,
    /// Whether the last change is so old that events about it were consumed.
    pub is_settled: bool,
    /// Whether it was created longer ago than money may be held.
    pub is_old: bool,
}

/// A charge as payments lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedCharge {
    pub state: Charge,
    pub is_capture_requested: bool,
    /// `None` if the charge was closed before it was created.
    pub amount: Option<Money>,
    /// Whether the last change is so old that events about it were consumed.
    pub is_settled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldState {
    Held,
    Captured,
    /// Released, refunded, or closed before it was created.
    Released,
}

/// A hold as gift-cards lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditedHold {
    pub state: HoldState,
    /// `None` if the hold was closed before it was created.
    pub amount: Option<Money>,
}

/// What the status of an order requires of its money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Required {
    /// The saga or recovery works on the order.
    Any,
    Held,
    Captured,
    Released,
}

impl Required {
    const fn of(status: Status) -> Self {
        match status {
            Status::PaymentPending => Self::Any,
            Status::Scheduled | Status::Placed => Self::Held,
            Status::Accepted | Status::Preparing | Status::Ready | Status::Completed => Self::Captured,
            Status::Cancelled | Status::Rejected | Status::PaymentFailed => Self::Released,
        }
    }
}

/// Returns the differences between an order and its money. Empty while the order or its charge is changing.
#[must_use]
pub fn compare(
    order: Option<&AuditedOrder>,
    charge: Option<&AuditedCharge>,
    hold: Option<&AuditedHold>,
) -> Vec<MoneyDifference> {
    let Some(order) = order else {
        let has_charge = charge.is_some_and(AuditedCharge::has_money);
        let has_hold = hold.is_some_and(|hold| hold.state != HoldState::Released);
        return [
            has_charge.then_some(MoneyDifference::ChargeWithoutOrder),
            has_hold.then_some(MoneyDifference::HoldWithoutOrder),
        ]
        .into_iter()
        .flatten()
        .collect();
    };
    let required = Required::of(order.status);
    let is_changing = !order.is_settled || charge.is_some_and(|charge| !charge.is_settled);
    if is_changing || required == Required::Any {
        return Vec::new();
    }
    [
        charge_difference(order, required, charge),
        charge_amount_difference(order, charge),
        hold_difference(order, required, hold),
        hold_amount_difference(order, hold),
        (required == Required::Held && order.is_old).then_some(MoneyDifference::HeldTooLong),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn charge_difference(
    order: &AuditedOrder,
    required: Required,
    charge: Option<&AuditedCharge>,
) -> Option<MoneyDifference> {
    use MoneyDifference::{ChargeMissing, ChargeNotCaptured, ChargeNotReleased, ChargeUnexpected};
    let has_money = charge.is_some_and(AuditedCharge::has_money);
    if required == Required::Released {
        return has_money.then_some(ChargeNotReleased);
    }
    if !order.charge_part.is_positive() {
        return has_money.then_some(ChargeUnexpected);
    }
    if order.is_unpaid {
        return None;
    }
    let Some(charge) = charge else {
        return Some(ChargeMissing);
    };
    let is_bank = order.tender == Tender::Bank;
    match (required, &charge.state) {
        (Required::Held, Charge::Succeeded | Charge::Disputed) if !is_bank => Some(ChargeUnexpected),
        (Required::Held, Charge::Authorized)
        | (_, Charge::Succeeded)
        | (Required::Captured, Charge::Disputed | Charge::Refunded) => None,
        (_, Charge::Authorized | Charge::Processing) | (Required::Captured, Charge::Returned) if is_bank => {
            None
        }
        (Required::Captured, Charge::Authorized) if charge.is_capture_requested => None,
        (Required::Captured, Charge::Authorized) => Some(ChargeNotCaptured),
        _ => Some(ChargeMissing),
    }
}

fn charge_amount_difference(order: &AuditedOrder, charge: Option<&AuditedCharge>) -> Option<MoneyDifference> {
    let amount = charge?.amount?;
    (order.charge_part.is_positive() && amount != order.charge_part).then_some(MoneyDifference::ChargeAmount)
}

fn hold_difference(
    order: &AuditedOrder,
    required: Required,
    hold: Option<&AuditedHold>,
) -> Option<MoneyDifference> {
    use MoneyDifference::{HoldMissing, HoldNotCaptured, HoldNotReleased, HoldUnexpected};
    let state = hold.map_or(HoldState::Released, |hold| hold.state);
    let has_value =
        state != HoldState::Released && hold.and_then(|hold| hold.amount).is_some_and(Money::is_positive);
    if required == Required::Released {
        return has_value.then_some(HoldNotReleased);
    }
    if !order.hold_part.is_positive() {
        return has_value.then_some(HoldUnexpected);
    }
    match (required, state) {
        (_, HoldState::Released) => Some(HoldMissing),
        (Required::Held, HoldState::Captured) => Some(HoldUnexpected),
        (Required::Captured, HoldState::Held) => Some(HoldNotCaptured),
        _ => None,
    }
}

fn hold_amount_difference(order: &AuditedOrder, hold: Option<&AuditedHold>) -> Option<MoneyDifference> {
    let amount = hold?.amount?;
    (order.hold_part.is_positive() && amount != order.hold_part).then_some(MoneyDifference::HoldAmount)
}

impl AuditedCharge {
    /// Returns whether the charge has money, or may get it.
    fn has_money(&self) -> bool {
        match self.state {
            Charge::Pending
            | Charge::RequiresAction { .. }
            | Charge::Authorized
            | Charge::Processing
            | Charge::Succeeded => true,
            Charge::Declined { .. }
            | Charge::Closed
            | Charge::Returned
            | Charge::Disputed
            | Charge::Refunded => false,
        }
    }
}

#[cfg(test)]
mod tests;
