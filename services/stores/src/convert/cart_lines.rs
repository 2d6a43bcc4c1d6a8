//! Converts cart lines.

use kit::ServiceError;
use proto::stores::v1 as pb;

use super::{
    request::{requested_pickup, store_id},
    store::store,
    values::money,
};
use crate::domain::{
    cart_lines::{
        CartChoice, CartLine, LineProblem, ResolveLines, ResolvedChoice, ResolvedLine, ResolvedLines,
    },
    pickup::PickupUnavailable,
};

pub(crate) fn resolve_lines(request: pb::ResolveLinesRequest) -> Result<ResolveLines, ServiceError> {
    Ok(ResolveLines {
        store_id: store_id(&request.store_id)?,
        pickup: requested_pickup(&request.pickup_at)?,
        lines: request.lines.into_iter().map(cart_line).collect(),
    })
}

/// An id that cannot be parsed becomes empty, so that the line is reported as a problem, like a line with an unknown
/// id.
pub(super) fn cart_line(line: pb::CartLine) -> CartLine {
    CartLine {
        id: line.line_id,
        item_id: line.item_id.parse().ok(),
        size_id: line.size_id.parse().ok(),
        quantity: line.quantity,
        choices: line.choices.iter().map(cart_choice).collect(),
        note: line.note,
    }
}

fn cart_choice(choice: &pb::CartChoice) -> CartChoice {
    CartChoice {
        modification_id: choice.modification_id.parse().ok(),
        choice_id: choice.choice_id.parse().ok(),
        quantity: choice.quantity,
    }
}

pub(crate) fn resolved_lines(resolved: ResolvedLines) -> pb::ResolveLinesResponse {
    let problems = resolved
        .pickup_problem
        .iter()
        .map(pickup_problem)
        .chain(resolved.line_problems.into_iter().map(line_problem))
        .collect();
    pb::ResolveLinesResponse {
        store: Some(store(resolved.store)),
        lines: resolved.lines.into_iter().map(resolved_line).collect(),
        problems,
        make_seconds: resolved.make_seconds,
        ready_at: resolved.ready_at.to_string(),
    }
}

/// Encodes a problem of the whole store, which has no line id.
fn pickup_problem(problem: &PickupUnavailable) -> pb::LineProblem {
    pb::LineProblem {
        line_id: String::new(),
        reason: problem.reason().to_owned(),
        message: problem.to_string(),
    }
}

fn line_problem(problem: LineProblem) -> pb::LineProblem {
    pb::LineProblem {
        line_id: problem.line_id,
        reason: problem.error.reason().to_owned(),
        message: problem.error.to_string(),
    }
}

pub(super) fn resolved_line(line: ResolvedLine) -> pb::ResolvedLine {
    pb::ResolvedLine {
        line_id: line.line_id,
        item_id: line.item_id.to_string(),
        item_name: line.item_name,
        size_id: line.size_id.to_string(),
        size_name: line.size_name,
        kind: line.kind.code().to_owned(),
        art: line.art,
        quantity: line.quantity,
        unit_price: Some(money(line.unit_price)),
        choices: line.choices.into_iter().map(resolved_choice).collect(),
        note: line.note,
    }
}

fn resolved_choice(choice: ResolvedChoice) -> pb::ResolvedChoice {
    pb::ResolvedChoice {
        modification_id: choice.modification_id.to_string(),
        modification_name: choice.modification_name,
        choice_id: choice.choice_id.to_string(),
        choice_name: choice.choice_name,
        quantity: choice.quantity,
        price: Some(money(choice.price)),
        art_key: choice.art_key,
        is_default: choice.is_default,
    }
}
