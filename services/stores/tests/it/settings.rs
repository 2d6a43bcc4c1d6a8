//! Opening hours, special days, baristas, load and the menu, as the staff of a store set and see them.

use proto::stores::v1::{self as pb, store_settings_server::StoreSettings as _, stores_server::Stores as _};
use types::StoreId;

use crate::harness::{
    Harness, error, new_consumer, ok, reason, request_from_consumer, request_from_service, request_from_store,
};

/// A store in San Francisco that never closes.
pub const STORE: &str = "Market & Van Ness";

pub const fn span(opens_minute: u32, closes_minute: u32) -> pb::OpeningSpan {
    pb::OpeningSpan {
        opens_minute,
        closes_minute,
    }
}

impl Harness {
    pub async fn set_special_day(
        &self,
        store_id: StoreId,
        day: &str,
        openings: &[pb::OpeningSpan],
    ) -> pb::Schedule {
        let request = pb::SetSpecialDayRequest {
            store_id: store_id.to_string(),
            special_day: Some(pb::SpecialDay {
                day: day.into(),
                name: "Holiday".into(),
                openings: openings.to_vec(),
            }),
        };
        let request = request_from_store(Some(vec![store_id]), request);
        ok(self.settings.set_special_day(request).await)
    }

    pub async fn set_baristas(&self, store_id: StoreId, baristas: u32, day: &str) -> pb::Schedule {
        let request = pb::SetBaristasRequest {
            store_id: store_id.to_string(),
            baristas,
            day: day.into(),
        };
        ok(self
            .settings
            .set_baristas(request_from_store(Some(vec![store_id]), request))
            .await)
    }

    pub async fn set_week(&self, store_id: StoreId, week: Vec<pb::DayHours>) -> Result<pb::Schedule, String> {
        let store_ids = Some(vec![store_id]);
        let store_id = store_id.to_string();
        let request = pb::SetWeeklyHoursRequest { store_id, week };
        let response = self
            .settings
            .set_weekly_hours(request_from_store(store_ids, request))
            .await;
        if response.is_ok() {
            Ok(ok(response))
        } else {
            Err(reason(response))
        }
    }

    pub async fn get_store(&self, store_id: StoreId) -> pb::Store {
        let request = pb::GetStoreRequest {
            store_id: store_id.to_string(),
            position: None,
        };
        ok(self
            .grpc
            .get_store(request_from_service("gateway", request))
            .await)
    }

    pub async fn pickup_times(&self, store_id: StoreId) -> Vec<String> {
        let request = pb::GetPickupOptionsRequest {
            store_id: store_id.to_string(),
            make_seconds: 0,
        };
        let options = self
            .grpc
            .get_pickup_options(request_from_service("gateway", request))
            .await;
        ok(options).slots
    }
}

const fn day_hours(weekday: u32, opens_minute: u32, closes_minute: u32) -> pb::DayHours {
    pb::DayHours {
        weekday,
        opens_minute,
        closes_minute,
    }
}

#[tokio::test]
async fn a_holiday_closes_the_store_for_consumers_until_it_is_deleted() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    // Saturday in San Francisco.
    let is_on_saturday = |at: &String| at.as_str() > "2026-11-21T08:01" && at.as_str() < "2026-11-22T08:01";
    let has_saturday = async || harness.pickup_times(store_id).await.iter().any(is_on_saturday);
    assert!(has_saturday().await);
    let schedule = harness.set_special_day(store_id, "2026-11-21", &[]).await;
    assert_eq!((&*schedule.today, schedule.special_days.len()), ("2026-11-20", 1));
    assert!(!has_saturday().await);
    let special_days = harness.get_store(store_id).await.special_days;
    assert_eq!(
        (&*special_days[0].day, &*special_days[0].name),
        ("2026-11-21", "Holiday")
    );

    let shorter = harness
        .set_special_day(store_id, "2026-11-21", &[span(600, 660)])
        .await;
    assert_eq!(shorter.special_days[0].openings, [span(600, 660)]);
    let saturday: Vec<String> = harness
        .pickup_times(store_id)
        .await
        .into_iter()
        .filter(is_on_saturday)
        .collect();
    assert_eq!(
        saturday,
        ["18:15", "18:30", "18:45", "19:00"].map(|time| format!("2026-11-21T{time}:00Z"))
    );

    for _ in 0..2 {
        let request = pb::DeleteSpecialDayRequest {
            store_id: store_id.to_string(),
            day: "2026-11-21".into(),
        };
        let request = request_from_store(Some(vec![store_id]), request);
        assert!(
            ok(harness.settings.delete_special_day(request).await)
                .special_days
                .is_empty()
        );
    }
    assert!(has_saturday().await);
    // Each change was published once; the second deletion changed nothing.
    assert_eq!(
        harness.database.outbox_event_types().await[3..],
        ["stores.StoreStatusChanged"; 3]
    );
    harness.close().await;
}

#[tokio::test]
async fn a_holiday_today_closes_the_store_at_once() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    assert_eq!(
        harness.get_store(store_id).await.open_state(),
        pb::OpenState::Open
    );
    harness.set_special_day(store_id, "2026-11-20", &[]).await;
    let store = harness.get_store(store_id).await;
    assert_eq!(store.open_state(), pb::OpenState::Closed);
    assert!(
        store
            .hours_today
            .starts_with("Closed for Holiday, opens tomorrow at "),
        "{}",
        store.hours_today
    );
    harness.close().await;
}

#[tokio::test]
async fn the_hours_of_the_week_are_replaced() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let closed_except = |openings: &[pb::DayHours]| {
        let is_open = |weekday| openings.iter().any(|day| day.weekday == weekday);
        let closed = (1..=7).filter(|weekday| !is_open(*weekday));
        let closed = closed.map(|weekday| day_hours(weekday, 0, 0));
        [openings, &closed.collect::<Vec<_>>()].concat()
    };
    let week = closed_except(&[day_hours(5, 780, 1080), day_hours(5, 540, 720)]);
    let schedule = harness.set_week(store_id, week).await.unwrap();
    let friday: Vec<_> = schedule
        .week
        .iter()
        .filter(|day| day.weekday == 5)
        .copied()
        .collect();
    assert_eq!(friday, [day_hours(5, 540, 720), day_hours(5, 780, 1080)]);
    assert_eq!(schedule.week.len(), 8, "closed weekdays have an entry");
    let store = harness.get_store(store_id).await;
    assert_eq!(store.hours_today, "Open until 12:00 PM");
    assert!(
        !harness
            .pickup_times(store_id)
            .await
            .iter()
            .any(|at| at.starts_with("2026-11-22"))
    );

    for invalid in [
        closed_except(&[day_hours(5, 540, 720), day_hours(5, 700, 800)]),
        closed_except(&[day_hours(5, 720, 540)]),
        closed_except(&[day_hours(5, 540, 70_000)]),
    ] {
        assert_eq!(
            harness.set_week(store_id, invalid).await.unwrap_err(),
            "HOURS_INVALID"
        );
    }
    let without_sunday = closed_except(&[day_hours(7, 0, 0)])[1..].to_vec();
    for incomplete in [
        Vec::new(),
        vec![day_hours(5, 540, 720)],
        without_sunday,
        closed_except(&[day_hours(8, 540, 720)]),
    ] {
        assert_eq!(
            harness.set_week(store_id, incomplete).await.unwrap_err(),
            "WEEK_INCOMPLETE"
        );
    }
    assert_eq!(
        harness.get_store(store_id).await.hours_today,
        "Open until 12:00 PM"
    );
    harness.close().await;
}

#[tokio::test]
async fn the_number_of_baristas_is_set_by_default_and_for_one_day() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let schedule = harness.set_baristas(store_id, 4, "").await;
    assert_eq!((schedule.default_baristas, schedule.shifts.len()), (4, 0));
    let schedule = harness.set_baristas(store_id, 2, "2026-11-20").await;
    assert_eq!(
        schedule.shifts,
        [pb::Shift {
            day: "2026-11-20".into(),
            baristas: 2
        }]
    );
    let load = async || {
        let request = pb::GetLoadRequest {
            store_id: store_id.to_string(),
        };
        ok(harness.settings.get_load(request_from_store(None, request)).await).slots
    };
    assert_eq!(load().await.len(), 12);
    assert_eq!(
        (&*load().await[0].start_at, load().await[0].capacity_seconds),
        ("2026-11-20T17:00:00Z", 600)
    );
    harness.set_baristas(store_id, 0, "2026-11-20").await;
    assert_eq!(load().await[0].capacity_seconds, 1200);
    harness.set_special_day(store_id, "2026-11-20", &[]).await;
    assert_eq!(load().await[0].capacity_seconds, 0, "closed");
    harness.close().await;
}

#[tokio::test]
async fn invalid_settings_are_rejected_with_their_reason() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let baristas = async |baristas, day: &str| {
        let request = pb::SetBaristasRequest {
            store_id: store_id.to_string(),
            baristas,
            day: day.into(),
        };
        reason(
            harness
                .settings
                .set_baristas(request_from_store(None, request))
                .await,
        )
    };
    assert_eq!(baristas(0, "").await, "BARISTAS_INVALID");
    assert_eq!(baristas(51, "2026-11-20").await, "BARISTAS_INVALID");
    assert_eq!(baristas(2, "2026-11-19").await, "DAY_INVALID");
    assert_eq!(baristas(2, "today").await, "DAY_MALFORMED");
    let special_day = async |day: pb::SpecialDay| {
        let request = pb::SetSpecialDayRequest {
            store_id: store_id.to_string(),
            special_day: Some(day),
        };
        error(
            harness
                .settings
                .set_special_day(request_from_store(None, request))
                .await,
        )
    };
    let valid = pb::SpecialDay {
        day: "2026-12-24".into(),
        name: String::new(),
        openings: vec![],
    };
    let long_name = pb::SpecialDay {
        name: "x".repeat(61),
        ..valid.clone()
    };
    let overlap = pb::SpecialDay {
        openings: vec![span(600, 720), span(660, 780)],
        ..valid.clone()
    };
    let past = pb::SpecialDay {
        day: "2026-11-19".into(),
        ..valid
    };
    for (invalid, expected) in [
        (long_name, "NAME_TOO_LONG"),
        (overlap, "HOURS_INVALID"),
        (past, "DAY_INVALID"),
    ] {
        let error = special_day(invalid).await;
        assert_eq!((error.reason.as_ref(), error.code.http_status()), (expected, 422));
    }
    assert_eq!(harness.count("SELECT count(*) FROM store_special_days").await, 0);
    harness.close().await;
}

#[tokio::test]
async fn the_menu_of_the_staff_has_each_level_with_its_switch() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let latte = harness.item(store_id, "Latte").await;
    let oat = latte.modifications[0]
        .choices
        .iter()
        .find(|choice| choice.name == "Oat")
        .unwrap();
    sqlx::query("INSERT INTO sold_out (store_id, subject, subject_id) SELECT store_id, 'choice', choice_id FROM stores, choices WHERE stores.name = $1 AND choices.name = 'Oat'")
        .bind(STORE)
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let request = pb::GetStoreMenuRequest {
        store_id: store_id.to_string(),
    };
    let menu = ok(harness
        .settings
        .get_store_menu(request_from_store(None, request))
        .await);
    let items: Vec<_> = menu.sections.iter().flat_map(|section| &section.items).collect();
    let found = items.iter().find(|item| item.item_id == latte.item_id).unwrap();
    assert_eq!(
        found.sizes.iter().map(|size| &size.id).collect::<Vec<_>>(),
        latte.sizes.iter().map(|size| &size.size_id).collect::<Vec<_>>()
    );
    let choices: Vec<_> = menu
        .modifications
        .iter()
        .flat_map(|group| &group.choices)
        .collect();
    let found = choices.iter().find(|choice| choice.id == oat.choice_id).unwrap();
    assert!(found.sold_out);
    assert!(choices.iter().any(|choice| !choice.sold_out));
    harness.close().await;
}

#[tokio::test]
async fn only_the_store_itself_reads_and_changes_its_settings() {
    let harness = Harness::seeded().await;
    let store_id = harness.store(STORE).await;
    let other_store = harness.store("Sunset & Maltman").await;
    let request = || pb::GetScheduleRequest {
        store_id: store_id.to_string(),
    };
    for foreign in [
        request_from_store(Some(vec![other_store]), request()),
        request_from_consumer(new_consumer(), request()),
        request_from_service("gateway", request()),
    ] {
        assert_eq!(reason(harness.settings.get_schedule(foreign).await), "FORBIDDEN");
    }
    let change = pb::SetBaristasRequest {
        store_id: store_id.to_string(),
        baristas: 1,
        day: String::new(),
    };
    let foreign = request_from_store(Some(vec![other_store]), change);
    assert_eq!(reason(harness.settings.set_baristas(foreign).await), "FORBIDDEN");
    harness.close().await;
}
