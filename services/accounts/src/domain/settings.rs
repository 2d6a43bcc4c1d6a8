//! The consumer's settings.

use types::{limits::MAX_VEHICLE_CHARS, text::sanitize_text_within};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub push: bool,
    pub sms: bool,
    pub email: bool,
    /// Empty if not given.
    pub vehicle: String,
    /// IANA name of the consumer's zone; empty if unknown.
    pub time_zone: String,
}

/// Command to change settings. `None` keeps the current value.
#[derive(Debug, Clone, Default)]
pub struct SaveSettings {
    pub push: Option<bool>,
    pub sms: Option<bool>,
    pub email: Option<bool>,
    /// As typed; empty to delete it.
    pub vehicle: Option<String>,
    /// IANA name of a time zone.
    pub time_zone: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("vehicle too long")]
pub struct VehicleTooLong;

/// Joins the words of a vehicle with single spaces and removes control characters, which could disturb the barista's
/// screen.
pub fn clean_vehicle(typed: &str) -> Result<String, VehicleTooLong> {
    sanitize_text_within(typed, MAX_VEHICLE_CHARS).ok_or(VehicleTooLong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vehicles_are_trimmed_and_limited_in_length_and_characters() {
        assert_eq!(clean_vehicle(" blue \t van\u{7} "), Ok("blue van".to_owned()));
        assert_eq!(clean_vehicle(""), Ok(String::new()));
        assert_eq!(clean_vehicle("\u{202e}nav"), Ok("nav".to_owned()));
        assert!(clean_vehicle(&"é".repeat(MAX_VEHICLE_CHARS)).is_ok());
        assert_eq!(
            clean_vehicle(&"é".repeat(MAX_VEHICLE_CHARS + 1)),
            Err(VehicleTooLong)
        );
    }
}
