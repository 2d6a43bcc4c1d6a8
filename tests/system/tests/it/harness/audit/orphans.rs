//! Each charge, hold, claim, reservation and points entry belongs to an order.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::{Finding, Records, records::name};

pub fn check(records: &Records) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(without_order(records, "a charge has an order", &records.charges));
    findings.extend(without_order(
        records,
        "a payment intent has an order",
        &records.intents,
    ));
    findings.extend(without_order(records, "a hold has an order", &records.holds));
    findings.extend(without_order(records, "a claim has an order", &records.claims));
    findings.extend(without_order(
        records,
        "a reservation has an order",
        &records.reservations,
    ));
    findings.extend(without_order(records, "points have an order", &records.points));
    findings.extend(without_order(
        records,
        "a movement of stored value has an order",
        &records.value_postings,
    ));
    findings.extend(without_order(
        records,
        "a movement of points has an order",
        &records.point_postings,
    ));
    // The provider must not hold money that payments has no record of.
    let unrecorded = records
        .intents
        .iter()
        .filter(|(order, intents)| {
            (intents.held, intents.captured) != (0, 0) && !records.charges.contains_key(order)
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
    records: &Records,
    rule: &'static str,
    rows: &BTreeMap<Uuid, T>,
) -> Vec<Finding> {
    rows.iter()
        .filter(|(order, _)| !records.orders.contains_key(order))
        .map(|(order, row)| Finding::new(rule, name(*order), format!("{row:?}")))
        .collect()
}
