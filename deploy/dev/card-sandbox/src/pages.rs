//! Lists as the API gives them: newest first, by cursor.

use serde::Serialize;
use serde_json::{Value, json};

use crate::call::Call;
use crate::refusal::Refusal;

/// One page of the items, which come oldest first.
///
/// # Errors
/// When `limit` is out of bounds or a cursor names nothing in the list.
pub fn page<'a, T: Serialize + 'a>(
    call: &Call,
    items: impl DoubleEndedIterator<Item = &'a T>,
    id: impl Fn(&T) -> &str,
) -> Result<Value, Refusal> {
    let limit = call.form.integer("limit")?.unwrap_or(10);
    let limit = usize::try_from(limit)
        .ok()
        .filter(|limit| (1..=100).contains(limit))
        .ok_or_else(|| {
            Refusal::parameter(
                "parameter_invalid_integer",
                "limit",
                "This value must be between 1 and 100.",
            )
        })?;
    let newest_first: Vec<&T> = items.rev().collect();
    let position = |cursor: &str, name: &str| {
        newest_first
            .iter()
            .position(|item| id(item) == cursor)
            .ok_or_else(|| Refusal::names_missing("object", cursor, name))
    };
    let (from, to) = match (call.form.text("starting_after"), call.form.text("ending_before")) {
        (Some(cursor), _) => (position(cursor, "starting_after")? + 1, newest_first.len()),
        (None, Some(cursor)) => {
            let to = position(cursor, "ending_before")?;
            (to.saturating_sub(limit), to)
        }
        (None, None) => (0, newest_first.len()),
    };
    let shown: Vec<&T> = newest_first[from..to].iter().take(limit).copied().collect();
    let has_more = if call.form.has("ending_before") {
        from > 0
    } else {
        to - from > limit
    };
    let data = serde_json::to_value(shown).unwrap_or_default();
    Ok(json!({ "object": "list", "url": call.path, "has_more": has_more, "data": data }))
}

/// Whether a creation time is within `created[gt|gte|lt|lte]`.
///
/// # Errors
/// When a bound is not a number.
pub fn created_within(call: &Call) -> Result<impl Fn(i64) -> bool + use<>, Refusal> {
    let at = call.form.integer("created")?;
    let gt = call.form.integer("created.gt")?;
    let gte = call.form.integer("created.gte")?;
    let lt = call.form.integer("created.lt")?;
    let lte = call.form.integer("created.lte")?;
    Ok(move |created: i64| {
        at.is_none_or(|at| created == at)
            && gt.is_none_or(|bound| created > bound)
            && gte.is_none_or(|bound| created >= bound)
            && lt.is_none_or(|bound| created < bound)
            && lte.is_none_or(|bound| created <= bound)
    })
}
