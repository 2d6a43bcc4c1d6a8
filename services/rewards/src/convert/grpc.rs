//! Requests and responses of the gRPC service.

use kit::{ErrorCode, ServiceError, parse_id};
use proto::{rewards::v1 as pb, values::v1 as values};
use types::{Currency, MessageId, Money, Page, limits::MAX_INBOX_MESSAGES};

use super::offers::parse_time_zone;
use crate::domain::{
    claim::ClaimDiscount,
    inbox::{InboxMessage, InboxPage},
    points::{PointEntry, PointsSummary, RewardTier},
    promo::{Discount, DiscountRule, OrderPlace},
    promo_error::PromoError,
};

const DEFAULT_ENTRIES_PER_PAGE: u32 = 20;
/// Specification section 7.
const DEFAULT_MESSAGES_PER_PAGE: u32 = 5;

pub(crate) fn parse_message_ids(texts: &[String]) -> Result<Vec<MessageId>, ServiceError> {
    if texts.len() > MAX_INBOX_MESSAGES {
        let error = ServiceError::new(
            ErrorCode::RuleViolation,
            "TOO_MANY_MESSAGES",
            format!("Select up to {MAX_INBOX_MESSAGES} messages at a time."),
        );
        return Err(error.with_field("messageIds"));
    }
    texts.iter().map(|text| parse_id(text, "messageIds")).collect()
}

pub(crate) fn parse_amount(
    amount: Option<values::Money>,
    field: &'static str,
) -> Result<Money, ServiceError> {
    let error = |code, reason, message| ServiceError::new(code, reason, message).with_field(field);
    let malformed = || {
        error(
            ErrorCode::InvalidRequest,
            "AMOUNT_MALFORMED",
            "Enter a valid amount.",
        )
    };
    let amount = amount.ok_or_else(malformed)?;
    let currency: Currency = amount.currency.parse().map_err(|_| malformed())?;
    if amount.minor_units < 0 {
        return Err(error(
            ErrorCode::RuleViolation,
            "AMOUNT_INVALID",
            "The amount can't be negative.",
        ));
    }
    Ok(Money::new(amount.minor_units, currency))
}

pub(crate) fn claim_discount_command(
    request: pb::ClaimDiscountRequest,
) -> Result<ClaimDiscount, ServiceError> {
    Ok(ClaimDiscount {
        order_id: parse_id(&request.order_id, "orderId")?,
        consumer_id: parse_id(&request.consumer_id, "consumerId")?,
        subtotal: parse_amount(request.subtotal, "subtotal")?,
        place: order_place(
            &request.company_id,
            request.journey_step,
            &request.time_zone,
            request.drink_price,
        )?,
        code: request.code,
    })
}

pub(crate) fn order_place(
    company_id: &str,
    journey_step: i32,
    time_zone: &str,
    drink_price: Option<values::Money>,
) -> Result<OrderPlace, ServiceError> {
    Ok(OrderPlace {
        company_id: match company_id {
            "" => None,
            company_id => Some(parse_id(company_id, "companyId")?),
        },
        drink_price: drink_price
            .map(|price| parse_amount(Some(price), "drinkPrice"))
            .transpose()?,
        time_zone: parse_time_zone(time_zone)?,
        is_in_app: is_in_app(journey_step),
    })
}

/// An unknown journey step counts as the web.
pub(crate) fn is_in_app(journey_step: i32) -> bool {
    values::JourneyStep::try_from(journey_step) == Ok(values::JourneyStep::App)
}

pub(crate) fn entries_page(page: Option<values::Page>) -> Page {
    page_with_default(page, DEFAULT_ENTRIES_PER_PAGE)
}

pub(crate) fn messages_page(page: Option<values::Page>) -> Page {
    page_with_default(page, DEFAULT_MESSAGES_PER_PAGE)
}

fn page_with_default(page: Option<values::Page>, default_take: u32) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, default_take)
}

pub(crate) fn discount(discount: Discount) -> pb::Discount {
    let (amount, error) = match discount.amount {
        Ok(amount) => (amount, None),
        Err(error) => (Money::ZERO, Some(error)),
    };
    let kind = discount.rule.map_or("", DiscountRule::kind);
    pb::Discount {
        code: discount.code,
        amount: Some(values::Money {
            minor_units: amount.minor_units(),
            currency: amount.currency().code().to_owned(),
        }),
        reason: error.as_ref().map_or("", PromoError::reason).to_owned(),
        message: error.as_ref().map(PromoError::message).unwrap_or_default(),
        r#type: kind.to_owned(),
    }
}

pub(crate) fn points(summary: PointsSummary) -> pb::Points {
    let tier = |tier: RewardTier| pb::RewardTier {
        points: tier.points,
        title: tier.title,
        code: tier.code.unwrap_or_default(),
    };
    pb::Points {
        balance: summary.balance,
        tiers: summary.tiers.into_iter().map(tier).collect(),
        points_per_unit: summary.points_per_unit,
    }
}

pub(crate) fn point_entries(entries: Vec<PointEntry>) -> pb::ListPointEntriesResponse {
    pb::ListPointEntriesResponse {
        entries: entries.into_iter().map(point_entry).collect(),
    }
}

fn point_entry(entry: PointEntry) -> pb::PointEntry {
    pb::PointEntry {
        entry_id: entry.id.to_string(),
        points: entry.points,
        balance_after: entry.balance_after,
        title: entry.title,
        at: entry.at.to_string(),
        order_id: entry
            .order_id
            .map(|order_id| order_id.to_string())
            .unwrap_or_default(),
    }
}

pub(crate) fn inbox(page: InboxPage) -> pb::ListInboxResponse {
    pb::ListInboxResponse {
        messages: page.messages.into_iter().map(inbox_message).collect(),
        unseen: page.counts.unseen,
        total: page.counts.total,
    }
}

fn inbox_message(message: InboxMessage) -> pb::InboxMessage {
    pb::InboxMessage {
        message_id: message.id.to_string(),
        kind: message.kind,
        title: message.title,
        body: message.body,
        at: message.at.to_string(),
        seen: message.is_seen,
        order_id: message
            .order_id
            .map(|order_id| order_id.to_string())
            .unwrap_or_default(),
    }
}

pub(crate) const fn inbox_state(unseen: u32) -> pb::InboxState {
    pb::InboxState { unseen }
}
