//! The contents of `deploy/seed/stores.json`.

use serde::Deserialize;

/// An entry of `stores.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct StoreSource {
    /// Key of the company.
    pub(super) company: String,
    pub(super) number: String,
    pub(super) name: String,
    pub(super) street: String,
    pub(super) city: String,
    /// The state, two letters.
    pub(super) region: String,
    pub(super) postcode: String,
    pub(super) phone: String,
    pub(super) latitude: f64,
    pub(super) longitude: f64,
    /// IANA name.
    pub(super) time_zone: String,
    pub(super) tax_rate_ppm: i64,
    pub(super) curbside: bool,
    pub(super) baristas: u32,
    pub(super) hours: HoursSource,
    /// `item KEY`, `size ITEM/CUP` or `choice MODIFICATION/KEY`.
    #[serde(default)]
    pub(super) sold_out: Vec<String>,
}

/// Spans such as `06:30-20:00`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HoursSource {
    /// Monday to Friday.
    pub(super) weekdays: Vec<String>,
    pub(super) saturday: Vec<String>,
    pub(super) sunday: Vec<String>,
}
