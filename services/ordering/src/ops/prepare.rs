//! What an order has to pass before anything of it is written.

use std::time::Duration;

use jiff::Timestamp;
use jiff_sqlx::ToSqlx;
use callers::Caller;
use kit::{ErrorCode, InternalError, ServiceError};
use proto::{
    giftcards::v1::{GetWalletRequest, gift_cards_client::GiftCardsClient},
    ordering::v1 as pb,
    payments::v1::{GetPaymentMethodRequest, payments_client::PaymentsClient},
    stores::v1::LineProblem,
};
use sqlx::types::Json;
use types::{ConsumerId, Currency, OrderId, StoreId};

use crate::{
    Ordering, convert,
    db::orders::Row,
    domain::{cart::Tender, order::Status, own_words},
    ops::{
        place::{PlaceError, refused},
        price::{self, PriceError, Priced},
        user_arrived::vehicle_too_long,
    },
};

/// As long as a first name may be, which is what the app has called out.
const LONGEST_NAME: usize = 60;
/// As the API says, and as [`crate::ops::user_arrived`] takes.
pub const LONGEST_VEHICLE: usize = 120;

/// Prices again, checks what was agreed to, and that what pays is the caller's own. Answers the order as it will be
/// written.
///
/// # Errors
/// [`PlaceError`].
pub async fn prepare(
    cx: &Ordering,
    caller: &Caller,
    consumer: ConsumerId,
    request: &pb::PlaceOrderRequest,
) -> Result<Row, PlaceError> {
    let cart = request.cart.as_ref().ok_or(PriceError::Malformed("cart"))?;
    let asked = request
        .tender
        .as_ref()
        .ok_or(PriceError::Malformed("paymentMethod"))?;
    let Some(tender) = convert::tender(asked) else {
        return refused(
            ErrorCode::RuleViolation,
            "TENDER_UNSUPPORTED",
            "This way to pay is not available for orders yet.",
        );
    };
    let expected = expected(request).ok_or(PriceError::Malformed("expectedTotal"))?;
    let slack = Duration::from_secs(cx.rules.order_promise_slack_seconds);
    let not_after =
        latest(&request.expected_ready_at, slack).ok_or(PriceError::Malformed("expectedReadyAt"))?;
    let vehicle = own_words::of(&request.vehicle, LONGEST_VEHICLE)
        .ok_or_else(|| PlaceError::Refused(vehicle_too_long()))?;
    let pickup_name = own_words::of(&request.pickup_name, LONGEST_NAME)
        .ok_or_else(|| PlaceError::Refused(name_too_long()))?;
    let (priced, ()) = tokio::try_join!(
        async { Ok::<_, PlaceError>(price::price(cx, consumer, cart).await?) },
        check_tender(cx, caller, tender, &asked.payment_method_id),
    )?;
    if let Some(problem) = priced.problems.first() {
        return Err(PlaceError::Refused(unavailable(problem)));
    }
    if let Some(promo) = priced.promo.as_ref().filter(|promo| !promo.reason.is_empty()) {
        let refusal = ServiceError::new(
            ErrorCode::RuleViolation,
            promo.reason.clone(),
            promo.message.clone(),
        );
        return Err(PlaceError::Refused(refusal.with_field("cart.promoCode")));
    }
    if priced.totals.total.minor_units() > expected {
        return moved(
            "PRICE_CHANGED",
            "The price has changed. Please look at the new total.",
            priced,
        );
    }
    if priced.pickup_at.is_none() && priced.ready_at > not_after {
        return moved(
            "ETA_CHANGED",
            "This order would be ready later than you were told.",
            priced,
        );
    }
    let row = new_row(cx, consumer, request, priced, tender, not_after)?;
    Ok(Row {
        vehicle,
        pickup_name,
        ..row
    })
}

fn name_too_long() -> ServiceError {
    let message = "A name to call out may have up to 60 characters.";
    ServiceError::new(ErrorCode::RuleViolation, "PICKUP_NAME_TOO_LONG", message).with_field("pickupName")
}

/// What the consumer agreed to, in minor units; none where it is not said, or not in dollars.
fn expected(request: &pb::PlaceOrderRequest) -> Option<i64> {
    let total = request.expected_total.as_ref()?;
    (total.currency == Currency::Usd.code()).then_some(total.minor_units)
}

/// The latest ready time that the consumer agrees to; none where what they were told is no instant, or one that has no
/// later one.
fn latest(told: &str, slack: Duration) -> Option<Timestamp> {
    told.parse::<Timestamp>().ok()?.checked_add(slack).ok()
}

/// Why a line, or all of them, cannot be had. What names no line is about the store and the time.
fn unavailable(problem: &LineProblem) -> ServiceError {
    let LineProblem {
        line_id,
        reason,
        message,
    } = problem.clone();
    match (line_id.as_str(), reason.as_str()) {
        ("", "PICKUP_TIME_INVALID") => {
            ServiceError::new(ErrorCode::RuleViolation, reason, message).with_field("cart.pickupAt")
        }
        ("", _) => ServiceError::new(ErrorCode::Conflict, reason, message),
        _ => ServiceError::new(ErrorCode::RuleViolation, reason, message)
            .with_field(format!("cart.lines.{line_id}")),
    }
}

/// The consumer has to agree to the new quote first; it comes with the refusal.
fn moved<T>(reason: &'static str, message: &'static str, priced: Priced) -> Result<T, PlaceError> {
    let detail = pb::QuoteChanged {
        quote: Some(priced.into_quote()),
    };
    Err(PlaceError::Refused(
        ServiceError::new(ErrorCode::Conflict, reason, message).with_detail(&detail),
    ))
}

/// Refuses a payment method or balance that is not the caller's own, before anything is written.
async fn check_tender(
    cx: &Ordering,
    caller: &Caller,
    tender: Tender,
    method: &str,
) -> Result<(), PlaceError> {
    let unknown = || {
        refused(
            ErrorCode::RuleViolation,
            "PAYMENT_METHOD_UNKNOWN",
            "We do not know this payment method.",
        )
    };
    match tender {
        Tender::Card | Tender::Bank => {
            if method.is_empty() {
                return refused(
                    ErrorCode::RuleViolation,
                    "PAYMENT_METHOD_REQUIRED",
                    "Payment method is required",
                );
            }
            let request = GetPaymentMethodRequest {
                payment_method_id: method.to_owned(),
            };
            let found = PaymentsClient::new(cx.clients.payments_for(caller))
                .get_payment_method(request)
                .await;
            match found.map_err(|status| ServiceError::from_status(&status)) {
                Ok(method) if method.get_ref().r#type == tender.as_str() => Ok(()),
                Ok(_) => unknown(),
                Err(refusal)
                    if matches!(
                        refusal.code,
                        ErrorCode::NotFound | ErrorCode::InvalidRequest | ErrorCode::Forbidden
                    ) =>
                {
                    unknown()
                }
                Err(refusal) => Err(PlaceError::Refused(refusal)),
            }
        }
        Tender::JoePass if method.is_empty() => Ok(()),
        Tender::JoePass => {
            let wallet = GiftCardsClient::new(cx.clients.gift_cards_for(caller))
                .get_wallet(GetWalletRequest {})
                .await?;
            let own = wallet
                .into_inner()
                .balances
                .into_iter()
                .any(|balance| balance.balance_id == method);
            if own { Ok(()) } else { unknown() }
        }
    }
}

fn new_row(
    cx: &Ordering,
    consumer: ConsumerId,
    request: &pb::PlaceOrderRequest,
    priced: Priced,
    tender: Tender,
    not_after: Timestamp,
) -> Result<Row, PlaceError> {
    let cart = request.cart.clone().unwrap_or_default();
    let now = cx.clock.now();
    let store: StoreId = priced.store.store_id.parse().map_err(InternalError::broken)?;
    let cart_id = if cart.cart_id.is_empty() {
        request.idempotency_key.clone()
    } else {
        cart.cart_id.clone()
    };
    let totals = priced.totals;
    Ok(Row {
        id: OrderId::new(now).uuid(),
        consumer_id: consumer.uuid(),
        store_id: store.uuid(),
        cart_id,
        status: Status::PaymentPending.as_str().to_owned(),
        version: 1,
        idempotency_key: request.idempotency_key.clone(),
        store_address: format!("{}, {}", priced.store.street, priced.store.city),
        store_name: priced.store.name,
        time_zone: priced.store.time_zone,
        lines: Json(priced.lines),
        currency: totals.total.currency().code().to_owned(),
        subtotal: totals.subtotal.minor_units(),
        discount: totals.discount.minor_units(),
        tax: totals.tax.minor_units(),
        tip: totals.tip.minor_units(),
        total: totals.total.minor_units(),
        tax_rate_ppm: priced.store.tax_rate_ppm,
        promo_code: cart.promo_code.clone(),
        points: totals.points,
        tender: tender.as_str().to_owned(),
        payment_method_id: request
            .tender
            .as_ref()
            .map(|tender| tender.payment_method_id.clone())
            .unwrap_or_default(),
        pickup: convert::pickup(cart.pickup()).as_str().to_owned(),
        vehicle: String::new(),
        pickup_name: String::new(),
        make_seconds: i32::try_from(priced.make_seconds).map_err(InternalError::broken)?,
        pickup_at: priced.pickup_at.map(ToSqlx::to_sqlx),
        ready_at: priced.ready_at.to_sqlx(),
        start_at: now.to_sqlx(),
        not_after: not_after.to_sqlx(),
        created_at: now.to_sqlx(),
        placed_at: None,
        arrived_at: None,
        reason: String::new(),
        message: String::new(),
        epoch: 1,
        client_secret: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_agreed_to_is_said_in_dollars() {
        let request = |currency: &str| pb::PlaceOrderRequest {
            expected_total: Some(proto::values::v1::Money {
                minor_units: 516,
                currency: currency.to_owned(),
            }),
            ..Default::default()
        };
        assert_eq!(expected(&request("usd")), Some(516));
        assert_eq!(expected(&request("jpy")), None);
        assert_eq!(expected(&pb::PlaceOrderRequest::default()), None);
    }

    #[test]
    fn no_time_that_a_client_sends_is_too_much() {
        let slack = Duration::from_secs(300);
        let agreed = latest("2026-11-20T16:00:00Z", slack).map(|at| at.to_string());
        assert_eq!(agreed.as_deref(), Some("2026-11-20T16:05:00Z"));
        for told in ["", "soon", "9999-12-30T22:00:00Z", "9999-12-30T21:59:59.999Z"] {
            assert_eq!(latest(told, slack), None, "{told}");
        }
    }
}
