//! The store of a quote.

use types::StoreId;

#[derive(Debug, Clone, PartialEq)]
pub struct Store {
    pub id: StoreId,
    pub company_id: String,
    pub company_name: String,
    pub name: String,
    pub street: String,
    pub city: String,
    pub region: String,
    pub postcode: String,
    pub phone: String,
    pub position: Option<Position>,
    /// IANA name.
    pub time_zone: String,
    /// Parts per million of the taxable amount.
    pub tax_rate_ppm: i64,
    pub has_curbside: bool,
    pub open_state: OpenState,
    /// A sentence with local times of the store: "Open until 8:00 PM".
    pub hours_today: String,
    pub week: Vec<DayHours>,
    /// Minutes until an order placed now is ready.
    pub wait_minutes: u32,
    pub distance_meters: Option<f64>,
    pub is_favorite: bool,
    /// When the open state changes next, RFC 3339; empty if it does not.
    pub next_change_at: String,
    /// Empty for the drawn picture.
    pub photo_url: String,
    pub pause: Option<Pause>,
    /// The next days with special hours.
    pub special_days: Vec<SpecialDay>,
}

impl Store {
    /// Returns street and city.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}, {}", self.street, self.city)
    }
}

/// WGS 84 degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub latitude: f64,
    pub longitude: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenState {
    Open,
    Closed,
    /// Open, but not accepting orders at the moment.
    Paused,
}

/// Opening hours of one weekday in local minutes after midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DayHours {
    /// 1 Monday to 7 Sunday.
    pub weekday: u32,
    pub opens_minute: u32,
    /// Exceeds 1440 when the store closes after midnight.
    pub closes_minute: u32,
}

/// Why an open store accepts no orders at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pause {
    pub reason: PauseReason,
    /// When the store accepts orders again, RFC 3339; empty if the staff decide.
    pub until: String,
    /// A sentence for the consumer.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseReason {
    Busy,
    Equipment,
    Staffing,
    Supplies,
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecialDay {
    /// In the store's time zone, YYYY-MM-DD.
    pub day: String,
    /// May be empty.
    pub name: String,
    /// None if the store is closed all day.
    pub openings: Vec<OpeningSpan>,
}

/// Local minutes after midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningSpan {
    pub opens_minute: u32,
    /// Exceeds 1440 when the store closes after midnight.
    pub closes_minute: u32,
}
