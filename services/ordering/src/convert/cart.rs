use kit::ServiceError;
use proto::{ordering::v1 as pb, stores::v1 as stores};

use super::{
    money,
    order::{pickup, pickup_from_proto},
    quote::{line_problem, quote},
};
use crate::{
    domain::{
        cart::{CartChoice, CartDraft, CartLine},
        line_change::LineChange,
        saved_cart::{CartData, RepeatedOrder, SavedCart},
    },
    errors::invalid_field,
};

pub(crate) fn cart_draft(cart: pb::Cart) -> Result<CartDraft, ServiceError> {
    Ok(CartDraft {
        pickup: pickup_from_proto(cart.pickup).ok_or_else(|| invalid_field("cart.pickup"))?,
        cart_id: cart.cart_id,
        store_id: cart.store_id,
        lines: cart.lines.into_iter().map(cart_line_from_proto).collect(),
        pickup_at: cart.pickup_at,
        promo_code: cart.promo_code,
        tip_minor_units: cart.tip_minor_units,
    })
}

fn cart_line_from_proto(line: stores::CartLine) -> CartLine {
    let choices = line.choices.into_iter().map(|choice| CartChoice {
        modification_id: choice.modification_id,
        choice_id: choice.choice_id,
        quantity: choice.quantity,
    });
    CartLine {
        choices: choices.collect(),
        line_id: line.line_id,
        item_id: line.item_id,
        size_id: line.size_id,
        quantity: line.quantity,
        note: line.note,
    }
}

fn cart(cart: CartDraft) -> pb::Cart {
    pb::Cart {
        cart_id: cart.cart_id,
        store_id: cart.store_id,
        lines: cart.lines.into_iter().map(cart_line).collect(),
        pickup: pickup(cart.pickup).into(),
        pickup_at: cart.pickup_at,
        promo_code: cart.promo_code,
        tip_minor_units: cart.tip_minor_units,
    }
}

pub(crate) fn cart_line(line: CartLine) -> stores::CartLine {
    let choices = line.choices.into_iter().map(|choice| stores::CartChoice {
        modification_id: choice.modification_id,
        choice_id: choice.choice_id,
        quantity: choice.quantity,
    });
    stores::CartLine {
        choices: choices.collect(),
        line_id: line.line_id,
        item_id: line.item_id,
        size_id: line.size_id,
        quantity: line.quantity,
        note: line.note,
    }
}

pub(crate) fn saved_cart(saved: Option<SavedCart>) -> pb::SavedCart {
    let Some(saved) = saved else {
        return pb::SavedCart::default();
    };
    let display = saved.snapshot.map(|snapshot| pb::CartDisplay {
        store_name: snapshot.store_name,
        store_address: snapshot.store_address,
        tax_rate_ppm: snapshot.tax_rate_ppm,
        promo_minor_units: snapshot.promo_minor_units,
    });
    pb::SavedCart {
        cart: Some(cart(saved.draft)),
        saved_at: saved.saved_at.to_string(),
        display,
    }
}

pub(crate) fn cart_data(data: Option<CartData>) -> pb::CartData {
    let Some(data) = data else {
        return pb::CartData::default();
    };
    pb::CartData {
        saved: Some(saved_cart(Some(data.saved))),
        quote: Some(quote(data.quote)),
        changes: data.changes.into_iter().map(line_change).collect(),
    }
}

fn line_change(change: LineChange) -> pb::LineChange {
    pb::LineChange {
        line_id: change.line_id,
        item_name: change.item_name,
        reason: change.reason,
        message: change.message,
        before: change.before.map(money),
        after: change.after.map(money),
    }
}

pub(crate) fn repeated_order(repeated: RepeatedOrder) -> pb::RepeatOrderResponse {
    pb::RepeatOrderResponse {
        cart: Some(cart(repeated.cart)),
        problems: repeated.problems.into_iter().map(line_problem).collect(),
        price_changed: repeated.changes.iter().any(LineChange::is_price_change),
        changes: repeated.changes.into_iter().map(line_change).collect(),
    }
}
