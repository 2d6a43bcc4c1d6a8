//! Validates an order before the first write.

use std::time::Duration;

use callers::Caller;
use jiff::Timestamp;
use kit::{ErrorCode, InternalError, ServiceError};
use types::{
    Money, OrderId,
    limits::{MAX_PICKUP_NAME_CHARS, MAX_VEHICLE_CHARS, MIN_CARD_PART_CENTS},
    text::sanitize_text_within,
};

use super::{PlaceOrderError, balance::find_balance_name, debts::check_debts};
use crate::{
    Ordering, convert,
    domain::{
        cart::Cart,
        order::{Order, OrderRecord, Placement},
        place_order::PlaceOrder,
        quote::{LineProblem, Quote},
        status::Status,
        tender::{Split, StoredValuePart, Tender},
    },
    errors::{invalid_field, vehicle_too_long},
    ops::price_order::{PriceOrderError, price_cart},
};

/// Fields of the request.
const PAYMENT_METHOD: &str = "paymentMethod";
const STORED_VALUE: &str = "storedValue";

/// An order that can be written.
#[derive(Debug)]
pub(super) struct ValidatedOrder {
    pub(super) record: OrderRecord,
    /// The company of the store.
    pub(super) company_id: String,
}

/// Prices the cart again, checks what the consumer agreed to, and checks that the payment method belongs to the caller.
/// Returns the order as it will be written.
///
/// # Errors
/// `PRICE_CHANGED` and `ETA_CHANGED` with the new quote, `ORDER_TOO_LARGE`, `PAYMENT_METHOD_UNKNOWN`, `CHARGE_TOO_SMALL`,
/// `FAILED_ACH_PAYMENTS`, the problem of a line or of the promo code, or an error of the cart.
pub(super) async fn validate(
    cx: &Ordering,
    caller: &Caller,
    command: &PlaceOrder,
) -> Result<ValidatedOrder, PlaceOrderError> {
    let not_after = latest_ready_at(command.expected_ready_at, cx.rules.eta_slack())
        .ok_or_else(|| invalid_field("expectedReadyAt"))?;
    let vehicle = sanitize_text_within(&command.vehicle, MAX_VEHICLE_CHARS).ok_or_else(vehicle_too_long)?;
    let pickup_name =
        sanitize_text_within(&command.pickup_name, MAX_PICKUP_NAME_CHARS).ok_or_else(pickup_name_too_long)?;
    let cart = command.cart.clone().parse().map_err(PriceOrderError::from)?;
    cart.check_size(cx.rules.order_max_items)
        .map_err(PriceOrderError::from)?;
    let (quote, stored_value_name, ()) = tokio::try_join!(
        async {
            Ok::<_, PlaceOrderError>(price_cart(cx, command.consumer_id, command.journey_step, &cart).await?)
        },
        check_tender(cx, caller, command),
        check_debts(cx, command.consumer_id),
    )?;
    let quote = check_quote(command, quote, not_after)?;
    let company_id = quote.store.company_id.clone();
    let record = new_record(cx, command, cart, quote, not_after)?;
    let order = Order {
        stored_value_name,
        vehicle,
        pickup_name,
        ..record.order
    };
    let record = OrderRecord {
        order: split_tender(order, command.stored_value.clone()),
        ..record
    };
    check_charge(&record.order)?;
    Ok(ValidatedOrder { record, company_id })
}

/// Divides the total between stored value and the tender. If one of them pays all of it, the order has only that one.
fn split_tender(order: Order, requested: Option<StoredValuePart>) -> Order {
    let Some(part) = requested else {
        return order;
    };
    match Split::of(order.totals.total, part.amount) {
        Split::StoredValueOnly => Order {
            tender: Tender::JoePass,
            payment_method_id: part.balance_id,
            ..order
        },
        Split::Both(amount) => Order {
            stored_value: Some(StoredValuePart { amount, ..part }),
            ..order
        },
        Split::CardOnly => Order {
            stored_value_name: String::new(),
            ..order
        },
    }
}

/// The payment provider declines smaller charges, whatever the card.
fn check_charge(order: &Order) -> Result<(), ServiceError> {
    if (1..MIN_CARD_PART_CENTS).contains(&order.charge_amount().minor_units()) {
        return Err(ServiceError::new(
            ErrorCode::RuleViolation,
            "CHARGE_TOO_SMALL",
            format!(
                "We can't charge less than {}. Pay with JoePass or a gift card, or add a tip.",
                Money::usd(MIN_CARD_PART_CENTS)
            ),
        )
        .with_field(PAYMENT_METHOD));
    }
    Ok(())
}

/// Returns the quote if the consumer agreed to it and the whole cart can be ordered.
fn check_quote(command: &PlaceOrder, quote: Quote, not_after: Timestamp) -> Result<Quote, ServiceError> {
    if let Some(problem) = quote.problems.first() {
        return Err(line_unavailable(problem.clone()));
    }
    if let Some(rejection) = quote.promo_rejection {
        return Err(
            ServiceError::new(ErrorCode::RuleViolation, rejection.reason, rejection.message)
                .with_field("cart.promo.code"),
        );
    }
    if quote.totals.total.minor_units() > command.expected_total.minor_units() {
        return Err(convert::quote_changed(
            "PRICE_CHANGED",
            "The price changed. Please check the new total.",
            quote,
        ));
    }
    if quote.pickup_at.is_none() && quote.ready_at > not_after {
        return Err(convert::quote_changed(
            "ETA_CHANGED",
            "Your order will take longer than expected. Please check the new time.",
            quote,
        ));
    }
    Ok(quote)
}

fn pickup_name_too_long() -> ServiceError {
    ServiceError::new(
        ErrorCode::RuleViolation,
        "PICKUP_NAME_TOO_LONG",
        format!("The pickup name can have up to {MAX_PICKUP_NAME_CHARS} characters."),
    )
    .with_field("pickupName")
}

/// Returns `None` if the result is out of the range of timestamps.
fn latest_ready_at(expected: Timestamp, slack: Duration) -> Option<Timestamp> {
    expected.checked_add(slack).ok()
}

/// A problem without a line concerns the store and the requested time.
fn line_unavailable(problem: LineProblem) -> ServiceError {
    let LineProblem {
        line_id,
        reason,
        message,
    } = problem;
    match (line_id.as_str(), reason.as_str()) {
        ("", "PICKUP_TIME_INVALID") => {
            ServiceError::new(ErrorCode::RuleViolation, reason, message).with_field("cart.schedule")
        }
        ("", _) => ServiceError::new(ErrorCode::Conflict, reason, message),
        _ => ServiceError::new(ErrorCode::RuleViolation, reason, message)
            .with_field(format!("cart.items.{line_id}")),
    }
}

/// Checks that the payment method and the balance belong to the caller. Payments and gift-cards check again. Returns the name
/// of the balance; empty without stored value.
async fn check_tender(
    cx: &Ordering,
    caller: &Caller,
    command: &PlaceOrder,
) -> Result<String, PlaceOrderError> {
    let Some(part) = &command.stored_value else {
        return match command.tender {
            Tender::JoePass => {
                let balance_id = &command.payment_method_id;
                find_balance_name(cx, caller, command.consumer_id, balance_id, PAYMENT_METHOD).await
            }
            _ => check_payment_method(cx, caller, command)
                .await
                .map(|()| String::new()),
        };
    };
    let can_pay_rest = command.tender == Tender::Card || command.tender.is_wallet();
    if !part.amount.is_positive() {
        return Err(stored_value_not_positive());
    }
    if !can_pay_rest {
        return Err(tender_split_invalid());
    }
    let (name, ()) = tokio::try_join!(
        find_balance_name(cx, caller, command.consumer_id, &part.balance_id, STORED_VALUE),
        check_payment_method(cx, caller, command),
    )?;
    Ok(name)
}

async fn check_payment_method(
    cx: &Ordering,
    caller: &Caller,
    command: &PlaceOrder,
) -> Result<(), PlaceOrderError> {
    let (tender, payment_method_id) = (command.tender, command.payment_method_id.as_str());
    let is_known = match tender {
        Tender::ApplePay | Tender::GooglePay => {
            if command.wallet_payment_method_id.is_empty() {
                return Err(payment_method_required());
            }
            // Payments checks that the wallet created the method. Nothing else identifies a wallet payment.
            payment_method_id.is_empty()
        }
        Tender::Card | Tender::Bank => {
            if payment_method_id.is_empty() {
                return Err(payment_method_required());
            }
            let found = cx
                .clients
                .payments
                .find_payment_method(caller, payment_method_id)
                .await?;
            found == Some(tender)
        }
        // Stored value is checked by its balance.
        Tender::JoePass => false,
    };
    if is_known {
        Ok(())
    } else {
        Err(PlaceOrderError::payment_method_unknown(PAYMENT_METHOD))
    }
}

fn tender_split_invalid() -> PlaceOrderError {
    let error = ServiceError::new(
        ErrorCode::RuleViolation,
        "TENDER_SPLIT_INVALID",
        "Only a card, Apple Pay or Google Pay can pay the rest. Choose another way to pay.",
    );
    PlaceOrderError::Rejected(error.with_field(STORED_VALUE))
}

fn stored_value_not_positive() -> PlaceOrderError {
    let error = ServiceError::new(
        ErrorCode::RuleViolation,
        "AMOUNT_INVALID",
        "Choose an amount above $0 to pay from your balance.",
    );
    PlaceOrderError::Rejected(error.with_field("storedValue.amount"))
}

fn payment_method_required() -> PlaceOrderError {
    let error = ServiceError::new(
        ErrorCode::RuleViolation,
        "PAYMENT_METHOD_REQUIRED",
        "Payment method is required",
    );
    PlaceOrderError::Rejected(error.with_field(PAYMENT_METHOD))
}

fn new_record(
    cx: &Ordering,
    command: &PlaceOrder,
    cart: Cart,
    quote: Quote,
    not_after: Timestamp,
) -> Result<OrderRecord, InternalError> {
    let now = cx.clock.now();
    let store = quote.store;
    let id = OrderId::new(now);
    // Without a cart id from the client, each order gets a new one.
    let cart_id = match cart.cart_id {
        cart_id if cart_id.is_empty() => id.to_string(),
        cart_id => cart_id,
    };
    // The column's type is a signed integer.
    i32::try_from(quote.make_seconds).map_err(InternalError::invariant_violated)?;
    Ok(OrderRecord {
        order: Order {
            id,
            consumer_id: command.consumer_id,
            cart_id,
            store_id: store.id,
            store_address: store.address(),
            store_name: store.name,
            time_zone: store.time_zone,
            status: Status::PaymentPending,
            version: 1,
            lines: quote.lines,
            totals: quote.totals,
            tax_rate_ppm: store.tax_rate_ppm,
            promo_code: cart.promo_code,
            tender: command.tender,
            payment_method_id: command.payment_method_id.clone(),
            stored_value: None,
            stored_value_name: String::new(),
            pickup: cart.pickup,
            vehicle: String::new(),
            pickup_name: String::new(),
            journey_step: command.journey_step,
            is_scheduled: quote.pickup_at.is_some(),
            ready_at: quote.ready_at,
            start_at: now,
            created_at: now,
            placed_at: None,
            arrived_at: None,
            reason: String::new(),
            message: String::new(),
            client_secret: String::new(),
            is_charged: false,
            first_ready_at: None,
            delay_reason: String::new(),
            made_at: None,
            is_rated: false,
        },
        placement: Placement {
            idempotency_key: command.idempotency_key.clone(),
            make_seconds: quote.make_seconds,
            pickup_at: quote.pickup_at,
            not_after,
            epoch: 1,
            awaits_authentication: false,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_times_near_the_end_of_time_are_out_of_range() {
        let latest = |text: &str| latest_ready_at(text.parse().unwrap(), Duration::from_mins(5));
        assert_eq!(
            latest("2026-11-20T16:00:00Z").map(|at| at.to_string()).as_deref(),
            Some("2026-11-20T16:05:00Z")
        );
        for text in ["9999-12-30T22:00:00Z", "9999-12-30T21:59:59.999Z"] {
            assert_eq!(latest(text), None, "{text}");
        }
    }
}
