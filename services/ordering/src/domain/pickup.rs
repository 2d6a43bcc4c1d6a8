//! How an order is picked up. Stored carts have its number in the API.

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use types::text_enum;

text_enum! {
    /// How an order is picked up.
    pub enum Pickup {
        Counter = "counter",
        /// The store brings the order to the car.
        Curbside = "curbside",
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field by reference"
)]
pub(super) fn serialize<S: Serializer>(pickup: &Pickup, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(match pickup {
        Pickup::Counter => 1,
        Pickup::Curbside => 2,
    })
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Pickup, D::Error> {
    match i32::deserialize(deserializer)? {
        1 => Ok(Pickup::Counter),
        2 => Ok(Pickup::Curbside),
        number => Err(D::Error::custom(format!("unknown pickup kind {number}"))),
    }
}
