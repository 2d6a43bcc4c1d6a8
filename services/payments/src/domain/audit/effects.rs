//! Effects that a charge and its refunds require.

use std::time::Duration;

use jiff::Timestamp;

use super::{AuditedCharge, Difference, compare};
use crate::domain::charge::ChargeState;

/// How long the reconciliation of charges has to plan an effect that is due.
const GRACE_PERIOD: Duration = Duration::from_mins(30);

impl AuditedCharge {
    pub(super) fn check_effects(&self, now: Timestamp) -> Vec<Difference> {
        let effect = match self.charge.state {
            // The void of a declined object does not change the state.
            ChargeState::Declined(_) => None,
            _ => self.charge.next_effect(),
        };
        let is_planned = |name: &str| self.unfinished_effects.iter().any(|effect| effect == name);
        let is_old = self.updated_at + GRACE_PERIOD <= now;
        let missing = effect.filter(|effect| is_old && !is_planned(effect.as_str()));
        let without_effect = match self.charge.state {
            ChargeState::Succeeded => self.refunds.without_effect,
            // They are planned when the charge has settled.
            _ => 0,
        };
        missing
            .map(Difference::EffectNotPlanned)
            .into_iter()
            .chain(compare("refunds without an effect", 0, without_effect))
            .collect()
    }
}
