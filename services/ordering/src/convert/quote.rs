use kit::{ErrorCode, InternalError, ServiceError};
use proto::{ordering::v1 as pb, rewards::v1 as rewards, stores::v1 as stores};
use types::{Money, text::sanitize_text};

use super::{
    money, money_from_proto,
    store::{store, store_from_proto},
    timestamp_from_proto,
};
use crate::domain::{
    line::{OrderChoice, OrderLine},
    quote::{Discount, LineProblem, PromoRejection, Quote, ResolvedLines},
};

pub(crate) fn quote(quote: Quote) -> pb::Quote {
    let (promo_reason, promo_message) = quote
        .promo_rejection
        .map(|rejection| (rejection.reason, rejection.message))
        .unwrap_or_default();
    pb::Quote {
        lines: quote.lines.iter().map(quote_line).collect(),
        subtotal: Some(money(quote.totals.subtotal)),
        discount: Some(money(quote.totals.discount)),
        tax: Some(money(quote.totals.tax)),
        tip: Some(money(quote.totals.tip)),
        total: Some(money(quote.totals.total)),
        tax_rate_ppm: quote.store.tax_rate_ppm,
        eta: Some(pb::Eta {
            ready_at: quote.ready_at.to_string(),
            scheduled: quote.pickup_at.is_some(),
            time_zone: quote.store.time_zone.clone(),
        }),
        problems: quote.problems.into_iter().map(line_problem).collect(),
        promo_reason,
        promo_message,
        points: quote.totals.points,
        make_seconds: quote.make_seconds,
        store: Some(store(quote.store)),
    }
}

/// Returns a conflict with the new quote, which the consumer has to confirm.
pub(crate) fn quote_changed(reason: &'static str, message: &'static str, new_quote: Quote) -> ServiceError {
    let detail = pb::QuoteChanged {
        quote: Some(quote(new_quote)),
    };
    ServiceError::new(ErrorCode::Conflict, reason, message).with_detail(&detail)
}

pub(super) fn quote_line(line: &OrderLine) -> pb::QuoteLine {
    let choices = line.choices.iter().map(|choice| stores::ResolvedChoice {
        modification_id: choice.modification_id.clone(),
        modification_name: choice.modification_name.clone(),
        choice_id: choice.choice_id.clone(),
        choice_name: choice.choice_name.clone(),
        quantity: choice.quantity,
        price: Some(money(choice.price)),
        art_key: choice.art_key.clone(),
        is_default: choice.is_default,
    });
    pb::QuoteLine {
        line: Some(stores::ResolvedLine {
            line_id: line.line_id.clone(),
            item_id: line.item_id.clone(),
            item_name: line.item_name.clone(),
            size_id: line.size_id.clone(),
            size_name: line.size_name.clone(),
            kind: line.kind.as_str().to_owned(),
            art: line.art.clone(),
            quantity: line.quantity,
            unit_price: Some(money(line.unit_price)),
            choices: choices.collect(),
            note: line.note.clone(),
        }),
        amount: Some(money(line.amount)),
        discount: Some(money(line.discount)),
    }
}

pub(super) fn quote_line_from_proto(line: pb::QuoteLine) -> Result<OrderLine, InternalError> {
    let resolved = line
        .line
        .ok_or_else(|| InternalError::invariant_violated("missing field line"))?;
    Ok(OrderLine {
        amount: money_from_proto(line.amount, "amount")?,
        discount: money_from_proto(line.discount, "discount")?,
        ..order_line(resolved)?
    })
}

pub(super) fn line_problem(problem: LineProblem) -> stores::LineProblem {
    stores::LineProblem {
        line_id: problem.line_id,
        reason: problem.reason,
        message: problem.message,
    }
}

pub(crate) fn resolved_lines(resolved: stores::ResolveLinesResponse) -> Result<ResolvedLines, InternalError> {
    let shown = resolved
        .store
        .ok_or_else(|| InternalError::invariant_violated("missing field store"))?;
    let problems = resolved.problems.into_iter().map(|problem| LineProblem {
        line_id: problem.line_id,
        reason: problem.reason,
        message: problem.message,
    });
    Ok(ResolvedLines {
        store: store_from_proto(shown)?,
        lines: order_lines(resolved.lines)?,
        problems: problems.collect(),
        make_seconds: resolved.make_seconds,
        ready_at: timestamp_from_proto(&resolved.ready_at, "ready_at")?,
    })
}

fn order_lines(lines: Vec<stores::ResolvedLine>) -> Result<Vec<OrderLine>, InternalError> {
    lines.into_iter().map(order_line).collect()
}

/// Converts a line priced by the menu. Its share of the discount is set later.
fn order_line(line: stores::ResolvedLine) -> Result<OrderLine, InternalError> {
    let unit_price = money_from_proto(line.unit_price, "unit_price")?;
    Ok(OrderLine {
        kind: line.kind.parse().map_err(InternalError::invariant_violated)?,
        line_id: line.line_id,
        item_id: line.item_id,
        item_name: line.item_name,
        size_id: line.size_id,
        size_name: line.size_name,
        art: line.art,
        quantity: line.quantity,
        unit_price,
        choices: line
            .choices
            .into_iter()
            .map(order_choice)
            .collect::<Result<_, _>>()?,
        note: sanitize_text(&line.note),
        amount: unit_price
            .times(line.quantity)
            .map_err(InternalError::invariant_violated)?,
        discount: Money::ZERO,
    })
}

fn order_choice(choice: stores::ResolvedChoice) -> Result<OrderChoice, InternalError> {
    Ok(OrderChoice {
        modification_id: choice.modification_id,
        modification_name: choice.modification_name,
        choice_id: choice.choice_id,
        choice_name: choice.choice_name,
        quantity: choice.quantity,
        price: money_from_proto(choice.price, "price")?,
        art_key: choice.art_key,
        is_default: choice.is_default,
    })
}

pub(crate) fn discount(discount: rewards::Discount) -> Result<Discount, InternalError> {
    let rejection = PromoRejection {
        reason: discount.reason,
        message: discount.message,
    };
    Ok(Discount {
        amount: money_from_proto(discount.amount, "amount")?,
        rejection: (!rejection.reason.is_empty()).then_some(rejection),
    })
}
