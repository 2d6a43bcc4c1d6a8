//! Refunded and disputed amounts.

use super::{AuditedCharge, Difference, compare};
use crate::domain::charge::ChargeState;
use crate::domain::event_kind::EventKind;

impl AuditedCharge {
    pub(super) fn check_amounts(&self) -> Vec<Difference> {
        let charge = &self.charge;
        let (amount, refunded) = (charge.amount_minor_units(), charge.refunded_minor_units);
        let allowed = match charge.state {
            ChargeState::Succeeded => 0..=(amount - 1).max(0),
            ChargeState::Refunded => amount..=amount,
            ChargeState::Returned | ChargeState::Disputed => 0..=amount,
            // No money was taken.
            _ => 0..=0,
        };
        let nearest = refunded.clamp(*allowed.start(), *allowed.end());
        let total = refunded + self.refunds.planned;
        [
            compare("refunded amount in this state", nearest, refunded),
            compare("refunded amount", self.refunds.accepted, refunded),
            compare("refunded and planned amount", total.min(amount), total),
            compare(
                "disputed amount",
                self.disputes.max_amount.min(amount),
                self.disputes.max_amount,
            ),
            (charge.state == ChargeState::Disputed && self.disputes.count == 0)
                .then_some(Difference::Rule("a disputed charge has no dispute")),
            self.check_refund_events(),
            compare(
                "amount of events refund_failed",
                self.refunds.failed,
                self.events_of(EventKind::RefundFailed).amount,
            ),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Each accepted refund has an event, except one that failed at once: it has only the event of its failure.
    fn check_refund_events(&self) -> Option<Difference> {
        let published = self.events_of(EventKind::Refunded).amount;
        let min = self.refunds.accepted - self.refunds.failed;
        let expected = published.clamp(min.min(self.refunds.accepted), self.refunds.accepted);
        compare("amount of events refunded", expected, published)
    }
}
