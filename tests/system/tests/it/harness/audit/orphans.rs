//! Each charge, hold, claim, reservation and points entry belongs to an order.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Books, Finding, books::name};

pub fn check(books: &Books) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(without_order(books, "a charge has an order", &books.charges));
    findings.extend(without_order(
        books,
        "a payment intent has an order",
        &books.intents,
    ));
    findings.extend(without_order(books, "a hold has an order", &books.holds));
    findings.extend(without_order(books, "a claim has an order", &books.claims));
    findings.extend(without_order(
        books,
        "a reservation has an order",
        &books.reservations,
    ));
    findings.extend(without_order(books, "points have an order", &books.points));
    findings.extend(without_order(
        books,
        "a movement of stored value has an order",
        &books.value_postings,
    ));
    findings.extend(without_order(
        books,
        "a movement of points has an order",
        &books.point_postings,
    ));
    // The provider must not hold money that payments has no record of.
    let unrecorded = books
        .intents
        .iter()
        .filter(|(order, intents)| {
            (intents.held, intents.captured) != (0, 0) && !books.charges.contains_key(order)
        })
        .map(|(order, intents)| {
            Finding::new(
                "money at the provider has a charge",
                name(*order),
                format!("{intents:?}"),
            )
        });
    findings.extend(unrecorded);
    findings
}

fn without_order<T: std::fmt::Debug>(
    books: &Books,
    rule: &'static str,
    rows: &BTreeMap<Uuid, T>,
) -> Vec<Finding> {
    rows.iter()
        .filter(|(order, _)| !books.orders.contains_key(order))
        .map(|(order, row)| Finding::new(rule, name(*order), format!("{row:?}")))
        .collect()
}
