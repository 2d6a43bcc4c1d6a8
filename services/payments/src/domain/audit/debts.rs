//! Debts of returned charges, and charges that recover debts.

use super::{AuditedCharge, AuditedDebt, AuditedRecovery, Difference, compare};
use crate::domain::charge::ChargeState;
use crate::domain::debt::Owed;
use crate::domain::subject::Purpose;

impl AuditedCharge {
    /// Compares the debt with what is owed for the charge.
    pub(super) fn check_debt(&self) -> Vec<Difference> {
        let charge = &self.charge;
        let debt = self.debt.map_or(0, |debt| debt.amount);
        let is_issued_value = !matches!(charge.subject.purpose(), Purpose::Order | Purpose::Debt)
            && charge.state == ChargeState::Returned
            && !charge.is_released();
        let expected = if is_issued_value {
            // Gift-cards reports what was spent of a returned purchase. What was refunded is owed too.
            debt.clamp(0, charge.amount_minor_units() + charge.refunded_minor_units)
        } else {
            Owed::for_return(charge, self.is_fulfilled).map_or(0, |owed| owed.amount.minor_units())
        };
        let differences = self.debt.into_iter().flat_map(AuditedDebt::check);
        compare("debt", expected, debt)
            .into_iter()
            .chain(differences)
            .collect()
    }

    /// Compares the state of an attempt to recover a debt with its charge.
    pub(super) fn check_recovery(&self) -> Vec<Difference> {
        if self.charge.subject.purpose() != Purpose::Debt || self.charge.terms.is_none() {
            return Vec::new();
        }
        let Some(recovery) = &self.recovery else {
            return vec![Difference::Rule("a charge for a debt has no recovery")];
        };
        let expected = match self.charge.state {
            ChargeState::Succeeded
            | ChargeState::Refunded
            | ChargeState::Returned
            | ChargeState::Disputed => AuditedRecovery::SUCCEEDED,
            ChargeState::Declined(_) | ChargeState::Voided => AuditedRecovery::FAILED,
            _ => AuditedRecovery::IN_FLIGHT,
        };
        let is_expected = recovery.state == expected
            || (recovery.state == AuditedRecovery::FAILED && self.is_late_payment_released());
        // The fee can be waived after an attempt has failed.
        let amount = (recovery.state != AuditedRecovery::FAILED)
            .then(|| {
                compare(
                    "amount of the recovery",
                    recovery.debt_total,
                    self.charge.amount_minor_units(),
                )
            })
            .flatten();
        [
            (!is_expected).then_some(Difference::Rule("the state of the recovery differs")),
            (recovery.has_succeeded() && !recovery.is_debt_recovered)
                .then_some(Difference::Rule("a paid debt is still owed")),
            amount,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl AuditedCharge {
    /// Returns whether the provider reported an object after the attempt had failed, and its payment was not taken, or is
    /// refunded.
    fn is_late_payment_released(&self) -> bool {
        let charge = &self.charge;
        let is_released = match charge.state {
            ChargeState::Pending | ChargeState::RequiresAction => charge.provider_id.is_some(),
            ChargeState::Succeeded => {
                self.refunds.accepted + self.refunds.planned == charge.amount_minor_units()
            }
            ChargeState::Refunded | ChargeState::Disputed => true,
            _ => false,
        };
        is_released && charge.is_released()
    }
}

impl AuditedDebt {
    fn check(self) -> Vec<Difference> {
        let fee = if self.is_fee_waived { 0 } else { self.penalty_fee };
        let recoveries = i64::from(self.is_recovered);
        [
            compare("waived penalty fee", fee, self.penalty_fee),
            compare("successful recoveries", recoveries, self.succeeded_recoveries),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

impl AuditedRecovery {
    const IN_FLIGHT: &str = "in_flight";
    const SUCCEEDED: &str = "succeeded";
    const FAILED: &str = "failed";

    pub(super) fn has_succeeded(&self) -> bool {
        self.state == Self::SUCCEEDED
    }
}
