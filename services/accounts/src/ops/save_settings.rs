use jiff::tz::TimeZone;
use kit::{ErrorCode, InternalError, ServiceError};
use types::{ConsumerId, limits::MAX_VEHICLE_CHARS};

use crate::{
    Accounts,
    db::settings,
    domain::settings::{SaveSettings, Settings, VehicleTooLong, clean_vehicle},
};

#[derive(Debug, thiserror::Error)]
pub enum SaveSettingsError {
    #[error(transparent)]
    VehicleTooLong(#[from] VehicleTooLong),
    #[error("unknown time zone")]
    TimeZoneUnknown,
    #[error("consumer not found")]
    NotFound,
    #[error(transparent)]
    Internal(#[from] InternalError),
}

kit::impl_from_internal_errors!(SaveSettingsError);

impl From<SaveSettingsError> for ServiceError {
    fn from(error: SaveSettingsError) -> Self {
        match error {
            SaveSettingsError::VehicleTooLong(_) => Self::new(
                ErrorCode::RuleViolation,
                "VEHICLE_TOO_LONG",
                format!("Please describe your car in up to {MAX_VEHICLE_CHARS} characters."),
            )
            .with_field("vehicle"),
            SaveSettingsError::TimeZoneUnknown => Self::new(
                ErrorCode::InvalidRequest,
                "TIME_ZONE_UNKNOWN",
                "timeZone: expected a name such as America/Los_Angeles",
            )
            .with_field("timeZone"),
            SaveSettingsError::NotFound => super::consumer_unknown(),
            SaveSettingsError::Internal(error) => error.into(),
        }
    }
}

/// Changes the settings that the command contains, and returns all settings.
pub async fn save_settings(
    cx: &Accounts,
    consumer: ConsumerId,
    command: SaveSettings,
) -> Result<Settings, SaveSettingsError> {
    let time_zone = command.time_zone.as_deref();
    if time_zone.is_some_and(|name| TimeZone::get(name).is_err()) {
        return Err(SaveSettingsError::TimeZoneUnknown);
    }
    let command = SaveSettings {
        vehicle: command.vehicle.as_deref().map(clean_vehicle).transpose()?,
        ..command
    };
    let mut conn = cx.pool.acquire().await?;
    settings::update(&mut conn, consumer, &command)
        .await?
        .ok_or(SaveSettingsError::NotFound)
}
