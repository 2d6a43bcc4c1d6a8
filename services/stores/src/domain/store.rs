//! A store as it is, apart from what time it is.

use jiff::tz::TimeZone;
use types::{CompanyId, StoreId};

use super::{geo::Position, hours::Week};

/// A store.
#[derive(Debug, Clone)]
pub struct Store {
    /// Its id.
    pub id: StoreId,
    /// Who runs it.
    pub company: CompanyId,
    /// Their name.
    pub company_name: String,
    /// Which version of their menu is current.
    pub menu_version: i64,
    /// Its own name.
    pub name: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// State.
    pub region: String,
    /// Postcode.
    pub postcode: String,
    /// Telephone, or nothing.
    pub phone: String,
    /// Where it stands.
    pub position: Position,
    /// Its clock.
    pub zone: TimeZone,
    /// Parts per million of what is taxed.
    pub tax_rate_ppm: i64,
    /// Whether it brings orders to the kerb.
    pub curbside: bool,
    /// How many make drinks at once.
    pub baristas: u32,
    /// Whether it takes no orders ahead for now.
    pub paused: bool,
    /// Counts its changes.
    pub version: i64,
    /// When it is open.
    pub week: Week,
    /// Whether the consumer who asks likes it.
    pub favorite: bool,
}
