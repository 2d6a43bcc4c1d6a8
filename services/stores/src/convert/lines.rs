//! Lines of a cart, in and out.

use kit::ServiceError;
use proto::stores::v1;

use super::{money, store::store};
use crate::{
    domain::lines::{Line, Resolved, Taken, Wanted},
    ops::{
        reserve,
        resolve_lines::{Resolution, Till},
    },
};

/// A line as the cart has it. An id that cannot be read is nobody's: the line is answered like any unknown one.
pub fn line(line: v1::CartLine) -> Line {
    Line {
        id: line.line_id,
        item: line.item_id.parse().ok(),
        size: line.size_id.parse().ok(),
        quantity: line.quantity,
        choices: line
            .choices
            .into_iter()
            .map(|choice| Wanted {
                modification: choice.modification_id.parse().ok(),
                choice: choice.choice_id.parse().ok(),
                quantity: choice.quantity,
            })
            .collect(),
        note: line.note,
    }
}

/// The answer to lines held against the menu. Why the store itself cannot have them ready is a problem of no line.
pub fn resolution(till: &Till, lines: &[Line], resolution: &Resolution<'_>) -> v1::ResolveLinesResponse {
    let mut problems: Vec<v1::LineProblem> = resolution
        .not_then
        .as_ref()
        .map(|not_then| v1::LineProblem {
            line_id: String::new(),
            reason: reserve::reason(not_then).to_owned(),
            message: not_then.to_string(),
        })
        .into_iter()
        .collect();
    let mut resolved = Vec::with_capacity(lines.len());
    for (line, answer) in lines.iter().zip(&resolution.lines) {
        match answer {
            Ok(found) => resolved.push(resolved_line(line, found)),
            Err(problem) => problems.push(v1::LineProblem {
                line_id: line.id.clone(),
                reason: problem.reason().to_owned(),
                message: problem.to_string(),
            }),
        }
    }
    v1::ResolveLinesResponse {
        store: Some(store(till.shown.clone())),
        lines: resolved,
        problems,
        make_seconds: resolution.make_seconds,
        ready_at: resolution.ready_at.to_string(),
    }
}

fn resolved_line(line: &Line, found: &Resolved<'_>) -> v1::ResolvedLine {
    v1::ResolvedLine {
        line_id: line.id.clone(),
        item_id: found.item.id.to_string(),
        item_name: found.item.name.clone(),
        size_id: found.size.id.to_string(),
        size_name: found.size.name.clone(),
        kind: found.item.kind.code().to_owned(),
        art: found.item.art.clone(),
        quantity: line.quantity,
        unit_price: Some(money(found.unit_price)),
        choices: found.choices.iter().map(resolved_choice).collect(),
        note: line.note.clone(),
    }
}

fn resolved_choice(taken: &Taken<'_>) -> v1::ResolvedChoice {
    v1::ResolvedChoice {
        modification_id: taken.modification.id.to_string(),
        modification_name: taken.modification.name.clone(),
        choice_id: taken.choice.id.to_string(),
        choice_name: taken.choice.name.clone(),
        quantity: taken.quantity,
        price: Some(money(taken.price)),
        art_key: taken.choice.art_key.clone(),
        is_default: taken.is_default,
    }
}

/// What an order asks of a store.
pub fn reserve_capacity(
    request: &v1::ReserveCapacityRequest,
) -> Result<reserve::ReserveCapacity, ServiceError> {
    use super::request;
    Ok(reserve::ReserveCapacity {
        order: request::order_id(&request.order_id)?,
        store: request::store_id(&request.store_id)?,
        make_seconds: request.make_seconds,
        wanted: request::wanted(&request.pickup_at)?,
        not_after: request::instant(&request.not_after, "notAfter")?,
    })
}
