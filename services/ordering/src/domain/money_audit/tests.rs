use MoneyDifference::{
    ChargeAmount, ChargeMissing, ChargeNotCaptured, ChargeNotReleased, ChargeUnexpected, ChargeWithoutOrder,
    HoldAmount, HoldMissing, HoldNotCaptured, HoldNotReleased, HoldUnexpected, HoldWithoutOrder,
};

use super::*;

fn order(status: Status, tender: Tender, charge_part: i64, hold_part: i64) -> AuditedOrder {
    AuditedOrder {
        id: OrderId::new(jiff::Timestamp::UNIX_EPOCH),
        status,
        tender,
        is_unpaid: false,
        charge_part: Money::usd(charge_part),
        hold_part: Money::usd(hold_part),
        is_settled: true,
        is_old: false,
    }
}

fn charge(state: Charge) -> AuditedCharge {
    AuditedCharge {
        state,
        is_capture_requested: false,
        amount: Some(Money::usd(500)),
        is_settled: true,
    }
}

const fn hold(state: HoldState) -> AuditedHold {
    AuditedHold {
        state,
        amount: Some(Money::usd(300)),
    }
}

#[test]
fn an_order_matches_its_charge() {
    use Charge::{Authorized, Closed, Disputed, Processing, Refunded, Returned, Succeeded};
    for (status, tender, state, expected) in [
        (Status::Placed, Tender::Card, Some(Authorized), None),
        (Status::Placed, Tender::Card, None, Some(ChargeMissing)),
        (Status::Placed, Tender::Card, Some(Closed), Some(ChargeMissing)),
        (
            Status::Placed,
            Tender::Card,
            Some(Succeeded),
            Some(ChargeUnexpected),
        ),
        (Status::Scheduled, Tender::Bank, Some(Processing), None),
        (Status::Scheduled, Tender::Bank, Some(Succeeded), None),
        (
            Status::Scheduled,
            Tender::Bank,
            Some(Returned),
            Some(ChargeMissing),
        ),
        (
            Status::Accepted,
            Tender::Card,
            Some(Authorized),
            Some(ChargeNotCaptured),
        ),
        (Status::Ready, Tender::ApplePay, Some(Succeeded), None),
        (Status::Completed, Tender::Card, Some(Disputed), None),
        (Status::Completed, Tender::Card, Some(Refunded), None),
        (Status::Completed, Tender::Bank, Some(Returned), None),
        (
            Status::Completed,
            Tender::Card,
            Some(Returned),
            Some(ChargeMissing),
        ),
        (
            Status::Cancelled,
            Tender::Card,
            Some(Authorized),
            Some(ChargeNotReleased),
        ),
        (
            Status::Rejected,
            Tender::Card,
            Some(Succeeded),
            Some(ChargeNotReleased),
        ),
        (Status::PaymentFailed, Tender::Card, Some(Closed), None),
        (Status::PaymentFailed, Tender::Card, None, None),
        (Status::Cancelled, Tender::Bank, Some(Returned), None),
        (Status::PaymentPending, Tender::Card, Some(Succeeded), None),
    ] {
        let charge = state.map(charge);
        let found = compare(Some(&order(status, tender, 500, 0)), charge.as_ref(), None);
        assert_eq!(found, Vec::from_iter(expected), "{status} {tender} {charge:?}");
    }
}

#[test]
fn an_order_matches_its_hold() {
    use HoldState::{Captured, Held, Released};
    for (status, state, expected) in [
        (Status::Placed, Some(Held), None),
        (Status::Placed, None, Some(HoldMissing)),
        (Status::Placed, Some(Captured), Some(HoldUnexpected)),
        (Status::Accepted, Some(Captured), None),
        (Status::Accepted, Some(Held), Some(HoldNotCaptured)),
        (Status::Completed, Some(Released), Some(HoldMissing)),
        (Status::Rejected, Some(Held), Some(HoldNotReleased)),
        (Status::Cancelled, Some(Captured), Some(HoldNotReleased)),
        (Status::Cancelled, Some(Released), None),
    ] {
        let hold = state.map(hold);
        let found = compare(Some(&order(status, Tender::JoePass, 0, 300)), None, hold.as_ref());
        assert_eq!(found, Vec::from_iter(expected), "{status} {hold:?}");
    }
}

#[test]
fn amounts_are_those_of_the_parts() {
    let held = (charge(Charge::Authorized), hold(HoldState::Held));
    let found = |charge_part, hold_part| {
        let order = order(Status::Placed, Tender::Card, charge_part, hold_part);
        compare(Some(&order), Some(&held.0), Some(&held.1))
    };
    assert_eq!(found(500, 300), []);
    assert_eq!(found(501, 299), [ChargeAmount, HoldAmount]);
    assert_eq!(found(0, 300), [ChargeUnexpected]);
    assert_eq!(found(500, 0), [HoldUnexpected]);
}

#[test]
fn money_without_an_order_is_a_difference_unless_it_was_released() {
    let (charged, held) = (charge(Charge::Succeeded), hold(HoldState::Held));
    assert_eq!(
        compare(None, Some(&charged), Some(&held)),
        [ChargeWithoutOrder, HoldWithoutOrder]
    );
    let (closed, released) = (charge(Charge::Closed), hold(HoldState::Released));
    assert_eq!(compare(None, Some(&closed), Some(&released)), []);
}

#[test]
fn an_order_that_changed_recently_or_is_known_to_be_unpaid_is_left_out() {
    let placed = order(Status::Placed, Tender::Card, 500, 0);
    let changing = AuditedOrder {
        is_settled: false,
        ..placed
    };
    assert_eq!(compare(Some(&changing), None, None), []);
    // Payments releases a charge whose capture failed, and ordering has not consumed the event yet.
    let accepted = order(Status::Accepted, Tender::Card, 500, 0);
    let released = AuditedCharge {
        is_settled: false,
        ..charge(Charge::Closed)
    };
    assert_eq!(compare(Some(&accepted), Some(&released), None), []);
    let unpaid = AuditedOrder {
        is_unpaid: true,
        ..order(Status::Completed, Tender::Card, 500, 0)
    };
    assert_eq!(compare(Some(&unpaid), Some(&charge(Charge::Closed)), None), []);
}

#[test]
fn money_is_not_held_for_long() {
    let found = |status, state| {
        let old = AuditedOrder {
            is_old: true,
            ..order(status, Tender::JoePass, 0, 300)
        };
        compare(Some(&old), None, Some(&hold(state)))
    };
    assert_eq!(
        found(Status::Placed, HoldState::Held),
        [MoneyDifference::HeldTooLong]
    );
    assert_eq!(found(Status::Completed, HoldState::Captured), []);
}

#[test]
fn a_capture_that_is_executed_later_is_no_difference() {
    let requested = AuditedCharge {
        is_capture_requested: true,
        ..charge(Charge::Authorized)
    };
    let accepted = order(Status::Accepted, Tender::Card, 500, 0);
    assert_eq!(compare(Some(&accepted), Some(&requested), None), []);
}
