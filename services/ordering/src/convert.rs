//! proto <-> what is kept, every field named.

use std::collections::HashMap;

use jiff::Timestamp;
use kit::InternalError;
use proto::{
    ordering::v1 as pb,
    stores::v1::{CartChoice, ResolvedChoice, ResolvedLine},
    values::v1 as values,
};
use types::Money;
use uuid::Uuid;

use crate::{
    db::{history, orders::Row},
    domain::{
        cart::{Choice, Line, Pickup, Tender},
        order::Status,
        own_words,
        pricing::Totals,
    },
};

/// An amount on the wire.
pub fn money(amount: Money) -> values::Money {
    values::Money {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

/// Minor units on the wire, in the one currency that we take.
pub fn cents(minor_units: i64) -> values::Money {
    money(Money::usd(minor_units))
}

/// A state on the wire.
pub const fn status(status: Status) -> pb::OrderStatus {
    match status {
        Status::PaymentPending => pb::OrderStatus::PaymentPending,
        Status::Scheduled => pb::OrderStatus::Scheduled,
        Status::Placed => pb::OrderStatus::Placed,
        Status::Accepted => pb::OrderStatus::Accepted,
        Status::Preparing => pb::OrderStatus::Preparing,
        Status::Ready => pb::OrderStatus::Ready,
        Status::Completed => pb::OrderStatus::Completed,
        Status::Cancelled => pb::OrderStatus::Cancelled,
        Status::Rejected => pb::OrderStatus::Rejected,
        Status::PaymentFailed => pb::OrderStatus::PaymentFailed,
    }
}

/// What an order is paid with; none for kinds that orders cannot be paid with yet.
pub fn tender(tender: &pb::Tender) -> Option<Tender> {
    match tender.kind() {
        pb::TenderKind::Card => Some(Tender::Card),
        pb::TenderKind::Bank => Some(Tender::Bank),
        pb::TenderKind::Joepass => Some(Tender::JoePass),
        pb::TenderKind::Unspecified
        | pb::TenderKind::GiftCard
        | pb::TenderKind::ApplePay
        | pb::TenderKind::GooglePay => None,
    }
}

/// How it is paid, from what the database keeps.
pub fn tender_kind(kept: &str) -> pb::TenderKind {
    match kept {
        "card" => pb::TenderKind::Card,
        "bank" => pb::TenderKind::Bank,
        _ => pb::TenderKind::Joepass,
    }
}

/// How it is picked up; at the counter where nothing is said.
pub const fn pickup(kind: pb::PickupKind) -> Pickup {
    match kind {
        pb::PickupKind::Curbside => Pickup::Curbside,
        pb::PickupKind::Counter | pb::PickupKind::Unspecified => Pickup::Counter,
    }
}

fn pickup_kind(kept: &str) -> pb::PickupKind {
    if kept == Pickup::Curbside.as_str() {
        pb::PickupKind::Curbside
    } else {
        pb::PickupKind::Counter
    }
}

/// A line that the menu has priced. `amount` and `discount` are set when the order is summed up.
pub fn line(resolved: ResolvedLine) -> Line {
    let unit_price = resolved.unit_price.map_or(0, |price| price.minor_units);
    Line {
        line_id: resolved.line_id,
        item_id: resolved.item_id,
        item_name: resolved.item_name,
        size_id: resolved.size_id,
        size_name: resolved.size_name,
        kind: resolved.kind,
        art: resolved.art,
        quantity: resolved.quantity,
        unit_price,
        choices: resolved.choices.into_iter().map(choice).collect(),
        note: own_words::clean(&resolved.note),
        amount: unit_price.saturating_mul(i64::from(resolved.quantity)),
        discount: 0,
    }
}

fn choice(resolved: ResolvedChoice) -> Choice {
    Choice {
        modification_id: resolved.modification_id,
        modification_name: resolved.modification_name,
        choice_id: resolved.choice_id,
        choice_name: resolved.choice_name,
        quantity: resolved.quantity,
        price: resolved.price.map_or(0, |price| price.minor_units),
        art_key: resolved.art_key,
        is_default: resolved.is_default,
    }
}

/// A line of a quote or an order.
pub fn quote_line(line: &Line) -> pb::QuoteLine {
    let choices = line.choices.iter().map(|choice| ResolvedChoice {
        modification_id: choice.modification_id.clone(),
        modification_name: choice.modification_name.clone(),
        choice_id: choice.choice_id.clone(),
        choice_name: choice.choice_name.clone(),
        quantity: choice.quantity,
        price: Some(cents(choice.price)),
        art_key: choice.art_key.clone(),
        is_default: choice.is_default,
    });
    pb::QuoteLine {
        line: Some(ResolvedLine {
            line_id: line.line_id.clone(),
            item_id: line.item_id.clone(),
            item_name: line.item_name.clone(),
            size_id: line.size_id.clone(),
            size_name: line.size_name.clone(),
            kind: line.kind.clone(),
            art: line.art.clone(),
            quantity: line.quantity,
            unit_price: Some(cents(line.unit_price)),
            choices: choices.collect(),
            note: line.note.clone(),
        }),
        amount: Some(cents(line.amount)),
        discount: Some(cents(line.discount)),
    }
}

/// A line as it was asked for, to ask for it again.
pub fn asked_line(line: &Line) -> proto::stores::v1::CartLine {
    let choices = line.choices.iter().map(|choice| CartChoice {
        modification_id: choice.modification_id.clone(),
        choice_id: choice.choice_id.clone(),
        quantity: choice.quantity,
    });
    proto::stores::v1::CartLine {
        line_id: line.line_id.clone(),
        item_id: line.item_id.clone(),
        size_id: line.size_id.clone(),
        quantity: line.quantity,
        choices: choices.collect(),
        note: line.note.clone(),
    }
}

/// The sums of a quote, into it.
pub fn fill_totals(quote: &mut pb::Quote, totals: &Totals) {
    quote.subtotal = Some(money(totals.subtotal));
    quote.discount = Some(money(totals.discount));
    quote.tax = Some(money(totals.tax));
    quote.tip = Some(money(totals.tip));
    quote.total = Some(money(totals.total));
    quote.points = totals.points;
}

/// An order with its history.
pub fn order(row: Row, history: Vec<pb::StatusChange>) -> Result<pb::Order, InternalError> {
    let kept: Status = row.status.parse().map_err(InternalError::broken)?;
    let scheduled = row.pickup_at.is_some();
    Ok(pb::Order {
        order_id: row.order_id().to_string(),
        consumer_id: row.consumer().to_string(),
        status: status(kept).into(),
        version: row.version,
        store_id: row.store().to_string(),
        lines: row.lines.0.iter().map(quote_line).collect(),
        subtotal: Some(cents(row.subtotal)),
        discount: Some(cents(row.discount)),
        tax: Some(cents(row.tax)),
        tip: Some(cents(row.tip)),
        total: Some(cents(row.total)),
        tax_rate_ppm: row.tax_rate_ppm,
        promo_code: row.promo_code.clone(),
        tender: Some(pb::Tender {
            kind: tender_kind(&row.tender).into(),
            payment_method_id: row.payment_method_id.clone(),
        }),
        pickup: pickup_kind(&row.pickup).into(),
        vehicle: row.vehicle.clone(),
        eta: Some(pb::Eta {
            ready_at: row.ready_at.to_jiff().to_string(),
            scheduled,
            time_zone: row.time_zone.clone(),
        }),
        placed_at: instant(row.placed_at.map(|at| at.to_jiff())),
        created_at: row.created_at.to_jiff().to_string(),
        history,
        client_secret: row.client_secret.clone(),
        arrived_at: instant(row.arrived_at.map(|at| at.to_jiff())),
        points: row.points,
        start_at: row.start_at.to_jiff().to_string(),
        pickup_number: pickup_number(row.id),
        store_name: row.store_name,
        store_address: row.store_address,
        time_zone: row.time_zone,
        reason: row.reason,
        message: row.message,
        pickup_name: row.pickup_name,
    })
}

/// Histories by order.
pub fn histories(
    entries: Vec<history::Entry>,
) -> Result<HashMap<Uuid, Vec<pb::StatusChange>>, InternalError> {
    let mut by_order: HashMap<Uuid, Vec<pb::StatusChange>> = HashMap::new();
    for entry in entries {
        let kept: Status = entry.status.parse().map_err(InternalError::broken)?;
        by_order
            .entry(entry.order_id)
            .or_default()
            .push(pb::StatusChange {
                status: status(kept).into(),
                at: entry.at.to_jiff().to_string(),
                by: actor(&entry.by_whom)?.into(),
            });
    }
    Ok(by_order)
}

/// Who acted, from what the database keeps.
pub fn actor(kept: &str) -> Result<pb::Actor, InternalError> {
    match kept {
        "consumer" => Ok(pb::Actor::Consumer),
        "store" => Ok(pb::Actor::Store),
        "system" => Ok(pb::Actor::System),
        _ => Err(InternalError::broken(format!("unknown actor {kept:?}"))),
    }
}

/// An instant on the wire; empty for none.
pub fn instant(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

/// An instant to the microsecond that the database keeps: what is answered is what is read later.
pub fn as_kept(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}

/// A number short enough to call out: the random end of the id, 100 to 999.
pub fn pickup_number(order: Uuid) -> String {
    (order.as_u128() % 900 + 100).to_string()
}
