//! Published events that the state of a charge requires and allows.

use std::ops::RangeInclusive;

use super::{AuditedCharge, AuditedRecovery, Difference, EventTotal};
use crate::domain::charge::ChargeState;
use crate::domain::event_kind::EventKind;

/// Kinds of events that report the amount of the charge.
const WITH_AMOUNT_OF_CHARGE: [EventKind; 6] = [
    EventKind::Authorized,
    EventKind::Declined,
    EventKind::Settled,
    EventKind::Returned,
    EventKind::CaptureFailed,
    EventKind::DebtRecovered,
];

impl AuditedCharge {
    pub(super) fn check_events(&self) -> Vec<Difference> {
        // A tombstone publishes no events.
        if self.charge.terms.is_none() {
            return Vec::new();
        }
        let counts = EventKind::ALL.into_iter().filter_map(|kind| {
            let found = self.events_of(kind).count;
            let is_expected = self
                .expected_count(kind)
                .is_none_or(|range| range.contains(&found));
            (!is_expected).then_some(Difference::EventCount { kind, found })
        });
        let amount = self.charge.amount_minor_units();
        let amounts = WITH_AMOUNT_OF_CHARGE.into_iter().map(|kind| (kind, amount));
        let debt = self.debt.map(|debt| (EventKind::DebtCreated, debt.amount));
        let amounts = amounts.chain(debt).filter_map(|(kind, expected)| {
            let total = self.events_of(kind);
            let is_equal = total.count == 0 || (total.min_amount, total.max_amount) == (expected, expected);
            (!is_equal).then_some(Difference::EventAmount { kind, expected })
        });
        counts.chain(amounts).collect()
    }

    pub(super) fn events_of(&self, kind: EventKind) -> EventTotal {
        let total = self.events.iter().find(|total| total.kind == kind);
        total.copied().unwrap_or(EventTotal {
            kind,
            count: 0,
            amount: 0,
            min_amount: 0,
            max_amount: 0,
        })
    }

    /// Returns how many events of a kind the charge can have, or `None` for any number. A charge can skip states that the
    /// provider reported too late, and a loss of the payment is published again when the store accepts the order.
    fn expected_count(&self, kind: EventKind) -> Option<RangeInclusive<i64>> {
        let (state, is_released) = (&self.charge.state, self.charge.is_released());
        let min = i64::from(!is_released);
        Some(match (kind, state) {
            (EventKind::Authorized, ChargeState::Pending | ChargeState::RequiresAction) => 0..=0,
            (EventKind::Authorized, ChargeState::Authorized | ChargeState::Processing) => min..=1,
            (EventKind::Authorized, _) => 0..=1,
            (EventKind::Declined, ChargeState::Declined(_) | ChargeState::Voided) => min..=2,
            (EventKind::Settled, ChargeState::Succeeded) => 1..=1,
            (EventKind::Settled, ChargeState::Refunded | ChargeState::Returned | ChargeState::Disputed) => {
                0..=1
            }
            (EventKind::Returned, ChargeState::Returned) => 1..=2,
            (EventKind::Declined | EventKind::Settled | EventKind::Returned, _) => 0..=0,
            (EventKind::Disputed, _) => self.disputes.count..=self.disputes.count,
            (EventKind::DebtCreated, _) => match self.debt {
                // A debt can be written off at once.
                Some(debt) => i64::from(!debt.is_written_off)..=self.max_debt_events(),
                None => 0..=0,
            },
            (EventKind::DebtRecovered, _) => {
                exactly(self.recovery.as_ref().is_some_and(AuditedRecovery::has_succeeded))
            }
            (EventKind::Refunded | EventKind::RefundFailed | EventKind::CaptureFailed, _) => return None,
        })
    }

    /// A debt is published again for each next consumer with the phone number of a removed one.
    fn max_debt_events(&self) -> i64 {
        let terms = self.charge.terms.as_ref();
        let is_of_consumer = terms.is_some_and(|terms| terms.consumer_id.is_some());
        if is_of_consumer { 1 } else { i64::MAX }
    }
}

fn exactly(is_expected: bool) -> RangeInclusive<i64> {
    let count = i64::from(is_expected);
    count..=count
}
