//! Converts usual items.

use kit::ServiceError;
use proto::stores::v1 as pb;
use types::ConsumerId;

use super::{
    cart_lines,
    request::{choice_id, item_id, modification_id, size_id, store_id},
};
use crate::domain::usual_item::{AddUsualItem, ResolvedUsualItem, UsualChoice};

pub(crate) fn add_usual_item(
    consumer_id: ConsumerId,
    request: pb::AddUsualItemRequest,
) -> Result<AddUsualItem, ServiceError> {
    item_id(&request.item_id)?;
    size_id(&request.size_id)?;
    for choice in &request.choices {
        modification_id(&choice.modification_id)?;
        choice_id(&choice.choice_id)?;
    }
    let name = request.name.trim();
    Ok(AddUsualItem {
        consumer_id,
        store_id: store_id(&request.store_id)?,
        name: (!name.is_empty()).then(|| name.to_owned()),
        line: cart_lines::cart_line(pb::CartLine {
            line_id: String::new(),
            item_id: request.item_id,
            size_id: request.size_id,
            quantity: 1,
            choices: request.choices,
            note: request.note.trim().to_owned(),
        }),
    })
}

pub(crate) fn usual_item_list(items: Vec<ResolvedUsualItem>) -> pb::ListUsualItemsResponse {
    let items = items.into_iter().map(usual_item).collect();
    pb::ListUsualItemsResponse { items }
}

pub(crate) fn usual_item(resolved: ResolvedUsualItem) -> pb::UsualItem {
    let ResolvedUsualItem { item, line, problem } = resolved;
    let id = item.id.to_string();
    pb::UsualItem {
        store_id: item.store_id.to_string(),
        store_name: item.store_name,
        name: item.name,
        item_id: item.customization.item_id.to_string(),
        size_id: item.customization.size_id.to_string(),
        choices: item.customization.choices.iter().map(cart_choice).collect(),
        note: item.customization.note,
        line: line.map(cart_lines::resolved_line),
        problem: problem.map(|error| pb::LineProblem {
            line_id: id.clone(),
            reason: error.reason().to_owned(),
            message: error.to_string(),
        }),
        usual_item_id: id,
    }
}

fn cart_choice(choice: &UsualChoice) -> pb::CartChoice {
    pb::CartChoice {
        modification_id: choice.modification_id.to_string(),
        choice_id: choice.choice_id.to_string(),
        quantity: choice.quantity,
    }
}
