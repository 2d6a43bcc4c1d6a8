use kit::InternalError;
use proto::{stores::v1 as pb, values::v1 as values};

use super::store_schedule::{pause, pause_from_proto, special_day, special_day_from_proto};
use crate::domain::store::{DayHours, OpenState, Position, Store};

pub(super) fn store(store: Store) -> pb::Store {
    let open_state = match store.open_state {
        OpenState::Open => pb::OpenState::Open,
        OpenState::Closed => pb::OpenState::Closed,
        OpenState::Paused => pb::OpenState::Paused,
    };
    let week = store.week.into_iter().map(|day| pb::DayHours {
        weekday: day.weekday,
        opens_minute: day.opens_minute,
        closes_minute: day.closes_minute,
    });
    pb::Store {
        store_id: store.id.to_string(),
        company_id: store.company_id,
        company_name: store.company_name,
        name: store.name,
        street: store.street,
        city: store.city,
        region: store.region,
        postcode: store.postcode,
        phone: store.phone,
        position: store.position.map(|position| values::Position {
            latitude: position.latitude,
            longitude: position.longitude,
        }),
        time_zone: store.time_zone,
        tax_rate_ppm: store.tax_rate_ppm,
        curbside: store.has_curbside,
        open_state: open_state.into(),
        hours_today: store.hours_today,
        week: week.collect(),
        wait_minutes: store.wait_minutes,
        distance_meters: store.distance_meters,
        favorite: store.is_favorite,
        next_change_at: store.next_change_at,
        photo_url: store.photo_url,
        pause: store.pause.map(pause),
        special_days: store.special_days.into_iter().map(special_day).collect(),
        // Only for one store, not for quotes.
        promise_record: None,
        rating: None,
    }
}

pub(super) fn store_from_proto(store: pb::Store) -> Result<Store, InternalError> {
    let open_state = match pb::OpenState::try_from(store.open_state) {
        Ok(pb::OpenState::Open) => OpenState::Open,
        Ok(pb::OpenState::Closed) => OpenState::Closed,
        Ok(pb::OpenState::Paused) => OpenState::Paused,
        Ok(pb::OpenState::Unspecified) | Err(_) => {
            return Err(InternalError::invariant_violated("missing or unknown open_state"));
        }
    };
    let week = store.week.into_iter().map(|day| DayHours {
        weekday: day.weekday,
        opens_minute: day.opens_minute,
        closes_minute: day.closes_minute,
    });
    Ok(Store {
        id: store
            .store_id
            .parse()
            .map_err(InternalError::invariant_violated)?,
        company_id: store.company_id,
        company_name: store.company_name,
        name: store.name,
        street: store.street,
        city: store.city,
        region: store.region,
        postcode: store.postcode,
        phone: store.phone,
        position: store.position.map(|position| Position {
            latitude: position.latitude,
            longitude: position.longitude,
        }),
        time_zone: store.time_zone,
        tax_rate_ppm: store.tax_rate_ppm,
        has_curbside: store.curbside,
        open_state,
        hours_today: store.hours_today,
        week: week.collect(),
        wait_minutes: store.wait_minutes,
        distance_meters: store.distance_meters,
        is_favorite: store.favorite,
        next_change_at: store.next_change_at,
        photo_url: store.photo_url,
        pause: store.pause.map(pause_from_proto),
        special_days: store
            .special_days
            .into_iter()
            .map(special_day_from_proto)
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_store_of_a_quote_has_its_photo_pause_and_special_days() {
        let sent = pb::Store {
            store_id: "str_01h455vb4pex5vsknk084sn02q".into(),
            open_state: pb::OpenState::Paused.into(),
            photo_url: "https://photos.example.com/a.jpg".into(),
            pause: Some(pb::Pause {
                reason: pb::PauseReason::Equipment.into(),
                until: "2026-11-20T17:30:00Z".into(),
                message: "We're fixing a machine.".into(),
            }),
            special_days: vec![pb::SpecialDay {
                day: "2026-11-26".into(),
                name: "Thanksgiving".into(),
                openings: vec![pb::OpeningSpan {
                    opens_minute: 480,
                    closes_minute: 720,
                }],
            }],
            ..pb::Store::default()
        };
        let store_of_quote = store(store_from_proto(sent.clone()).unwrap());
        assert_eq!(store_of_quote, sent);
    }
}
