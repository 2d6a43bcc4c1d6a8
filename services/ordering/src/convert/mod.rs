//! Conversions between domain types and protobuf messages. Every field is named.

mod cart;
mod event;
mod money_audit;
mod order;
mod order_request;
mod order_timeline;
mod place_order;
mod quote;
mod receipt;
mod store;
mod store_schedule;
mod stored_response;
mod summary;

use jiff::Timestamp;
use kit::InternalError;
use proto::values::v1 as values;
use types::{Currency, Money};

pub(crate) use cart::{cart_data, cart_draft, cart_line, repeated_order, saved_cart};
pub(crate) use event::{order_arrived, order_changed, order_delayed, order_payment_failed, order_rated};
pub(crate) use money_audit::audited_hold;
pub(crate) use order::{journey_step, journey_step_from_proto, order, orders, queue, scheduled_orders};
pub(crate) use order_request::{delay_draft, feedback_draft};
pub(crate) use order_timeline::order_timeline;
pub(crate) use place_order::place_order;
pub(crate) use quote::{discount, quote, quote_changed, resolved_lines};
pub(crate) use receipt::receipt;
pub(crate) use stored_response::StoredResponse;
pub(crate) use summary::store_summary;

pub(crate) fn money(amount: Money) -> values::Money {
    values::Money {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

pub(crate) fn money_from_proto(amount: Option<values::Money>, name: &str) -> Result<Money, InternalError> {
    let amount = amount.ok_or_else(|| InternalError::invariant_violated(format!("missing field {name}")))?;
    let currency: Currency = amount
        .currency
        .parse()
        .map_err(InternalError::invariant_violated)?;
    Ok(Money::new(amount.minor_units, currency))
}

pub(crate) fn optional_money_from_proto(
    amount: Option<values::Money>,
) -> Result<Option<Money>, InternalError> {
    amount
        .map(|amount| money_from_proto(Some(amount), "amount"))
        .transpose()
}

/// RFC 3339; empty if absent.
pub(crate) fn optional_timestamp(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

pub(crate) fn timestamp_from_proto(text: &str, name: &str) -> Result<Timestamp, InternalError> {
    text.parse()
        .map_err(|_| InternalError::invariant_violated(format!("invalid {name}: {text:?}")))
}

fn optional_timestamp_from_proto(text: &str, name: &str) -> Result<Option<Timestamp>, InternalError> {
    match text {
        "" => Ok(None),
        text => timestamp_from_proto(text, name).map(Some),
    }
}
