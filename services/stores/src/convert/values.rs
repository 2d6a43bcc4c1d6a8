//! Values that several messages contain.

use jiff::{Timestamp, tz::TimeZone};
use proto::values::v1 as pb;
use types::Money;

use crate::domain::geo::Position;

pub(super) fn money(amount: Money) -> pb::Money {
    pb::Money {
        minor_units: amount.minor_units(),
        currency: amount.currency().code().to_owned(),
    }
}

pub(super) fn position(position: Position) -> pb::Position {
    pb::Position {
        latitude: position.latitude(),
        longitude: position.longitude(),
    }
}

/// Formats an instant; empty for `None`.
pub(super) fn optional_timestamp(at: Option<Timestamp>) -> String {
    at.map(|at| at.to_string()).unwrap_or_default()
}

/// Returns the IANA name, which the time zone of every store has.
pub(super) fn time_zone(zone: &TimeZone) -> String {
    zone.iana_name().unwrap_or("Etc/UTC").to_owned()
}
