//! Contract to domain and back, every field named.

use std::str::FromStr;

use kit::{ErrorCode, ServiceError};
use proto::{
    giftcards::v1::{
        Balance, Hold as WireHold, HoldState, HoldValueRequest, Transaction as WireTransaction, Wallet,
    },
    values::v1::{Money as WireMoney, Page as WirePage},
};
use types::{IdError, Money, OrderId, Page};

use crate::{
    domain::Hold,
    ops::{get_wallet, hold_value::HoldValue, list_transactions::Transaction},
};

const USUAL_PAGE: u32 = 20;
const TITLE_LENGTH: usize = 120;

/// An id, or the field that is none.
pub fn id<T: FromStr<Err = IdError>>(text: &str, field: &'static str) -> Result<T, ServiceError> {
    text.parse().map_err(|error: IdError| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "ID_MALFORMED",
            format!("{field}: {error}"),
        )
        .with_field(field)
    })
}

pub fn hold_value(request: HoldValueRequest) -> Result<HoldValue, ServiceError> {
    let balance = match request.balance_id.as_str() {
        "" => None,
        text => Some(id(text, "balanceId")?),
    };
    let title: String = request
        .title
        .trim()
        .chars()
        .filter(|letter| !letter.is_control())
        .take(TITLE_LENGTH)
        .collect();
    Ok(HoldValue {
        order: id(&request.order_id, "orderId")?,
        consumer: id(&request.consumer_id, "consumerId")?,
        balance,
        amount: money(request.amount)?,
        title: if title.is_empty() {
            "Order".to_owned()
        } else {
            title
        },
    })
}

fn money(amount: Option<WireMoney>) -> Result<Money, ServiceError> {
    let malformed = || {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "AMOUNT_MALFORMED",
            "An amount is needed.",
        )
        .with_field("amount")
    };
    let amount = amount.ok_or_else(malformed)?;
    let currency = amount.currency.parse().map_err(|_| malformed())?;
    Ok(Money::new(amount.minor_units, currency))
}

pub fn page(page: Option<WirePage>) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, USUAL_PAGE)
}

fn wire_money(amount: Money) -> Option<WireMoney> {
    Some(WireMoney {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    })
}

pub fn wire_hold(order: OrderId, hold: &Hold, available: Money) -> WireHold {
    let state = match hold {
        Hold::Held(_) => HoldState::Held,
        Hold::Captured(_) => HoldState::Captured,
        Hold::Released(_) | Hold::Refunded(_) => HoldState::Released,
        Hold::Closed => HoldState::Closed,
    };
    WireHold {
        order_id: order.to_string(),
        state: state.into(),
        amount: wire_money(hold.stake().map_or(Money::ZERO, |stake| stake.amount)),
        available: wire_money(available),
    }
}

pub fn wire_wallet(balance: Option<get_wallet::Balance>) -> Wallet {
    let joepass = |balance: get_wallet::Balance| Balance {
        balance_id: balance.id.to_string(),
        r#type: "joebucks".to_owned(),
        available: wire_money(balance.available),
        held: wire_money(balance.held),
        company_id: String::new(),
        company_name: String::new(),
    };
    Wallet {
        balances: balance.map(joepass).into_iter().collect(),
    }
}

pub fn wire_transaction(transaction: Transaction) -> WireTransaction {
    let Transaction { line, order, state } = transaction;
    WireTransaction {
        transaction_id: line.id.to_string(),
        kind: line.kind,
        amount: wire_money(Money::usd(line.amount)),
        balance_after: wire_money(Money::usd(line.balance)),
        at: line.at.to_string(),
        title: line.explanation,
        order_id: order.map(|order| order.to_string()).unwrap_or_default(),
        state: state.to_owned(),
    }
}
