//! Sign-in of the staff of a store.

use proto::stores::v1 as stores;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::{OpenState, UnknownValue};
use super::store::Pause;

/// Signs in the staff of a store.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignInStaffRequest {
    /// Names the store. Upper or lower case.
    pub(crate) store_code: String,
    /// Six to twelve digits.
    pub(crate) pin: String,
}

/// The store of the signed-in staff. The session itself is in the cookie.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StaffSession {
    pub(crate) store_id: String,
    pub(crate) store_name: String,
    /// IANA name of the store's time zone.
    pub(crate) time_zone: String,
    pub(crate) open_state: OpenState,
    /// One sentence in the store's own time: "Open until 8:00 PM".
    pub(crate) hours_today: String,
    /// Minutes until an order placed now is ready.
    pub(crate) wait_minutes: u32,
    /// Set if `openState` is `paused`.
    #[schema(required)]
    pub(crate) pause: Option<Pause>,
}

impl TryFrom<stores::Store> for StaffSession {
    type Error = UnknownValue;

    fn try_from(store: stores::Store) -> Result<Self, UnknownValue> {
        Ok(Self {
            store_id: store.store_id,
            store_name: store.name,
            time_zone: store.time_zone,
            open_state: store.open_state.try_into()?,
            hours_today: store.hours_today,
            wait_minutes: store.wait_minutes,
            pause: store.pause.map(Pause::try_from).transpose()?,
        })
    }
}
