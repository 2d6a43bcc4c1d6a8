//! Each order has exactly what its status requires.

use super::{Finding, Records, records::Order};

#[derive(Debug, Clone, Copy, PartialEq)]
enum Resources {
    /// Placed, not accepted: money, capacity and discount are held.
    Held,
    /// Accepted: the money is captured, capacity and discount are used.
    Captured,
    /// Ended: nothing is held.
    Released,
}

pub fn check(records: &Records) -> Vec<Finding> {
    let mut findings = Vec::new();
    for order in records.orders.values() {
        let resources = match order.status.as_str() {
            "scheduled" | "placed" => Resources::Held,
            "accepted" | "preparing" | "ready" | "completed" => Resources::Captured,
            "cancelled" | "rejected" | "payment_failed" => Resources::Released,
            pending => {
                findings.push(finding("an order is placed or ended", order, pending));
                continue;
            }
        };
        let results = [
            history(order),
            card(records, order, resources),
            stored_value(records, order, resources),
            claim(records, order, resources),
            reservation(records, order, resources),
            points(records, order),
        ];
        findings.extend(results.into_iter().filter_map(Result::err));
    }
    findings
}

fn finding(rule: &'static str, order: &Order, detail: impl std::fmt::Display) -> Finding {
    Finding::new(rule, order.name(), format!("{}: {detail}", order.status))
}

fn require(
    is_met: bool,
    rule: &'static str,
    order: &Order,
    actual: impl std::fmt::Debug,
) -> Result<(), Finding> {
    if is_met {
        Ok(())
    } else {
        Err(finding(rule, order, format!("{actual:?}")))
    }
}

fn history(order: &Order) -> Result<(), Finding> {
    require(
        order.changes == order.version
            && order.newest_change == order.version
            && order.last_status == order.status,
        "an order's history has each version once",
        order,
        (
            order.version,
            order.changes,
            order.newest_change,
            &order.last_status,
        ),
    )
}

fn card(records: &Records, order: &Order, resources: Resources) -> Result<(), Finding> {
    if order.tender == "bank" {
        // Bank debits settle or are returned days later; returned ones become debts.
        return Ok(());
    }
    let intents = records.intents.get(&order.id);
    let amounts = intents.map_or((0, 0), |intents| (intents.held, intents.captured));
    let (_, charged) = order.parts();
    let expected = match resources {
        Resources::Held => (charged, 0),
        Resources::Captured => (0, charged),
        Resources::Released => (0, 0),
    };
    require(
        amounts == expected,
        "the provider holds or captured the card's part of an order once",
        order,
        (amounts, expected),
    )?;
    require(
        intents.is_none_or(|intents| intents.open.is_empty()),
        "an order has no open payment intent",
        order,
        intents,
    )?;
    let charge = records.charges.get(&order.id);
    let state = charge.map_or("none", |charge| charge.state.as_str());
    let is_expected = match resources {
        Resources::Held if charged > 0 => state == "authorized",
        Resources::Captured if charged > 0 => state == "succeeded",
        _ => ["none", "voided", "declined", "refunded"].contains(&state),
    };
    require(
        is_expected,
        "an order's charge has the state that the order requires",
        order,
        charge,
    )?;
    let amount = charge.and_then(|charge| charge.amount);
    require(
        amount.is_none_or(|amount| amount == charged),
        "an order's charge has the amount of its part",
        order,
        (amount, charged),
    )
}

fn stored_value(records: &Records, order: &Order, resources: Resources) -> Result<(), Finding> {
    let hold = records.holds.get(&order.id);
    let state = hold.map_or("none", |hold| hold.state.as_str());
    let (stored, _) = order.parts();
    let is_expected = match resources {
        Resources::Held if stored > 0 => state == "held",
        Resources::Captured if stored > 0 => state == "captured",
        _ => ["none", "released", "refunded", "closed"].contains(&state),
    };
    require(
        is_expected,
        "an order's hold has the state that the order requires",
        order,
        hold,
    )?;
    let amount = hold.and_then(|hold| hold.amount);
    require(
        amount.is_none_or(|amount| amount == stored),
        "an order's hold has the amount of its part",
        order,
        (amount, stored),
    )?;
    let postings = records.value_postings.get(&order.id);
    let kinds: &[&str] = match state {
        "held" => &["order_held"],
        "captured" => &["order_captured", "order_held"],
        "released" => &["order_held", "order_released"],
        "refunded" => &["order_captured", "order_held", "order_refunded"],
        _ => &[],
    };
    let posted: Vec<_> = postings
        .into_iter()
        .flat_map(|postings| &postings.by_kind)
        .collect();
    let is_posted = posted
        .iter()
        .map(|(kind, _)| kind.as_str())
        .eq(kinds.iter().copied())
        && posted.iter().all(|(_, sum)| **sum == stored);
    require(
        is_posted || stored == 0,
        "the ledger has each movement of a hold once",
        order,
        (state, posted),
    )
}

fn claim(records: &Records, order: &Order, resources: Resources) -> Result<(), Finding> {
    let claim = records.claims.get(&order.id);
    let is_claimed = claim.is_some_and(|claim| claim.state == "claimed");
    let requires_claim = resources != Resources::Released && !order.promo_code.is_empty();
    require(
        is_claimed == requires_claim,
        "an order has a claim while it uses a promo code",
        order,
        claim,
    )?;
    let is_equal = |claim: &super::records::Claim| {
        claim.amount == Some(order.discount) && claim.code.as_deref() == Some(order.promo_code.as_str())
    };
    require(
        !is_claimed || claim.is_some_and(is_equal),
        "a claim has the order's code and discount",
        order,
        claim,
    )
}

fn reservation(records: &Records, order: &Order, resources: Resources) -> Result<(), Finding> {
    let reservation = records.reservations.get(&order.id);
    require(
        reservation.is_some_and(|reservation| reservation.is_active) == (resources != Resources::Released),
        "an order has capacity until it ends",
        order,
        reservation,
    )
}

fn points(records: &Records, order: &Order) -> Result<(), Finding> {
    let expected = if order.status == "completed" {
        order.points
    } else {
        0
    };
    let recorded = records.points.get(&order.id).map_or(0, |points| points.points);
    let posted = records
        .point_postings
        .get(&order.id)
        .map_or(0, |postings| postings.to_owners);
    require(
        (recorded, posted) == (expected, expected),
        "a completed order earned its points once",
        order,
        (recorded, posted, expected),
    )
}
