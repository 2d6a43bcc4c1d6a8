//! States that the purpose and the payment method of a charge allow.

use super::{AuditedCharge, Difference};
use crate::domain::charge::{Capture, ChargeState, TargetState};
use crate::domain::payment_method::MethodKind;
use crate::domain::subject::Purpose;

impl AuditedCharge {
    pub(super) fn check_state(&self) -> Vec<Difference> {
        let charge = &self.charge;
        let Some(terms) = &charge.terms else {
            return Vec::new();
        };
        let (state, purpose) = (&charge.state, charge.subject.purpose());
        let is_bank = terms.method_kind == MethodKind::Bank;
        let is_order = purpose == Purpose::Order;
        let is_held = *state == ChargeState::Authorized;
        let is_later = terms.capture == Capture::Later || charge.target_state == TargetState::Authorized;
        let rules = [
            (
                !is_order && (is_later || is_held),
                "only an order is captured later",
            ),
            (!is_order && self.is_fulfilled, "only an order is made"),
            (
                purpose == Purpose::Debt && is_bank,
                "a debt is paid by bank debit",
            ),
            (is_bank && is_held, "a bank debit is held"),
            (
                !is_bank && matches!(state, ChargeState::Processing | ChargeState::Returned),
                "a card payment has a state of bank debits",
            ),
            (is_held && charge.hold_ends_at.is_none(), "a hold has no end"),
            (
                state.is_accepted_by_provider() && charge.provider_id.is_none(),
                "the charge has no id of the provider",
            ),
        ];
        let broken = rules.into_iter().filter(|(is_broken, _)| *is_broken);
        broken.map(|(_, rule)| Difference::Rule(rule)).collect()
    }
}

impl ChargeState {
    /// Returns whether money is or was held or taken.
    const fn is_accepted_by_provider(&self) -> bool {
        match self {
            Self::Authorized
            | Self::Processing
            | Self::Succeeded
            | Self::Refunded
            | Self::Returned
            | Self::Disputed => true,
            Self::Pending | Self::RequiresAction | Self::Declined(_) | Self::Voided => false,
        }
    }
}
