//! Stores: near, on a map, found by a term, and what one says of itself.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::present;
use super::words::OpenState;

/// A store as it stands now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Store {
    /// Its id.
    pub store_id: String,
    /// The company that runs it.
    pub company_id: String,
    /// That company's name.
    pub company_name: String,
    /// Name of the store.
    pub name: String,
    /// House number and street.
    pub street: String,
    /// City.
    pub city: String,
    /// State.
    pub region: String,
    /// Postal code.
    pub postcode: String,
    /// Phone number, empty where it has none.
    pub phone: String,
    /// WGS 84 degrees.
    pub latitude: f64,
    /// WGS 84 degrees.
    pub longitude: f64,
    /// IANA name of its time zone.
    pub time_zone: String,
    /// Parts per million of the taxable amount.
    pub tax_rate_ppm: i64,
    /// Whether it brings orders to the car.
    pub curbside: bool,
    /// Whether it takes orders now.
    pub open_state: OpenState,
    /// One sentence in its own time: "Open until 8:00 PM".
    pub hours_today: String,
    /// Opening hours, Monday first.
    pub week: Vec<DayHours>,
    /// Minutes until an order placed now is ready.
    pub wait_minutes: u32,
    /// Metres from the position asked about; null without one.
    #[schema(required)]
    pub distance_meters: Option<f64>,
    /// Whether the consumer marked it; false for nobody.
    pub favorite: bool,
    /// When `openState` changes next.
    #[schema(required, format = DateTime)]
    pub next_change_at: Option<String>,
}

impl From<stores::Store> for Store {
    fn from(store: stores::Store) -> Self {
        let open_state = store.open_state().into();
        let position = store.position.unwrap_or_default();
        Self {
            store_id: store.store_id,
            company_id: store.company_id,
            company_name: store.company_name,
            name: store.name,
            street: store.street,
            city: store.city,
            region: store.region,
            postcode: store.postcode,
            phone: store.phone,
            latitude: position.latitude,
            longitude: position.longitude,
            time_zone: store.time_zone,
            tax_rate_ppm: store.tax_rate_ppm,
            curbside: store.curbside,
            open_state,
            hours_today: store.hours_today,
            week: store.week.into_iter().map(DayHours::from).collect(),
            wait_minutes: store.wait_minutes,
            distance_meters: store.distance_meters,
            favorite: store.favorite,
            next_change_at: present(store.next_change_at),
        }
    }
}

/// Hours of one weekday in minutes after local midnight; closed when both are equal.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DayHours {
    /// 1 Monday to 7 Sunday.
    pub weekday: u32,
    /// Opens.
    pub opens_minute: u32,
    /// Closes; past 1440 when that is after midnight.
    pub closes_minute: u32,
}

impl From<stores::DayHours> for DayHours {
    fn from(day: stores::DayHours) -> Self {
        Self {
            weekday: day.weekday,
            opens_minute: day.opens_minute,
            closes_minute: day.closes_minute,
        }
    }
}

/// Stores, nearest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreList {
    /// The stores.
    pub stores: Vec<Store>,
}

impl From<stores::ListStoresResponse> for StoreList {
    fn from(list: stores::ListStoresResponse) -> Self {
        Self {
            stores: list.stores.into_iter().map(Store::from).collect(),
        }
    }
}

/// What a map shows.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoreMap {
    /// Stores that stand alone.
    pub stores: Vec<Store>,
    /// Stores that stand close together.
    pub clusters: Vec<Cluster>,
}

impl From<stores::MapStoresResponse> for StoreMap {
    fn from(map: stores::MapStoresResponse) -> Self {
        Self {
            stores: map.stores.into_iter().map(Store::from).collect(),
            clusters: map.clusters.into_iter().map(Cluster::from).collect(),
        }
    }
}

/// Several stores as one mark.
#[derive(Debug, Serialize, ToSchema)]
pub struct Cluster {
    /// Its middle.
    pub latitude: f64,
    /// Its middle.
    pub longitude: f64,
    /// How many stores.
    pub count: u32,
}

impl From<stores::Cluster> for Cluster {
    fn from(cluster: stores::Cluster) -> Self {
        let middle = cluster.position.unwrap_or_default();
        Self {
            latitude: middle.latitude,
            longitude: middle.longitude,
            count: cluster.count,
        }
    }
}

/// Whether a store takes orders now, and for how long.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreStatus {
    /// The store.
    pub store_id: String,
    /// Whether it takes orders now.
    pub open_state: OpenState,
    /// One sentence in its own time.
    pub hours_today: String,
    /// Minutes until an order placed now is ready.
    pub wait_minutes: u32,
    /// When `openState` changes next.
    #[schema(required, format = DateTime)]
    pub next_change_at: Option<String>,
}

impl From<stores::Store> for StoreStatus {
    fn from(store: stores::Store) -> Self {
        Self {
            open_state: store.open_state().into(),
            store_id: store.store_id,
            hours_today: store.hours_today,
            wait_minutes: store.wait_minutes,
            next_change_at: present(store.next_change_at),
        }
    }
}

/// How and when an order can be picked up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PickupOptions {
    /// At the counter.
    pub counter: bool,
    /// At the car.
    pub curbside: bool,
    /// The earliest promise; null while the store takes no orders for now.
    #[schema(required, format = DateTime)]
    pub earliest_at: Option<String>,
    /// Later ones.
    pub slots: Vec<String>,
    /// IANA name of the store's time zone.
    pub time_zone: String,
}

impl From<stores::PickupOptions> for PickupOptions {
    fn from(options: stores::PickupOptions) -> Self {
        Self {
            counter: options.counter,
            curbside: options.curbside,
            earliest_at: present(options.earliest_at),
            slots: options.slots,
            time_zone: options.time_zone,
        }
    }
}

/// Names a store to mark or unmark.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FavoriteRequest {
    /// The store.
    pub store_id: String,
}

/// Whether the store is marked now.
#[derive(Debug, Serialize, ToSchema)]
pub struct Favorite {
    /// It is.
    pub favorite: bool,
}
