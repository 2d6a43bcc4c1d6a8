//! Lists in the API's format: newest first, with cursors.

use serde::Serialize;
use serde_json::{Value, json};

use crate::api_error::ApiError;
use crate::request::ApiRequest;

const DEFAULT_LIMIT: i64 = 10;

/// Returns one page of the items. `items` iterates oldest first.
///
/// # Errors
/// If `limit` is out of range or a cursor is not the id of an item.
pub fn page<'a, T: Serialize + 'a>(
    request: &ApiRequest,
    items: impl DoubleEndedIterator<Item = &'a T>,
    id: impl Fn(&T) -> &str,
) -> Result<Value, ApiError> {
    let form = &request.form;
    let limit = usize::try_from(form.integer("limit")?.unwrap_or(DEFAULT_LIMIT))
        .ok()
        .filter(|limit| (1..=100).contains(limit))
        .ok_or_else(|| {
            let message = "This value must be between 1 and 100.";
            ApiError::parameter("parameter_invalid_integer", "limit", message)
        })?;
    let newest_first: Vec<&T> = items.rev().collect();
    let position = |cursor: &str, name: &str| {
        newest_first
            .iter()
            .position(|item| id(item) == cursor)
            .ok_or_else(|| ApiError::missing_reference("object", cursor, name))
    };
    let (start, end) = match (form.text("starting_after"), form.text("ending_before")) {
        (Some(cursor), _) => (position(cursor, "starting_after")? + 1, newest_first.len()),
        (None, Some(cursor)) => {
            let end = position(cursor, "ending_before")?;
            (end.saturating_sub(limit), end)
        }
        (None, None) => (0, newest_first.len()),
    };
    let has_more = if form.has("ending_before") {
        start > 0
    } else {
        end - start > limit
    };
    let items: Vec<&T> = newest_first[start..end].iter().take(limit).copied().collect();
    let data = serde_json::to_value(items).unwrap_or_default();
    Ok(json!({ "object": "list", "url": request.path, "has_more": has_more, "data": data }))
}

/// Returns a search result. The sandbox returns all matches in one page.
pub fn search_result(request: &ApiRequest, data: &[Value]) -> Value {
    json!({
        "object": "search_result", "url": request.path, "has_more": false, "next_page": null,
        "total_count": data.len(), "data": data,
    })
}

/// Returns a filter for creation times by the parameters `created` and `created[gt|gte|lt|lte]`.
pub fn created_filter(request: &ApiRequest) -> Result<impl Fn(i64) -> bool + use<>, ApiError> {
    let at = request.form.integer("created")?;
    let gt = request.form.integer("created.gt")?;
    let gte = request.form.integer("created.gte")?;
    let lt = request.form.integer("created.lt")?;
    let lte = request.form.integer("created.lte")?;
    Ok(move |created: i64| {
        at.is_none_or(|at| created == at)
            && gt.is_none_or(|bound| created > bound)
            && gte.is_none_or(|bound| created >= bound)
            && lt.is_none_or(|bound| created < bound)
            && lte.is_none_or(|bound| created <= bound)
    })
}
