//! Conversion of the provider's refunds and disputes to domain types.

use jiff::Timestamp;
use stripe_shared::{Charge, Dispute as StripeDispute, Refund};
use types::{Currency, Money};

use crate::domain::dispute::Dispute;
use crate::domain::refund::{ProviderRefund, RefundState};

/// Metadata key of our id of a refund.
pub const REFUND_ID: &str = "refund_id";

/// Returns how much of a charge was refunded. The provider's amount also contains what was authorized and not captured.
pub fn refunded_minor_units(charge: &Charge) -> i64 {
    if charge.captured {
        charge.amount_refunded - (charge.amount - charge.amount_captured)
    } else {
        0
    }
}

/// Returns the refunds of a charge, oldest first. They must be expanded. The provider also lists a released authorization as a
/// refund, although no money was taken.
pub fn refunds(charge: &Charge) -> Vec<ProviderRefund> {
    if !charge.captured {
        return Vec::new();
    }
    let listed = charge.refunds.iter().flat_map(|list| &list.data);
    let mut refunds: Vec<_> = listed.filter_map(provider_refund).collect();
    refunds.reverse();
    refunds
}

fn provider_refund(refund: &Refund) -> Option<ProviderRefund> {
    let metadata = refund.metadata.as_ref();
    Some(ProviderRefund {
        provider_id: refund.id.to_string(),
        request_id: metadata.and_then(|metadata| metadata.get(REFUND_ID)).cloned(),
        amount: money(refund.amount, &refund.currency)?,
        state: match refund.status.as_deref() {
            Some("succeeded") => RefundState::Succeeded,
            Some("failed" | "canceled") => RefundState::Failed,
            _ => RefundState::Pending,
        },
    })
}

pub fn dispute(dispute: &StripeDispute) -> Option<Dispute> {
    Some(Dispute {
        provider_id: dispute.id.to_string(),
        amount: money(dispute.amount, &dispute.currency)?,
        reason: dispute.reason.clone(),
        status: dispute.status.as_str().to_owned(),
        respond_by: dispute
            .evidence_details
            .due_by
            .and_then(|at| Timestamp::from_second(at).ok()),
    })
}

/// Returns `None` for a currency that we do not charge.
fn money(amount: i64, currency: &stripe_types::Currency) -> Option<Money> {
    match currency {
        stripe_types::Currency::USD => Some(Money::new(amount, Currency::Usd)),
        _ => None,
    }
}
