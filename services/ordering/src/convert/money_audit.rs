//! Holds for the audit of money.

use kit::InternalError;
use proto::giftcards::v1 as giftcards;
use types::OrderId;

use super::optional_money_from_proto;
use crate::domain::money_audit::{AuditedHold, HoldState};

pub(crate) fn audited_hold(hold: giftcards::Hold) -> Result<(OrderId, AuditedHold), InternalError> {
    let state = match giftcards::HoldState::try_from(hold.state) {
        Ok(giftcards::HoldState::Held) => HoldState::Held,
        Ok(giftcards::HoldState::Captured) => HoldState::Captured,
        Ok(giftcards::HoldState::Released | giftcards::HoldState::Closed) => HoldState::Released,
        Ok(giftcards::HoldState::Unspecified) | Err(_) => {
            return Err(InternalError::invariant_violated(format!(
                "unknown state of a hold {}",
                hold.state
            )));
        }
    };
    let order_id = hold.order_id.parse().map_err(InternalError::invariant_violated)?;
    Ok((
        order_id,
        AuditedHold {
            state,
            amount: optional_money_from_proto(hold.amount)?,
        },
    ))
}
