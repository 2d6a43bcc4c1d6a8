//! Stores on their way out.

use proto::{stores::v1, values::v1 as values};

use super::instant;
use crate::{
    db::{credentials::Credential, map::Cell},
    domain::{hours::Week, standing::Openness},
    ops::{map::Map, pickup_options::Options, reserve::Promise, show::Shown},
};

/// A store.
pub fn store(shown: Shown) -> v1::Store {
    let Shown {
        store,
        standing,
        wait_minutes,
        distance_meters,
    } = shown;
    let next_change_at = instant(standing.changes_at());
    let open_state = match standing.openness {
        Openness::Open { .. } => v1::OpenState::Open,
        Openness::Paused { .. } => v1::OpenState::Paused,
        Openness::Closed { .. } => v1::OpenState::Closed,
    };
    v1::Store {
        store_id: store.id.to_string(),
        company_id: store.company.to_string(),
        company_name: store.company_name,
        name: store.name,
        street: store.street,
        city: store.city,
        region: store.region,
        postcode: store.postcode,
        phone: store.phone,
        position: Some(values::Position {
            latitude: store.position.latitude(),
            longitude: store.position.longitude(),
        }),
        time_zone: store.zone.iana_name().unwrap_or("Etc/UTC").to_owned(),
        tax_rate_ppm: store.tax_rate_ppm,
        curbside: store.curbside,
        open_state: open_state.into(),
        hours_today: standing.sentence,
        week: week(&store.week),
        wait_minutes,
        distance_meters,
        favorite: store.favorite,
        next_change_at,
    }
}

/// Every weekday at least once; a closed one opens and closes at once.
fn week(week: &Week) -> Vec<v1::DayHours> {
    (1..=7_u8)
        .flat_map(|weekday| {
            let mut day: Vec<_> = week
                .openings()
                .iter()
                .filter(|opening| opening.weekday() == weekday)
                .map(|opening| (u32::from(opening.opens()), u32::from(opening.closes())))
                .collect();
            if day.is_empty() {
                day.push((0, 0));
            }
            day.into_iter()
                .map(move |(opens_minute, closes_minute)| v1::DayHours {
                    weekday: u32::from(weekday),
                    opens_minute,
                    closes_minute,
                })
        })
        .collect()
}

/// A list of stores.
pub fn list(shown: Vec<Shown>) -> v1::ListStoresResponse {
    v1::ListStoresResponse {
        stores: shown.into_iter().map(store).collect(),
    }
}

/// A map.
pub fn map(map: Map) -> v1::MapStoresResponse {
    v1::MapStoresResponse {
        stores: map.stores.into_iter().map(store).collect(),
        clusters: map.clusters.into_iter().map(cluster).collect(),
    }
}

fn cluster(cell: Cell) -> v1::Cluster {
    v1::Cluster {
        position: Some(values::Position {
            latitude: cell.latitude,
            longitude: cell.longitude,
        }),
        count: u32::try_from(cell.count).unwrap_or(u32::MAX),
    }
}

/// How and when an order can be picked up.
pub fn pickup_options(options: &Options) -> v1::PickupOptions {
    v1::PickupOptions {
        counter: true,
        curbside: options.curbside,
        earliest_at: instant(options.earliest),
        slots: options.slots.iter().map(ToString::to_string).collect(),
        time_zone: options.zone.iana_name().unwrap_or("Etc/UTC").to_owned(),
    }
}

/// What was promised to an order.
pub fn reservation(order_id: String, promise: Promise) -> v1::Reservation {
    v1::Reservation {
        order_id,
        ready_at: promise.ready_at.to_string(),
        start_at: promise.start_at.to_string(),
    }
}

/// What a credential speaks for.
pub fn credential(credential: &Credential) -> v1::AuthenticateStoreResponse {
    v1::AuthenticateStoreResponse {
        credential_id: credential.id.to_string(),
        store_ids: credential.stores.iter().map(ToString::to_string).collect(),
        all_stores: credential.all_stores,
    }
}
