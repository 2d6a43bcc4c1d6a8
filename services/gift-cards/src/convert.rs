//! Converts between protobuf messages and domain types.

use std::str::FromStr;

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError, consumer::ConsumeError, outbox::OutboxEntry};
use ledger::BalanceAfter;
use proto::{
    events::Event as _,
    giftcards::v1::{self as pb, balance_event},
    ordering::v1::TenderKind,
    values::v1 as values,
};
use types::{BalanceId, ConsumerId, Currency, IdError, Money, Page};

use crate::domain::{
    hold::{Hold, HoldError, HoldSnapshot, HoldState, HoldValue},
    wallet::{Balance, Transaction},
};

const DEFAULT_PAGE_ITEMS: u32 = 20;
const MAX_TITLE_CHARS: usize = 120;
const DEFAULT_TITLE: &str = "Order";

pub(crate) fn parse_id<T: FromStr<Err = IdError>>(
    text: &str,
    field: &'static str,
) -> Result<T, ServiceError> {
    text.parse().map_err(|error: IdError| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ID_MALFORMED",
            format!("{field}: {error}"),
        )
        .with_field(field)
    })
}

pub(crate) fn hold_value_command(request: pb::HoldValueRequest) -> Result<HoldValue, ServiceError> {
    let balance_id = match request.balance_id.as_str() {
        "" => None,
        text => Some(parse_id(text, "balanceId")?),
    };
    Ok(HoldValue {
        order_id: parse_id(&request.order_id, "orderId")?,
        consumer_id: parse_id(&request.consumer_id, "consumerId")?,
        balance_id,
        amount: parse_money(request.amount)?,
        title: sanitize_title(&request.title),
    })
}

fn sanitize_title(text: &str) -> String {
    let title: String = text
        .trim()
        .chars()
        .filter(|character| !character.is_control())
        .take(MAX_TITLE_CHARS)
        .collect();
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

fn money(amount: Money) -> values::Money {
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
    let state = match hold.state() {
        HoldState::Held => pb::HoldState::Held,
        HoldState::Captured => pb::HoldState::Captured,
        HoldState::Released | HoldState::Refunded => pb::HoldState::Released,
        HoldState::Closed => pb::HoldState::Closed,
    };
    pb::Hold {
        order_id: order_id.to_string(),
        state: state.into(),
        amount: Some(money(held_amount(&hold))),
        available: Some(money(available)),
    }
}

fn held_amount(hold: &Hold) -> Money {
    hold.held_amount().map_or(Money::ZERO, |held| held.amount)
}

pub(crate) fn wallet(joepass: Option<Balance>) -> pb::Wallet {
    pb::Wallet {
        balances: joepass.map(balance).into_iter().collect(),
    }
}

fn balance(balance: Balance) -> pb::Balance {
    pb::Balance {
        balance_id: balance.id.to_string(),
        r#type: "joebucks".to_owned(),
        available: Some(money(balance.available)),
        held: Some(money(balance.held)),
        company_id: String::new(),
        company_name: String::new(),
    }
}

pub(crate) fn transactions(transactions: Vec<Transaction>) -> pb::ListTransactionsResponse {
    pb::ListTransactionsResponse {
        transactions: transactions.into_iter().map(transaction).collect(),
    }
}

fn transaction(transaction: Transaction) -> pb::Transaction {
    let state = match transaction.hold_state {
        Some(HoldState::Held) => "held",
        Some(HoldState::Captured) => "paid",
        Some(HoldState::Released) => "released",
        Some(HoldState::Refunded) => "refunded",
        Some(HoldState::Closed) | None => "",
    };
    pb::Transaction {
        transaction_id: transaction.id.to_string(),
        kind: transaction.kind,
        amount: Some(money(transaction.amount)),
        balance_after: Some(money(transaction.balance_after)),
        at: transaction.at.to_string(),
        title: transaction.title,
        order_id: transaction
            .order_id
            .map(|order_id| order_id.to_string())
            .unwrap_or_default(),
        state: state.to_owned(),
    }
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
            format!("Your JoePass balance is only {available}. Choose another way to pay."),
        )
        .with_field("paymentMethod")
        .with_detail(&pb::InsufficientBalance {
            available: Some(money(available)),
        }),
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

/// Encodes `BalanceChanged`. Its version is the line number of the posting that changed the balance.
pub(crate) fn balance_changed(
    consumer_id: ConsumerId,
    balance_id: BalanceId,
    after: BalanceAfter,
    at: Timestamp,
) -> OutboxEntry {
    let change = pb::BalanceChanged {
        available_minor_units: after.balance,
        currency: Currency::Usd.code().to_owned(),
        changed_at: at.to_string(),
    };
    let event = pb::BalanceEvent {
        consumer_id: consumer_id.to_string(),
        balance_id: balance_id.to_string(),
        change: Some(balance_event::Change::BalanceChanged(change)),
    };
    OutboxEntry::new(event.event_type(), &event, balance_id.to_string(), after.line, at)
}

/// Returns whether an order with this tender can hold stored value.
///
/// # Errors
/// [`ConsumeError::Rejected`] if the tender is unknown.
pub(crate) fn is_stored_value(tender: i32) -> Result<bool, ConsumeError> {
    match TenderKind::try_from(tender) {
        Ok(TenderKind::Joepass | TenderKind::GiftCard) => Ok(true),
        Ok(TenderKind::Card | TenderKind::Bank | TenderKind::ApplePay | TenderKind::GooglePay) => Ok(false),
        Ok(TenderKind::Unspecified) | Err(_) => {
            Err(ConsumeError::Rejected(format!("unknown tender {tender}")))
        }
    }
}
