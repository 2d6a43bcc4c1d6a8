//! Converts between protobuf messages and domain types.

mod charge;
mod event;
mod money_audit;
mod purchase;
mod settings;
mod wallet;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError, consumer::ConsumeError, parse_id, parse_optional_id};
use proto::{
    giftcards::v1 as pb,
    ordering::v1::{OrderSnapshot, TenderKind},
    values::v1 as values,
};
use types::{Money, OrderId, Page, text::sanitize_text};

use crate::domain::hold::{
    Hold, HoldError, HoldSnapshot, HoldState, HoldValue, ListHolds, ListedHold, MAX_LISTED_HOLDS, RefundHold,
};

pub(crate) use charge::{
    charge_description, charge_subject, decline, failure, failure_from_error, payment_source, saved_method,
};
pub(crate) use event::{
    auto_reload_failed, auto_reload_not_started, auto_reloaded, balance_changed,
    balance_changed_without_balance, gift_card_delivered, gift_card_issued, hold_refunded,
    purchase_confirmed, purchase_returned, refund_credited,
};
pub(crate) use money_audit::{PURCHASE_PURPOSES, audited_charge};
pub(crate) use purchase::{
    add_funds_command, buy_gift_card_command, company_card_command, deals, purchase, uploads,
};
pub(crate) use settings::{
    add_funds_options, auto_reload, counter_payment, counter_pin, redeem_pin_command, set_auto_reload_command,
};
pub(crate) use wallet::{balance, transactions, wallet};

const DEFAULT_PAGE_ITEMS: u32 = 20;
const MAX_TITLE_CHARS: usize = 120;
const MAX_REFUND_ID_CHARS: usize = 64;
const DEFAULT_TITLE: &str = "Order";

/// RFC 3339; empty if absent.
fn optional_timestamp(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

fn malformed(field: &'static str) -> ServiceError {
    let message = format!("The field {field} is malformed.");
    ServiceError::new(ErrorCode::InvalidRequest, "MALFORMED", message).with_field(field)
}

pub(crate) fn hold_value_command(request: pb::HoldValueRequest) -> Result<HoldValue, ServiceError> {
    Ok(HoldValue {
        order_id: parse_id(&request.order_id, "orderId")?,
        consumer_id: parse_id(&request.consumer_id, "consumerId")?,
        balance_id: parse_optional_id(&request.balance_id, "balanceId")?,
        amount: parse_money(request.amount)?,
        title: sanitize_title(&request.title),
        store_id: parse_optional_id(&request.store_id, "storeId")?,
        company_id: parse_optional_id(&request.company_id, "companyId")?,
    })
}

pub(crate) fn refund_hold_command(request: pb::RefundHoldRequest) -> Result<RefundHold, ServiceError> {
    let refund_id = request.refund_id;
    if refund_id.is_empty() || refund_id.chars().count() > MAX_REFUND_ID_CHARS {
        return Err(malformed("refundId"));
    }
    Ok(RefundHold {
        order_id: parse_id(&request.order_id, "orderId")?,
        refund_id,
        amount: parse_money(request.amount)?,
    })
}

fn sanitize_title(text: &str) -> String {
    let title: String = sanitize_text(text).chars().take(MAX_TITLE_CHARS).collect();
    if title.is_empty() {
        DEFAULT_TITLE.to_owned()
    } else {
        title
    }
}

fn parse_money(amount: Option<values::Money>) -> Result<Money, ServiceError> {
    let malformed = || {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "AMOUNT_MALFORMED",
            "Enter a valid amount.",
        )
        .with_field("amount")
    };
    let amount = amount.ok_or_else(malformed)?;
    let currency = amount.currency.parse().map_err(|_| malformed())?;
    Ok(Money::new(amount.minor_units, currency))
}

pub(crate) fn page(page: Option<values::Page>) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, DEFAULT_PAGE_ITEMS)
}

pub(crate) fn money(amount: Money) -> values::Money {
    values::Money {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

pub(crate) fn hold(snapshot: HoldSnapshot) -> pb::Hold {
    let HoldSnapshot {
        order_id,
        hold,
        available,
    } = snapshot;
    pb::Hold {
        order_id: order_id.to_string(),
        state: hold_state(hold.state()).into(),
        amount: Some(money(held_amount(&hold))),
        available: Some(money(available)),
    }
}

pub(crate) fn list_holds(request: &pb::ListHoldsRequest) -> Result<ListHolds, ServiceError> {
    if request.order_ids.len() > MAX_LISTED_HOLDS {
        return Err(malformed("orderIds"));
    }
    let order_ids: Result<Vec<OrderId>, ServiceError> = request
        .order_ids
        .iter()
        .map(|id| parse_id(id, "orderIds"))
        .collect();
    Ok(ListHolds {
        order_ids: Some(order_ids?).filter(|ids| !ids.is_empty()),
        changed_since: match request.changed_since.as_str() {
            "" => None,
            text => Some(text.parse().map_err(|_| malformed("changedSince"))?),
        },
        after: parse_optional_id(&request.after, "after")?,
    })
}

pub(crate) fn listed_hold(hold: &ListedHold) -> pb::Hold {
    pb::Hold {
        order_id: hold.order_id.to_string(),
        state: hold_state(hold.state).into(),
        amount: hold.amount.map(money),
        available: None,
    }
}

const fn hold_state(state: HoldState) -> pb::HoldState {
    match state {
        HoldState::Held => pb::HoldState::Held,
        HoldState::Captured => pb::HoldState::Captured,
        HoldState::Released | HoldState::Refunded => pb::HoldState::Released,
        HoldState::Closed => pb::HoldState::Closed,
    }
}

fn held_amount(hold: &Hold) -> Money {
    hold.held_amount().map_or(Money::ZERO, |held| held.amount)
}

pub(crate) fn hold_error(error: HoldError) -> ServiceError {
    match error {
        HoldError::BalanceUnknown => ServiceError::new(
            ErrorCode::NotFound,
            "BALANCE_UNKNOWN",
            "We couldn't find that balance. Choose another way to pay.",
        )
        .with_field("balanceId"),
        HoldError::InsufficientBalance { available } => ServiceError::new(
            ErrorCode::RuleViolation,
            "INSUFFICIENT_BALANCE",
            format!("Your balance is only {available}. Choose another way to pay."),
        )
        .with_field("paymentMethod")
        .with_detail(&pb::InsufficientBalance {
            available: Some(money(available)),
        }),
        HoldError::CardNotValidHere => ServiceError::new(
            ErrorCode::RuleViolation,
            "CARD_NOT_VALID_HERE",
            "You can't use this company card at this store. Choose another way to pay.",
        )
        .with_field("paymentMethod"),
        HoldError::CardInactive => ServiceError::new(
            ErrorCode::RuleViolation,
            "CARD_INACTIVE",
            "This company card is turned off. Turn it on, or choose another way to pay.",
        )
        .with_field("paymentMethod"),
        HoldError::Closed => ServiceError::new(
            ErrorCode::Conflict,
            "HOLD_CLOSED",
            "This order didn't go through. Please place it again.",
        ),
        HoldError::Mismatch => ServiceError::new(
            ErrorCode::Conflict,
            "HOLD_MISMATCH",
            "The total of this order changed. Please place it again.",
        ),
        HoldError::NegativeAmount => ServiceError::new(
            ErrorCode::RuleViolation,
            "AMOUNT_INVALID",
            "The amount can't be negative.",
        )
        .with_field("amount"),
    }
}

/// The store sees only that the balance is too low, and by how much.
pub(crate) fn counter_balance_insufficient(available: Money) -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "INSUFFICIENT_BALANCE",
        format!("The JoePass balance is only {available}."),
    )
    .with_field("amount")
    .with_detail(&pb::InsufficientBalance {
        available: Some(money(available)),
    })
}

/// Returns whether the order can hold stored value: it pays the whole order or a part of it.
///
/// # Errors
/// [`ConsumeError::Rejected`] if the tender is unknown.
pub(crate) fn can_have_hold(order: &OrderSnapshot) -> Result<bool, ConsumeError> {
    if order.stored_value_minor_units > 0 {
        return Ok(true);
    }
    match TenderKind::try_from(order.tender) {
        Ok(TenderKind::Joepass | TenderKind::GiftCard) => Ok(true),
        Ok(TenderKind::Card | TenderKind::Bank | TenderKind::ApplePay | TenderKind::GooglePay) => Ok(false),
        Ok(TenderKind::Unspecified) | Err(_) => {
            Err(ConsumeError::Rejected(format!("unknown tender {}", order.tender)))
        }
    }
}
