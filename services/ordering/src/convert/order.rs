use kit::InternalError;
use proto::{ordering::v1 as pb, values::v1 as values};

use super::{
    money, money_from_proto, optional_timestamp, optional_timestamp_from_proto,
    quote::{quote_line, quote_line_from_proto},
    timestamp_from_proto,
};
use crate::domain::{
    cart::Pickup,
    journey_step::JourneyStep,
    order::{Order, OrderDetails, ScheduledOrder, StatusChange},
    pricing::Totals,
    queue::QueuePage,
    status::{Actor, Status},
    tender::{StoredValuePart, Tender, TenderPart},
};

pub(crate) fn orders(orders: Vec<OrderDetails>) -> pb::ListOrdersResponse {
    pb::ListOrdersResponse {
        orders: orders.into_iter().map(order).collect(),
        next_cursor: String::new(),
    }
}

pub(crate) fn queue(page: QueuePage<OrderDetails>) -> pb::ListOrdersResponse {
    pb::ListOrdersResponse {
        next_cursor: page.next.map(|next| next.to_string()).unwrap_or_default(),
        ..orders(page.orders)
    }
}

pub(crate) fn scheduled_orders(orders: Vec<ScheduledOrder>) -> pb::ListScheduledOrdersResponse {
    let orders = orders.into_iter().map(|scheduled| pb::ScheduledOrder {
        order: Some(order(scheduled.details)),
        is_outside_hours: scheduled.is_outside_hours,
    });
    pb::ListScheduledOrdersResponse {
        orders: orders.collect(),
    }
}

pub(crate) fn order(details: OrderDetails) -> pb::Order {
    let OrderDetails { order, history } = details;
    let first_ready_at = order.first_ready_at().to_string();
    let parts = order.tender_parts().into_iter().map(tender_part).collect();
    let unpaid = order.unpaid_amount().map(money);
    pb::Order {
        order_id: order.id.to_string(),
        consumer_id: order.consumer_id.to_string(),
        status: status(order.status).into(),
        version: order.version,
        store_id: order.store_id.to_string(),
        lines: order.lines.iter().map(quote_line).collect(),
        subtotal: Some(money(order.totals.subtotal)),
        discount: Some(money(order.totals.discount)),
        tax: Some(money(order.totals.tax)),
        tip: Some(money(order.totals.tip)),
        total: Some(money(order.totals.total)),
        tax_rate_ppm: order.tax_rate_ppm,
        pickup_number: order.pickup_number().to_string(),
        promo_code: order.promo_code,
        tender: Some(pb::Tender {
            kind: tender(order.tender).into(),
            payment_method_id: order.payment_method_id,
            wallet_payment_method_id: String::new(),
        }),
        pickup: pickup(order.pickup).into(),
        vehicle: order.vehicle,
        eta: Some(pb::Eta {
            ready_at: order.ready_at.to_string(),
            scheduled: order.is_scheduled,
            time_zone: order.time_zone.clone(),
        }),
        made_at: optional_timestamp(order.made_at),
        placed_at: optional_timestamp(order.placed_at),
        created_at: order.created_at.to_string(),
        history: history.into_iter().map(status_change).collect(),
        client_secret: order.client_secret,
        arrived_at: optional_timestamp(order.arrived_at),
        points: order.totals.points,
        start_at: order.start_at.to_string(),
        store_name: order.store_name,
        store_address: order.store_address,
        time_zone: order.time_zone,
        reason: order.reason,
        message: order.message,
        pickup_name: order.pickup_name,
        cart_id: order.cart_id,
        first_ready_at,
        is_charged: order.is_charged,
        delay_reason: order.delay_reason,
        is_rated: order.is_rated,
        journey_step: journey_step(order.journey_step).into(),
        parts,
        unpaid,
    }
}

pub(super) fn tender_part(part: TenderPart) -> pb::TenderPart {
    pb::TenderPart {
        kind: tender(part.tender).into(),
        payment_method_id: part.payment_method_id,
        amount: Some(money(part.amount)),
        name: part.name,
    }
}

/// Reads the part that stored value pays, and its name. The part is absent if stored value pays the whole order.
fn stored_value_from_proto(
    parts: Vec<pb::TenderPart>,
) -> Result<(Option<StoredValuePart>, String), InternalError> {
    let is_split = parts.len() > 1;
    let Some(part) = parts
        .into_iter()
        .find(|part| part.kind() == pb::TenderKind::Joepass)
    else {
        return Ok((None, String::new()));
    };
    let stored_value = StoredValuePart {
        balance_id: part.payment_method_id,
        amount: money_from_proto(part.amount, "parts")?,
    };
    Ok((is_split.then_some(stored_value), part.name))
}

/// Reads an order that [`order`] encoded.
pub(super) fn order_from_proto(order: pb::Order) -> Result<OrderDetails, InternalError> {
    let eta = order.eta.ok_or_else(|| missing("eta"))?;
    let paid_with = order.tender.ok_or_else(|| missing("tender"))?;
    let amount = |amount, name| money_from_proto(amount, name);
    let lines: Result<_, InternalError> = order.lines.into_iter().map(quote_line_from_proto).collect();
    let history: Result<_, InternalError> = order.history.iter().map(status_change_from_proto).collect();
    let ready_at = timestamp_from_proto(&eta.ready_at, "ready_at")?;
    let first_ready_at = optional_timestamp_from_proto(&order.first_ready_at, "first_ready_at")?;
    let (stored_value, stored_value_name) = stored_value_from_proto(order.parts)?;
    Ok(OrderDetails {
        order: Order {
            id: order
                .order_id
                .parse()
                .map_err(InternalError::invariant_violated)?,
            consumer_id: order
                .consumer_id
                .parse()
                .map_err(InternalError::invariant_violated)?,
            cart_id: order.cart_id,
            store_id: order
                .store_id
                .parse()
                .map_err(InternalError::invariant_violated)?,
            store_name: order.store_name,
            store_address: order.store_address,
            time_zone: order.time_zone,
            status: status_from_proto(order.status)?,
            version: order.version,
            lines: lines?,
            totals: Totals {
                subtotal: amount(order.subtotal, "subtotal")?,
                discount: amount(order.discount, "discount")?,
                tax: amount(order.tax, "tax")?,
                tip: amount(order.tip, "tip")?,
                total: amount(order.total, "total")?,
                points: order.points,
            },
            tax_rate_ppm: order.tax_rate_ppm,
            promo_code: order.promo_code,
            tender: tender_from_proto(paid_with.kind).ok_or_else(|| missing("tender"))?,
            payment_method_id: paid_with.payment_method_id,
            stored_value,
            stored_value_name,
            pickup: pickup_from_proto(order.pickup).ok_or_else(|| missing("pickup"))?,
            vehicle: order.vehicle,
            pickup_name: order.pickup_name,
            journey_step: journey_step_from_proto(order.journey_step),
            is_scheduled: eta.scheduled,
            ready_at,
            first_ready_at: first_ready_at.filter(|&first_ready_at| first_ready_at != ready_at),
            delay_reason: order.delay_reason,
            made_at: optional_timestamp_from_proto(&order.made_at, "made_at")?,
            start_at: timestamp_from_proto(&order.start_at, "start_at")?,
            created_at: timestamp_from_proto(&order.created_at, "created_at")?,
            placed_at: optional_timestamp_from_proto(&order.placed_at, "placed_at")?,
            arrived_at: optional_timestamp_from_proto(&order.arrived_at, "arrived_at")?,
            reason: order.reason,
            message: order.message,
            client_secret: order.client_secret,
            is_charged: order.is_charged,
            is_rated: order.is_rated,
        },
        history: history?,
    })
}

fn missing(name: &str) -> InternalError {
    InternalError::invariant_violated(format!("missing or unknown {name}"))
}

fn status_change(change: StatusChange) -> pb::StatusChange {
    let by = match change.actor {
        Actor::Consumer => pb::Actor::Consumer,
        Actor::Store => pb::Actor::Store,
        Actor::System => pb::Actor::System,
    };
    pb::StatusChange {
        status: status(change.status).into(),
        at: change.at.to_string(),
        by: by.into(),
        ready_at: optional_timestamp(change.ready_at),
    }
}

fn status_change_from_proto(change: &pb::StatusChange) -> Result<StatusChange, InternalError> {
    let actor = match pb::Actor::try_from(change.by) {
        Ok(pb::Actor::Consumer) => Actor::Consumer,
        Ok(pb::Actor::Store) => Actor::Store,
        Ok(pb::Actor::System) => Actor::System,
        Ok(pb::Actor::Unspecified) | Err(_) => return Err(missing("actor")),
    };
    Ok(StatusChange {
        status: status_from_proto(change.status)?,
        at: timestamp_from_proto(&change.at, "at")?,
        actor,
        ready_at: optional_timestamp_from_proto(&change.ready_at, "ready_at")?,
    })
}

pub(super) const fn status(status: Status) -> pb::OrderStatus {
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

fn status_from_proto(number: i32) -> Result<Status, InternalError> {
    Ok(match pb::OrderStatus::try_from(number) {
        Ok(pb::OrderStatus::PaymentPending) => Status::PaymentPending,
        Ok(pb::OrderStatus::Scheduled) => Status::Scheduled,
        Ok(pb::OrderStatus::Placed) => Status::Placed,
        Ok(pb::OrderStatus::Accepted) => Status::Accepted,
        Ok(pb::OrderStatus::Preparing) => Status::Preparing,
        Ok(pb::OrderStatus::Ready) => Status::Ready,
        Ok(pb::OrderStatus::Completed) => Status::Completed,
        Ok(pb::OrderStatus::Cancelled) => Status::Cancelled,
        Ok(pb::OrderStatus::Rejected) => Status::Rejected,
        Ok(pb::OrderStatus::PaymentFailed) => Status::PaymentFailed,
        Ok(pb::OrderStatus::Unspecified) | Err(_) => return Err(missing("status")),
    })
}

pub(super) const fn tender(tender: Tender) -> pb::TenderKind {
    match tender {
        Tender::Card => pb::TenderKind::Card,
        Tender::Bank => pb::TenderKind::Bank,
        Tender::JoePass => pb::TenderKind::Joepass,
        Tender::ApplePay => pb::TenderKind::ApplePay,
        Tender::GooglePay => pb::TenderKind::GooglePay,
    }
}

/// Returns `None` for an unknown kind and for kinds that orders cannot be paid with.
pub(super) fn tender_from_proto(number: i32) -> Option<Tender> {
    match pb::TenderKind::try_from(number).ok()? {
        pb::TenderKind::Card => Some(Tender::Card),
        pb::TenderKind::Bank => Some(Tender::Bank),
        pb::TenderKind::Joepass => Some(Tender::JoePass),
        pb::TenderKind::ApplePay => Some(Tender::ApplePay),
        pb::TenderKind::GooglePay => Some(Tender::GooglePay),
        pb::TenderKind::Unspecified | pb::TenderKind::GiftCard => None,
    }
}

pub(crate) const fn journey_step(step: JourneyStep) -> values::JourneyStep {
    match step {
        JourneyStep::Web => values::JourneyStep::Web,
        JourneyStep::App => values::JourneyStep::App,
    }
}

/// Earlier releases send no step: their orders are placed in a browser.
pub(crate) fn journey_step_from_proto(number: i32) -> JourneyStep {
    match values::JourneyStep::try_from(number) {
        Ok(values::JourneyStep::App) => JourneyStep::App,
        Ok(values::JourneyStep::Web | values::JourneyStep::Unspecified) | Err(_) => JourneyStep::Web,
    }
}

pub(super) const fn pickup(pickup: Pickup) -> pb::PickupKind {
    match pickup {
        Pickup::Counter => pb::PickupKind::Counter,
        Pickup::Curbside => pb::PickupKind::Curbside,
    }
}

/// Returns `None` for an unknown kind.
pub(super) fn pickup_from_proto(number: i32) -> Option<Pickup> {
    match pb::PickupKind::try_from(number).ok()? {
        pb::PickupKind::Counter => Some(Pickup::Counter),
        pb::PickupKind::Curbside => Some(Pickup::Curbside),
        pb::PickupKind::Unspecified => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_unsupported_tenders_are_not_converted() {
        for number in [0, pb::TenderKind::GiftCard.into(), 7] {
            assert_eq!(tender_from_proto(number), None, "{number}");
        }
        for &kind in Tender::ALL {
            assert_eq!(tender_from_proto(tender(kind).into()), Some(kind));
        }
    }

    #[test]
    fn unknown_enum_values_are_errors() {
        assert_eq!(pickup_from_proto(0), None);
        assert_eq!(pickup_from_proto(3), None);
        for number in [0, 11] {
            assert!(status_from_proto(number).is_err(), "{number}");
        }
        for &known in Status::ALL {
            assert_eq!(status_from_proto(status(known).into()).unwrap(), known);
        }
    }
}
