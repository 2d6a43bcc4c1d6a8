//! Stores.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{OpenState, PauseReason, UnknownValue};
use super::store_schedule::{DayHours, SpecialDay};
use super::{convert_all, non_empty, try_convert_all};

/// A store and its current state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Store {
    pub(crate) store_id: String,
    pub(crate) company_id: String,
    pub(crate) company_name: String,
    pub(crate) name: String,
    /// Street and number.
    pub(crate) street: String,
    pub(crate) city: String,
    /// State.
    pub(crate) region: String,
    pub(crate) postcode: String,
    /// Empty without a phone number.
    pub(crate) phone: String,
    /// Address of the store's photo or drawn picture.
    pub(crate) store_photo: String,
    /// WGS 84 degrees.
    pub(crate) latitude: f64,
    /// WGS 84 degrees.
    pub(crate) longitude: f64,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    /// Parts per million of the taxable amount.
    pub(crate) tax_rate_ppm: i64,
    /// Whether the store brings orders to the car.
    pub(crate) curbside: bool,
    pub(crate) open_state: OpenState,
    /// One sentence in the store's own time: "Open until 8:00 PM".
    pub(crate) hours_today: String,
    /// Opening hours, Monday first.
    pub(crate) week: Vec<DayHours>,
    /// Minutes until an order placed now is ready.
    pub(crate) wait_minutes: u32,
    /// Distance from the requested position in meters; null without a position.
    #[schema(required)]
    pub(crate) distance_meters: Option<f64>,
    /// Whether the store is a favorite of the signed-in consumer.
    pub(crate) favorite: bool,
    /// When `openState` changes next; null if it does not.
    #[schema(required, format = DateTime)]
    pub(crate) next_change_at: Option<String>,
    /// Set if `openState` is `paused`.
    #[schema(required)]
    pub(crate) pause: Option<Pause>,
    /// The days of the next two weeks with special hours.
    pub(crate) special_days: Vec<SpecialDay>,
}

impl TryFrom<stores::Store> for Store {
    type Error = UnknownValue;

    fn try_from(store: stores::Store) -> Result<Self, UnknownValue> {
        let position = store.position.unwrap_or_default();
        Ok(Self {
            store_photo: store_photo(&store),
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
            open_state: store.open_state.try_into()?,
            hours_today: store.hours_today,
            week: convert_all(store.week),
            wait_minutes: store.wait_minutes,
            distance_meters: store.distance_meters,
            favorite: store.favorite,
            next_change_at: non_empty(store.next_change_at),
            pause: store.pause.map(Pause::try_from).transpose()?,
            special_days: convert_all(store.special_days),
        })
    }
}

/// A pause of a store that is open.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Pause {
    pub(crate) reason: PauseReason,
    /// When the store accepts orders again; null if its staff resume it.
    #[schema(required, format = DateTime)]
    pub(crate) until: Option<String>,
    /// A sentence for the consumer: "We're catching up on orders. Ordering is back at 3:30 PM."
    pub(crate) message: String,
}

impl TryFrom<stores::Pause> for Pause {
    type Error = UnknownValue;

    fn try_from(pause: stores::Pause) -> Result<Self, UnknownValue> {
        Ok(Self {
            reason: pause.reason.try_into()?,
            until: non_empty(pause.until),
            message: pause.message,
        })
    }
}

/// Returns the address of a store's photo, or of its drawn picture.
pub(crate) fn store_photo(store: &stores::Store) -> String {
    if store.photo_url.is_empty() {
        drawn_picture(&store.store_id)
    } else {
        store.photo_url.clone()
    }
}

/// Returns the address of the drawn picture of a store.
pub(crate) fn drawn_picture(store_id: &str) -> String {
    format!("/api/consumer/store/photo?storeId={store_id}")
}

/// A list of stores.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoreList {
    /// Nearest first.
    pub(crate) stores: Vec<Store>,
}

impl TryFrom<stores::ListStoresResponse> for StoreList {
    type Error = UnknownValue;

    fn try_from(list: stores::ListStoresResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            stores: try_convert_all(list.stores)?,
        })
    }
}

/// The stores of a map view.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StoreMap {
    /// Stores that are not part of a cluster.
    pub(crate) stores: Vec<Store>,
    pub(crate) clusters: Vec<Cluster>,
}

impl TryFrom<stores::MapStoresResponse> for StoreMap {
    type Error = UnknownValue;

    fn try_from(map: stores::MapStoresResponse) -> Result<Self, UnknownValue> {
        Ok(Self {
            stores: try_convert_all(map.stores)?,
            clusters: convert_all(map.clusters),
        })
    }
}

/// Stores close to each other, shown as one marker.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Cluster {
    /// Center, WGS 84 degrees.
    pub(crate) latitude: f64,
    /// Center, WGS 84 degrees.
    pub(crate) longitude: f64,
    /// Number of stores.
    pub(crate) count: u32,
}

impl From<stores::Cluster> for Cluster {
    fn from(cluster: stores::Cluster) -> Self {
        let center = cluster.position.unwrap_or_default();
        Self {
            latitude: center.latitude,
            longitude: center.longitude,
            count: cluster.count,
        }
    }
}

/// Whether a store accepts orders now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreStatus {
    pub(crate) store_id: String,
    pub(crate) open_state: OpenState,
    /// One sentence in the store's own time: "Open until 8:00 PM".
    pub(crate) hours_today: String,
    /// Minutes until an order placed now is ready.
    pub(crate) wait_minutes: u32,
    /// When `openState` changes next; null if it does not.
    #[schema(required, format = DateTime)]
    pub(crate) next_change_at: Option<String>,
    /// Set if `openState` is `paused`.
    #[schema(required)]
    pub(crate) pause: Option<Pause>,
    /// The days of the next two weeks with special hours.
    pub(crate) special_days: Vec<SpecialDay>,
    /// How often orders were ready on time; null if there were fewer than 20 in the last 30 days.
    #[schema(required)]
    pub(crate) promise_record: Option<PromiseRecord>,
    /// How consumers rated their orders of the last 30 days; null if there were fewer than 5 ratings.
    #[schema(required)]
    pub(crate) rating: Option<StoreRating>,
}

/// The ratings of the orders of a store.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreRating {
    pub(crate) ratings: i64,
    /// The average number of stars, times ten: 10 to 50.
    pub(crate) average_tenths: i64,
}

impl From<stores::StoreRating> for StoreRating {
    fn from(rating: stores::StoreRating) -> Self {
        Self {
            ratings: rating.ratings,
            average_tenths: rating.average_tenths,
        }
    }
}

/// The orders of the last 30 days, measured by the time that was promised first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromiseRecord {
    /// Orders that were made.
    pub(crate) orders: i64,
    /// Percentage of them that was ready on time, rounded down.
    pub(crate) kept_percent: i64,
}

impl From<stores::PromiseRecord> for PromiseRecord {
    fn from(record: stores::PromiseRecord) -> Self {
        Self {
            orders: record.orders,
            kept_percent: record.kept_percent,
        }
    }
}

impl TryFrom<stores::Store> for StoreStatus {
    type Error = UnknownValue;

    fn try_from(store: stores::Store) -> Result<Self, UnknownValue> {
        Ok(Self {
            store_id: store.store_id,
            open_state: store.open_state.try_into()?,
            hours_today: store.hours_today,
            wait_minutes: store.wait_minutes,
            next_change_at: non_empty(store.next_change_at),
            pause: store.pause.map(Pause::try_from).transpose()?,
            special_days: convert_all(store.special_days),
            promise_record: store.promise_record.map(PromiseRecord::from),
            rating: store.rating.map(StoreRating::from),
        })
    }
}

/// How and when an order can be picked up.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PickupOptions {
    pub(crate) counter: bool,
    pub(crate) curbside: bool,
    /// Earliest ready time; null while the store accepts no orders.
    #[schema(required, format = DateTime)]
    pub(crate) earliest_at: Option<String>,
    /// Time of day of `earliestAt` at the store: "09:03".
    #[schema(required)]
    pub(crate) earliest_local_time: Option<String>,
    /// Later ready times.
    pub(crate) slots: Vec<String>,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
}

impl From<stores::PickupOptions> for PickupOptions {
    fn from(options: stores::PickupOptions) -> Self {
        Self {
            counter: options.counter,
            curbside: options.curbside,
            earliest_at: non_empty(options.earliest_at),
            earliest_local_time: non_empty(options.earliest_local_time),
            slots: options.slots,
            time_zone: options.time_zone,
        }
    }
}

/// The store to add to or remove from the favorites.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FavoriteRequest {
    pub(crate) store_id: String,
}

/// Whether the store is a favorite now.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Favorite {
    pub(crate) favorite: bool,
}

impl From<stores::FavoriteStoreResponse> for Favorite {
    fn from(response: stores::FavoriteStoreResponse) -> Self {
        Self {
            favorite: response.favorite,
        }
    }
}
