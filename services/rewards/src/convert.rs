//! Contract to domain and back, every field named.

use std::str::FromStr;

use kit::{ErrorCode, ServiceError};
use ledger::Line;
use proto::{
    rewards::v1::{
        ClaimDiscountRequest, Discount as WireDiscount, InboxMessage, InboxState, ListInboxResponse,
        PointEntry, Points as WirePoints, RewardTier,
    },
    values::v1::{Money as WireMoney, Page as WirePage},
};
use types::{Currency, IdError, MessageId, Money, OrderId, Page};

use crate::{
    config::Rules,
    db::messages::{Counts, Message},
    domain::Discount,
    ops::{claim_discount::ClaimDiscount, get_points::Points},
};

/// Entries of the points ledger on a page that does not say how many.
pub const USUAL_ENTRIES: u32 = 20;
/// Messages on a page that does not say how many (specification section 7).
pub const USUAL_MESSAGES: u32 = 5;
/// More than an inbox shows at once is a mistake.
const MOST_MESSAGES: usize = 100;

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

pub fn message_ids(texts: &[String]) -> Result<Vec<MessageId>, ServiceError> {
    if texts.len() > MOST_MESSAGES {
        let said = format!("At most {MOST_MESSAGES} messages at once.");
        return Err(
            ServiceError::new(ErrorCode::RuleViolation, "TOO_MANY_MESSAGES", said).with_field("messageIds"),
        );
    }
    texts.iter().map(|text| id(text, "messageIds")).collect()
}

pub fn page(page: Option<WirePage>, usual: u32) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, usual)
}

/// A subtotal: an amount, and not less than nothing.
pub fn subtotal(amount: Option<WireMoney>) -> Result<Money, ServiceError> {
    let refused = |code, reason, said| ServiceError::new(code, reason, said).with_field("subtotal");
    let malformed = || {
        refused(
            ErrorCode::InvalidRequest,
            "AMOUNT_MALFORMED",
            "An amount is needed.",
        )
    };
    let amount = amount.ok_or_else(malformed)?;
    let currency: Currency = amount.currency.parse().map_err(|_| malformed())?;
    if amount.minor_units < 0 {
        return Err(refused(
            ErrorCode::RuleViolation,
            "AMOUNT_INVALID",
            "The amount must not be negative.",
        ));
    }
    Ok(Money::new(amount.minor_units, currency))
}

pub fn claim_discount(request: ClaimDiscountRequest) -> Result<ClaimDiscount, ServiceError> {
    Ok(ClaimDiscount {
        order: id(&request.order_id, "orderId")?,
        consumer: id(&request.consumer_id, "consumerId")?,
        code: request.code,
        subtotal: subtotal(request.subtotal)?,
    })
}

pub fn wire_discount(discount: Discount) -> WireDiscount {
    let verdict = discount.off.err();
    let amount = discount.off.unwrap_or_default();
    WireDiscount {
        code: discount.code,
        amount: Some(WireMoney {
            minor_units: amount.minor_units(),
            currency: amount.currency().code().to_owned(),
        }),
        reason: verdict
            .map(|verdict| verdict.reason().to_owned())
            .unwrap_or_default(),
        message: verdict.map(|verdict| verdict.message()).unwrap_or_default(),
        r#type: discount.kind.to_owned(),
    }
}

pub fn wire_points(points: Points, rules: Rules) -> WirePoints {
    let tier = |tier: crate::db::tiers::Tier| RewardTier {
        points: tier.points,
        title: tier.title,
    };
    WirePoints {
        balance: points.balance,
        tiers: points.tiers.into_iter().map(tier).collect(),
        points_per_unit: rules.points_per_unit,
    }
}

pub fn wire_entry(line: Line) -> PointEntry {
    PointEntry {
        entry_id: line.id.to_string(),
        points: line.amount,
        balance_after: line.balance,
        title: line.explanation,
        at: line.at.to_string(),
        order_id: line
            .subject
            .map(|order| OrderId::from_uuid(order).to_string())
            .unwrap_or_default(),
    }
}

pub fn wire_inbox(messages: Vec<Message>, counts: Counts) -> ListInboxResponse {
    ListInboxResponse {
        messages: messages.into_iter().map(wire_message).collect(),
        unseen: counts.unseen,
        total: counts.total,
    }
}

fn wire_message(message: Message) -> InboxMessage {
    InboxMessage {
        message_id: message.id.to_string(),
        kind: message.kind,
        title: message.title,
        body: message.body,
        at: message.at.to_string(),
        seen: message.seen,
        order_id: message.order.map(|order| order.to_string()).unwrap_or_default(),
    }
}

pub const fn wire_state(unseen: u32) -> InboxState {
    InboxState { unseen }
}
