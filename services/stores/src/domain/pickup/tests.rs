use super::*;
use crate::domain::{
    capacity::{Load, slot_at},
    hours::WeeklyHours,
    opening_hours::SpecialDay,
    pause::PauseReason,
    staffing::Staffing,
};

struct TestStore {
    load: Load,
    hours: OpeningHours,
    zone: TimeZone,
    pause: Option<Pause>,
    staffing: Staffing,
}

impl TestStore {
    fn open(opens_minute: u16, closes_minute: u16) -> Self {
        Self {
            load: Load::new(),
            hours: WeeklyHours::daily(opens_minute, closes_minute).into(),
            zone: TimeZone::get("America/Chicago").unwrap(),
            pause: None,
            staffing: Staffing::constant(1),
        }
    }

    fn schedule(&self) -> StoreSchedule<'_> {
        StoreSchedule {
            capacity: StoreCapacity {
                load: &self.load,
                staffing: &self.staffing,
            },
            hours: &self.hours,
            zone: &self.zone,
            pause: self.pause,
        }
    }

    fn local(&self, text: &str) -> Timestamp {
        self.zone.to_timestamp(text.parse().unwrap()).unwrap()
    }
}

fn pause(until: Option<Timestamp>) -> Pause {
    Pause {
        reason: PauseReason::Busy,
        until,
    }
}

#[test]
fn a_closed_or_paused_store_has_no_plan_for_now() {
    let mut store = TestStore::open(360, 1200);
    let noon = store.local("2026-11-20T12:00:00");
    let plan_asap = |store: &TestStore, now| store.schedule().plan(90, RequestedPickup::Asap, now);
    assert_eq!(
        plan_asap(&store, store.local("2026-11-20T05:00:00")),
        Err(PickupUnavailable::Closed)
    );
    assert_eq!(
        plan_asap(&store, store.local("2026-11-20T19:58:00")),
        Err(PickupUnavailable::Closed),
        "closes before the order is made"
    );
    assert!(plan_asap(&store, noon).is_ok());
    store.pause = Some(pause(None));
    assert_eq!(plan_asap(&store, noon), Err(PickupUnavailable::Paused));
}

#[test]
fn a_requested_time_must_be_within_opening_hours_and_days_ahead() {
    let store = TestStore::open(360, 1200);
    let noon = store.local("2026-11-20T12:00:00");
    let ready_at = |text: &str| {
        store
            .schedule()
            .plan(90, RequestedPickup::At(store.local(text)), noon)
            .map(|plan| plan.ready_at)
    };
    for inside in ["2026-11-21T06:15:00", "2026-11-20T20:00:00"] {
        assert_eq!(ready_at(inside), Ok(store.local(inside)), "{inside}");
    }
    for outside in [
        "2026-11-20T11:59:00",
        "2026-11-20T20:01:00",
        "2026-11-21T05:00:00",
        "2026-11-25T12:01:00",
    ] {
        assert_eq!(
            ready_at(outside),
            Err(PickupUnavailable::OutsideHours),
            "{outside}"
        );
    }
}

#[test]
fn a_time_within_a_minute_is_rounded_up() {
    let store = TestStore::open(360, 1200);
    let noon = store.local("2026-11-20T12:00:00");
    for text in [
        "2026-11-20T12:29:00.000000001",
        "2026-11-20T12:29:30",
        "2026-11-20T12:30:00",
    ] {
        let requested = RequestedPickup::At(store.local(text));
        let plan = store.schedule().plan(90, requested, noon).unwrap();
        assert_eq!(plan.ready_at, store.local("2026-11-20T12:30:00"), "{text}");
    }
}

#[test]
fn a_time_without_capacity_returns_the_earliest_time() {
    let mut store = TestStore::open(360, 1200);
    let noon = store.local("2026-11-20T12:00:00");
    store.load = (slot_at(noon)..slot_at(noon) + 6)
        .map(|slot| (slot, 300))
        .collect();
    let requested = RequestedPickup::At(store.local("2026-11-20T12:15:00"));
    let earliest = Some(store.local("2026-11-20T12:32:00"));
    assert_eq!(
        store.schedule().plan(90, requested, noon),
        Err(PickupUnavailable::SlotTaken { earliest })
    );
}

#[test]
fn the_earliest_ready_time_of_a_closed_store_is_after_its_next_opening() {
    let mut store = TestStore::open(360, 1200);
    store.pause = Some(pause(None));
    let evening = store.local("2026-11-20T19:59:00");
    assert_eq!(
        store.schedule().earliest_ready_at(90, evening),
        Some(store.local("2026-11-21T06:03:00"))
    );
    store.hours = OpeningHours::default();
    assert_eq!(store.schedule().earliest_ready_at(90, evening), None);
}

#[test]
fn pickup_times_are_quarter_hours_with_capacity() {
    let store = TestStore::open(360, 1200);
    let now = store.local("2026-11-20T19:20:00");
    let times = store.schedule().pickup_times(90, now);
    let expected = ["20T19:30", "20T19:45", "20T20:00", "21T06:15", "21T06:30"];
    assert_eq!(
        times[..5],
        expected.map(|time| store.local(&format!("2026-11-{time}:00")))
    );
    assert_eq!(times.last(), Some(&store.local("2026-11-25T19:15:00")));
    assert!(
        times
            .iter()
            .all(|&at| store.schedule().plan(90, RequestedPickup::At(at), now).is_ok())
    );
}

#[test]
fn orders_are_made_after_a_pause_with_a_known_end() {
    let mut store = TestStore::open(360, 1200);
    let noon = store.local("2026-11-20T12:00:00");
    let ready_at = |store: &TestStore, text: &str| {
        let requested = RequestedPickup::At(store.local(text));
        store.schedule().plan(90, requested, noon).is_ok()
    };
    store.pause = Some(pause(Some(store.local("2026-11-20T13:00:00"))));
    assert!(!ready_at(&store, "2026-11-20T12:30:00"));
    assert!(!ready_at(&store, "2026-11-20T13:02:00"), "made after the pause");
    assert!(ready_at(&store, "2026-11-20T13:03:00"));
    assert_eq!(
        store.schedule().pickup_times(90, noon)[0],
        store.local("2026-11-20T13:15:00")
    );
    assert_eq!(
        store.schedule().earliest_ready_at(90, noon),
        Some(store.local("2026-11-20T13:03:00"))
    );
    // The pause has ended.
    store.pause = Some(pause(Some(noon)));
    assert!(store.schedule().plan(90, RequestedPickup::Asap, noon).is_ok());
}

#[test]
fn a_pause_without_an_end_offers_no_pickup_in_the_next_hour() {
    let mut store = TestStore::open(360, 1200);
    store.pause = Some(pause(None));
    let noon = store.local("2026-11-20T12:00:00");
    assert_eq!(
        store.schedule().pickup_times(90, noon)[0],
        store.local("2026-11-20T13:15:00")
    );
    let plan_at = |text: &str| {
        let requested = RequestedPickup::At(store.local(text));
        store.schedule().plan(90, requested, noon)
    };
    for soon in ["2026-11-20T12:15:00", "2026-11-20T13:00:00"] {
        assert_eq!(
            plan_at(soon),
            Err(PickupUnavailable::SlotTaken { earliest: None }),
            "{soon}"
        );
    }
    assert!(plan_at("2026-11-20T13:15:00").is_ok());
    assert_eq!(
        store.schedule().earliest_ready_at(90, noon),
        Some(store.local("2026-11-20T13:03:00"))
    );
}

#[test]
fn a_holiday_has_no_pickup_times() {
    let mut store = TestStore::open(360, 1200);
    let holiday = "2026-11-21".parse().unwrap();
    let closed = SpecialDay::new(holiday, String::new(), &[]).unwrap();
    store.hours.special_days.insert(holiday, closed);
    let now = store.local("2026-11-20T19:20:00");
    let times = store.schedule().pickup_times(90, now);
    assert_eq!(times[3], store.local("2026-11-22T06:15:00"));
    let requested = RequestedPickup::At(store.local("2026-11-21T12:00:00"));
    assert_eq!(
        store.schedule().plan(90, requested, now),
        Err(PickupUnavailable::OutsideHours)
    );
    assert_eq!(
        store.schedule().earliest_ready_at(5_000, now),
        Some(store.local("2026-11-22T07:24:00")),
        "a large order that does not fit this evening"
    );
    for (at, is_closed) in [
        ("2026-11-20T20:00:00", false),
        ("2026-11-21T12:00:00", true),
        ("2026-11-22T06:00:00", true),
        ("2026-11-22T06:01:00", false),
    ] {
        assert_eq!(store.schedule().is_closed_at(store.local(at)), is_closed, "{at}");
    }
}

#[test]
fn pickup_times_follow_the_clocks_when_they_change() {
    // Chicago, 1 November 2026: 1:00 to 2:00 happens twice.
    let mut store = TestStore::open(0, 180);
    store.zone = TimeZone::get("America/Chicago").unwrap();
    let midnight = store.local("2026-11-01T00:00:00");
    let today = |store: &TestStore, now: Timestamp| {
        let times = store.schedule().pickup_times(90, now);
        times
            .into_iter()
            .filter(|at| at.duration_since(now).as_hours() < 12)
            .count()
    };
    assert_eq!(today(&store, midnight), 16, "four hours of quarters");
    assert_eq!(today(&store, store.local("2026-03-08T00:00:00")), 8, "two hours");
    assert_eq!(today(&store, store.local("2026-11-02T00:00:00")), 12);
}
