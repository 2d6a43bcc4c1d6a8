//! Encodes stores, lists of stores and store credentials.

use proto::{stores::v1 as pb, values::v1 as values};

use super::{
    schedule::{pause, special_day, week},
    values::{optional_timestamp, position, time_zone},
};
use crate::domain::{
    availability::OpenState,
    credential::StoreCredential,
    map::{MapCell, StoreMap},
    store_view::StoreView,
};

pub(crate) fn store(view: StoreView) -> pb::Store {
    let StoreView {
        store,
        availability,
        wait_minutes,
        distance_meters,
        promise_record,
        rating,
        special_days,
    } = view;
    let open_state = match availability.state {
        OpenState::Open { .. } => pb::OpenState::Open,
        OpenState::Paused { .. } => pb::OpenState::Paused,
        OpenState::Closed { .. } => pb::OpenState::Closed,
    };
    pb::Store {
        pause: pause(&store, open_state == pb::OpenState::Paused),
        special_days: special_days
            .iter()
            .map(|(day, special)| special_day(*day, special))
            .collect(),
        store_id: store.id.to_string(),
        company_id: store.company_id.to_string(),
        company_name: store.company_name,
        name: store.name,
        street: store.street,
        city: store.city,
        region: store.region,
        postcode: store.postcode,
        phone: store.phone,
        position: Some(position(store.position)),
        time_zone: time_zone(&store.zone),
        tax_rate_ppm: store.tax_rate_ppm,
        curbside: store.curbside,
        open_state: open_state.into(),
        next_change_at: optional_timestamp(availability.next_change_at()),
        hours_today: availability.summary,
        week: week(&store.hours.weekly),
        wait_minutes,
        distance_meters,
        favorite: store.favorite,
        photo_url: store.photo_url.unwrap_or_default(),
        promise_record: promise_record.map(|record| pb::PromiseRecord {
            orders: record.orders,
            kept: record.kept,
            kept_percent: record.kept_percent(),
        }),
        rating: rating.map(|rating| pb::StoreRating {
            ratings: rating.ratings,
            average_tenths: rating.average_tenths(),
        }),
    }
}

pub(crate) fn store_list(stores: Vec<StoreView>) -> pb::ListStoresResponse {
    pb::ListStoresResponse {
        stores: stores.into_iter().map(store).collect(),
    }
}

pub(crate) fn store_map(map: StoreMap) -> pb::MapStoresResponse {
    pb::MapStoresResponse {
        stores: map.stores.into_iter().map(store).collect(),
        clusters: map.clusters.into_iter().map(cluster).collect(),
    }
}

fn cluster(cell: MapCell) -> pb::Cluster {
    pb::Cluster {
        position: Some(values::Position {
            latitude: cell.latitude,
            longitude: cell.longitude,
        }),
        count: u32::try_from(cell.count).unwrap_or(u32::MAX),
    }
}

pub(crate) fn store_credential(credential: &StoreCredential) -> pb::AuthenticateStoreResponse {
    pb::AuthenticateStoreResponse {
        credential_id: credential.id.to_string(),
        store_ids: credential.store_ids.iter().map(ToString::to_string).collect(),
        all_stores: credential.all_stores,
    }
}
