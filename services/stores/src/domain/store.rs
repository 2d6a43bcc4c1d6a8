//! A store and its state in the database at one instant.

use jiff::tz::TimeZone;
use types::{CompanyId, StoreId};

use super::{
    capacity::{Load, StoreCapacity},
    geo::Position,
    opening_hours::OpeningHours,
    pause::Pause,
    pickup::StoreSchedule,
    sold_out::SoldOut,
    staffing::Staffing,
};

#[derive(Debug, Clone)]
pub struct Store {
    pub id: StoreId,
    pub(crate) company_id: CompanyId,
    pub(crate) company_name: String,
    /// The current version of the company's menu.
    pub(crate) menu_version: i64,
    pub(crate) name: String,
    pub(crate) street: String,
    pub(crate) city: String,
    /// The state, two letters.
    pub(crate) region: String,
    pub(crate) postcode: String,
    /// Empty if unknown.
    pub(crate) phone: String,
    /// Shown instead of the drawn picture.
    pub(crate) photo_url: Option<String>,
    pub(crate) position: Position,
    pub(crate) zone: TimeZone,
    /// Parts per million of the taxable amount.
    pub(crate) tax_rate_ppm: i64,
    pub(crate) curbside: bool,
    pub staffing: Staffing,
    /// May have ended.
    pub(crate) pause: Option<Pause>,
    pub(crate) hours: OpeningHours,
    /// Whether the store is a favorite of the consumer of the request.
    pub(crate) favorite: bool,
}

impl Store {
    #[must_use]
    pub(crate) fn schedule<'a>(&'a self, load: &'a Load) -> StoreSchedule<'a> {
        StoreSchedule {
            capacity: StoreCapacity {
                load,
                staffing: &self.staffing,
            },
            hours: &self.hours,
            zone: &self.zone,
            pause: self.pause,
        }
    }
}

/// A store with its load and sold-out items, read in one statement.
#[derive(Debug, Clone)]
pub struct StoreSnapshot {
    pub store: Store,
    /// Contains only the requested slots.
    pub(crate) load: Load,
    pub(crate) sold_out: SoldOut,
    /// Increases with each change of the store's schedule. A reservation that was planned with this snapshot is written
    /// only if the version is unchanged.
    pub schedule_version: i64,
}

impl StoreSnapshot {
    #[must_use]
    pub fn schedule(&self) -> StoreSchedule<'_> {
        self.store.schedule(&self.load)
    }
}
