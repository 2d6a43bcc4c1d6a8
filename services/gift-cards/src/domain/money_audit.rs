//! Compares a purchase with its charge.

use jiff::Timestamp;
use types::{Money, PurchaseId, text_enum};

use super::purchase::{PurchaseKind, PurchaseState};

text_enum! {
    /// How the charge of a purchase differs from the purchase.
    #[derive(PartialOrd, Ord)]
    pub enum MoneyDifference {
        /// The purchase is paid by a charge that does not exist or has no money.
        ChargeMissing = "charge_missing",
        /// The purchase has failed, and its charge has or gets money.
        ChargeNotReleased = "charge_not_released",
        /// The bank returned the payment, and the charge has or gets money.
        ChargeUnexpected = "charge_unexpected",
        ChargeAmount = "charge_amount",
        ChargeWithoutPurchase = "charge_without_purchase",
        /// The payment has settled, and the purchase still waits for it.
        PurchaseNotCompleted = "purchase_not_completed",
        /// The bank returned the payment, and the purchase still has its value.
        PurchaseNotReturned = "purchase_not_returned",
    }
}

/// A purchase as the audit reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedPurchase {
    pub id: PurchaseId,
    pub kind: PurchaseKind,
    pub state: PurchaseState,
    pub amount: Money,
    /// Whether it did not begin or end recently.
    pub is_settled: bool,
}

/// A charge as payments lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditedCharge {
    /// What it pays for.
    pub kind: PurchaseKind,
    pub state: AuditedChargeState,
    /// `None` if the charge was closed before it was created.
    pub amount: Option<Money>,
    /// `None` if the previous release of payments listed it.
    pub changed_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditedChargeState {
    /// The provider has not reported an outcome, or the consumer has to authenticate.
    Open,
    /// A bank debit was started.
    Processing,
    Succeeded,
    /// Disputed or refunded after it had succeeded.
    DisputedOrRefunded,
    Returned,
    /// Declined or closed.
    Ended,
}

impl AuditedCharge {
    /// Returns whether the charge has money, or may get it.
    const fn has_money(&self) -> bool {
        use AuditedChargeState::{Open, Processing, Succeeded};
        matches!(self.state, Open | Processing | Succeeded)
    }

    fn is_settled(&self, settled_before: Timestamp) -> bool {
        self.changed_at
            .is_none_or(|changed_at| changed_at <= settled_before)
    }
}

/// Returns the differences between a purchase and the charges with its id. Empty while one of them changes: an event about a charge
/// that changed after `settled_before` may not be consumed yet.
#[must_use]
pub fn compare(
    purchase: Option<&AuditedPurchase>,
    charges: &[AuditedCharge],
    settled_before: Timestamp,
) -> Vec<MoneyDifference> {
    let is_settled = purchase.is_none_or(|purchase| purchase.is_settled)
        && charges.iter().all(|charge| charge.is_settled(settled_before));
    if !is_settled {
        return Vec::new();
    }
    let is_own = |charge: &&AuditedCharge| purchase.is_some_and(|purchase| purchase.kind == charge.kind);
    let has_other = charges
        .iter()
        .any(|charge| !is_own(&charge) && charge.has_money());
    let own = charges.iter().find(is_own);
    [
        has_other.then_some(MoneyDifference::ChargeWithoutPurchase),
        purchase.and_then(|purchase| state_difference(purchase, own)),
        purchase.and_then(|purchase| amount_difference(purchase, own)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn state_difference(purchase: &AuditedPurchase, charge: Option<&AuditedCharge>) -> Option<MoneyDifference> {
    use AuditedChargeState::{DisputedOrRefunded, Ended, Open, Processing, Returned, Succeeded};
    use MoneyDifference::{
        ChargeMissing, ChargeNotReleased, ChargeUnexpected, PurchaseNotCompleted, PurchaseNotReturned,
    };
    let state = charge.map_or(Ended, |charge| charge.state);
    let has_money = charge.is_some_and(AuditedCharge::has_money);
    match purchase.state {
        // A saga or recovery works on it.
        PurchaseState::Pending | PurchaseState::RequiresAction => None,
        PurchaseState::Failed => has_money.then_some(ChargeNotReleased),
        PurchaseState::Returned => has_money.then_some(ChargeUnexpected),
        PurchaseState::Processing => match state {
            Processing => None,
            Succeeded | DisputedOrRefunded => Some(PurchaseNotCompleted),
            Returned => Some(PurchaseNotReturned),
            Open | Ended => Some(ChargeMissing),
        },
        PurchaseState::Completed => match state {
            Succeeded | DisputedOrRefunded => None,
            Returned => Some(PurchaseNotReturned),
            Open | Processing | Ended => Some(ChargeMissing),
        },
    }
}

fn amount_difference(purchase: &AuditedPurchase, charge: Option<&AuditedCharge>) -> Option<MoneyDifference> {
    let is_paid = matches!(
        purchase.state,
        PurchaseState::Processing | PurchaseState::Completed | PurchaseState::Returned
    );
    let amount = charge?.amount?;
    (is_paid && amount != purchase.amount).then_some(MoneyDifference::ChargeAmount)
}

#[cfg(test)]
mod tests {
    use AuditedChargeState::{DisputedOrRefunded, Ended, Open, Processing, Returned, Succeeded};
    use MoneyDifference::{
        ChargeAmount, ChargeMissing, ChargeNotReleased, ChargeUnexpected, ChargeWithoutPurchase,
        PurchaseNotCompleted, PurchaseNotReturned,
    };
    use jiff::SignedDuration;
    use proptest::{prelude::*, sample::select};

    use super::*;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;
    const CHARGE_STATES: [AuditedChargeState; 6] =
        [Open, Processing, Succeeded, DisputedOrRefunded, Returned, Ended];

    fn purchase(state: PurchaseState) -> AuditedPurchase {
        AuditedPurchase {
            id: PurchaseId::new(NOW),
            kind: PurchaseKind::TopUp,
            state,
            amount: Money::usd(2_500),
            is_settled: true,
        }
    }

    const fn charge(state: AuditedChargeState) -> AuditedCharge {
        AuditedCharge {
            kind: PurchaseKind::TopUp,
            state,
            amount: Some(Money::usd(2_500)),
            changed_at: Some(NOW),
        }
    }

    fn found(state: PurchaseState, charges: &[AuditedCharge]) -> Vec<MoneyDifference> {
        compare(Some(&purchase(state)), charges, NOW)
    }

    #[test]
    fn a_purchase_matches_its_charge() {
        use PurchaseState as State;
        for (state, charge_state, expected) in [
            (State::Completed, Some(Succeeded), None),
            (State::Completed, Some(DisputedOrRefunded), None),
            (State::Completed, None, Some(ChargeMissing)),
            (State::Completed, Some(Ended), Some(ChargeMissing)),
            (State::Completed, Some(Open), Some(ChargeMissing)),
            (State::Completed, Some(Processing), Some(ChargeMissing)),
            (State::Completed, Some(Returned), Some(PurchaseNotReturned)),
            (State::Processing, Some(Processing), None),
            (State::Processing, Some(Succeeded), Some(PurchaseNotCompleted)),
            (State::Processing, Some(Returned), Some(PurchaseNotReturned)),
            (State::Processing, Some(Ended), Some(ChargeMissing)),
            (State::Processing, None, Some(ChargeMissing)),
            (State::Failed, None, None),
            (State::Failed, Some(Ended), None),
            (State::Failed, Some(Succeeded), Some(ChargeNotReleased)),
            (State::Failed, Some(Open), Some(ChargeNotReleased)),
            (State::Returned, Some(Returned), None),
            (State::Returned, Some(Succeeded), Some(ChargeUnexpected)),
        ] {
            let charges = Vec::from_iter(charge_state.map(charge));
            assert_eq!(
                found(state, &charges),
                Vec::from_iter(expected),
                "{state} {charge_state:?}"
            );
        }
    }

    #[test]
    fn the_amount_is_that_of_the_purchase() {
        let other = AuditedCharge {
            amount: Some(Money::usd(2_499)),
            ..charge(Succeeded)
        };
        assert_eq!(found(PurchaseState::Completed, &[other]), [ChargeAmount]);
    }

    #[test]
    fn a_charge_for_something_else_does_not_pay_for_the_purchase() {
        let other = AuditedCharge {
            kind: PurchaseKind::GiftCard,
            ..charge(Succeeded)
        };
        assert_eq!(
            found(PurchaseState::Completed, std::slice::from_ref(&other)),
            [ChargeWithoutPurchase, ChargeMissing]
        );
        assert_eq!(
            found(PurchaseState::Completed, &[charge(Succeeded), other]),
            [ChargeWithoutPurchase]
        );
    }

    proptest! {
        #[test]
        fn only_a_charge_with_money_needs_a_purchase(state in select(CHARGE_STATES.to_vec())) {
            let charge = charge(state);
            let expected = Vec::from_iter(charge.has_money().then_some(ChargeWithoutPurchase));
            prop_assert_eq!(compare(None, &[charge], NOW), expected);
        }

        #[test]
        fn what_changed_recently_is_left_out(
            state in select(PurchaseState::ALL),
            charge_state in select(CHARGE_STATES.to_vec()),
            is_purchase_settled: bool,
        ) {
            let purchase = AuditedPurchase { is_settled: is_purchase_settled, ..purchase(state) };
            let changed_at = if is_purchase_settled { NOW + SignedDuration::from_millis(1) } else { NOW };
            let charge = AuditedCharge { changed_at: Some(changed_at), ..charge(charge_state) };
            prop_assert_eq!(compare(Some(&purchase), &[charge], NOW), []);
        }

        #[test]
        fn a_purchase_has_value_exactly_if_its_charge_has_money(
            state in select(vec![PurchaseState::Completed, PurchaseState::Failed, PurchaseState::Returned]),
            charge_state in select(vec![Open, Processing, Succeeded, Returned, Ended]),
        ) {
            let is_paid = charge_state == Succeeded;
            let has_money = charge(charge_state).has_money();
            let is_consistent = match state {
                PurchaseState::Completed => is_paid,
                _ => !has_money,
            };
            prop_assert_eq!(found(state, &[charge(charge_state)]).is_empty(), is_consistent);
        }
    }
}
