use callers::Caller;
use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use kit::{ErrorCode, ServiceError};
use types::{
    GiftCardId, PurchaseId,
    limits::{MAX_DELIVERY_DAYS, MAX_GIFT_MESSAGE_CHARS},
    text::sanitize_lines,
};

use super::{
    new_purchase::{find_terms, new_purchase},
    purchase::{self, PurchaseError, PurchaseSnapshot},
};
use crate::{
    GiftCards,
    domain::{
        gift_card::is_design,
        purchase::{BuyGiftCard, Item, PurchaseKind},
        recipient::RecipientKind,
    },
};

/// Buys a gift card for the consumer's own wallet, or for someone who receives its code. Idempotent per consumer and key.
///
/// # Errors
/// As [`super::add_funds::add_funds`], and `DEAL_NOT_AVAILABLE`, `DESIGN_UNKNOWN`, `MESSAGE_TOO_LONG`,
/// `DELIVERY_DATE_INVALID`.
pub async fn buy_gift_card(
    cx: &GiftCards,
    caller: &Caller,
    command: BuyGiftCard,
) -> Result<PurchaseSnapshot, PurchaseError> {
    let BuyGiftCard {
        payment,
        amount,
        deal_id,
        recipient,
        deliver_on,
        message,
        design,
    } = command;
    if let Some(response) = purchase::find_response(cx, &payment, PurchaseKind::GiftCard).await? {
        return Ok(response);
    }
    let message = sanitize_lines(&message);
    if message.chars().count() > MAX_GIFT_MESSAGE_CHARS {
        let text = format!("The message can have up to {MAX_GIFT_MESSAGE_CHARS} characters.");
        return Err(violation("MESSAGE_TOO_LONG", text, "message"));
    }
    if !is_design(&design) {
        let text = "We don't have that design. Choose another one.".to_owned();
        return Err(violation("DESIGN_UNKNOWN", text, "design"));
    }
    let now = cx.clock.now();
    let deliver_at = match deliver_on.filter(|_| recipient.kind != RecipientKind::Buyer) {
        Some(date) => delivery_time(date, cx.rules.gift_delivery_hour_utc, now).ok_or_else(|| {
            let text = "Choose a delivery date within the next year.".to_owned();
            violation("DELIVERY_DATE_INVALID", text, "deliverOn")
        })?,
        None => now,
    };
    let terms = find_terms(cx, payment.consumer_id, None, deal_id, Some(amount)).await?;
    let tender = purchase::find_tender(cx, caller, &payment).await?;
    let item = Item::GiftCard {
        id: GiftCardId::new(now),
        recipient,
        message,
        design,
        deliver_at,
    };
    let source = payment.source.clone();
    let purchase = new_purchase(cx, PurchaseId::new(now), payment, item, terms, tender);
    purchase::run(cx, purchase, source).await
}

/// Returns when a gift card for a date is delivered: at once if that time of today has passed. `None` if the date is in the
/// past or more than a year ahead.
fn delivery_time(date: Date, hour_utc: i8, now: Timestamp) -> Option<Timestamp> {
    let at = date
        .at(hour_utc, 0, 0, 0)
        .to_zoned(TimeZone::UTC)
        .ok()?
        .timestamp();
    let latest = now + SignedDuration::from_hours(24 * i64::from(MAX_DELIVERY_DAYS));
    // Yesterday by UTC can be today in the time zone of the consumer.
    let earliest = now - SignedDuration::from_hours(48);
    (earliest..=latest).contains(&at).then(|| at.max(now))
}

fn violation(reason: &'static str, message: String, field: &'static str) -> PurchaseError {
    ServiceError::new(ErrorCode::RuleViolation, reason, message)
        .with_field(field)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_delivered_on_its_date_or_at_once() {
        let now: Timestamp = "2026-11-20T16:00:00Z".parse().unwrap();
        let at = |date: &str| delivery_time(date.parse().unwrap(), 15, now).map(|at| at.to_string());
        assert_eq!(at("2026-12-24").as_deref(), Some("2026-12-24T15:00:00Z"));
        assert_eq!(at("2026-11-20").as_deref(), Some("2026-11-20T16:00:00Z"));
        assert_eq!(at("2026-11-19").as_deref(), Some("2026-11-20T16:00:00Z"));
        assert_eq!(at("2026-11-17"), None);
        assert_eq!(at("2027-12-24"), None);
    }
}
