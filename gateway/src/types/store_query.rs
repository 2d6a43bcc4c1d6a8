//! What is asked about stores.

use ::types::limits::{MAX_LATITUDE_DEGREES, MAX_LONGITUDE_DEGREES};
use proto::values::v1::Position;
use serde::Deserialize;
use utoipa::IntoParams;

/// Nearest stores.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct ListStoresQuery {
    /// WGS 84 degrees; with `lon`, or neither for the configured centre.
    pub lat: Option<f64>,
    /// WGS 84 degrees.
    pub lon: Option<f64>,
    /// Only stores that bring orders to the car.
    pub curb: Option<bool>,
    /// Only stores of this company.
    pub company_id: Option<String>,
    /// Only stores that the consumer marked.
    pub favorites: Option<bool>,
    /// How many, 20 unless told.
    pub take: Option<u32>,
    /// After how many.
    pub skip: Option<u32>,
}

/// Stores that match a term.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchStoresQuery {
    /// Store, company, street or city; typos are forgiven.
    pub term: String,
    /// Only stores that bring orders to the car.
    pub curb: Option<bool>,
    /// WGS 84 degrees.
    pub lat: Option<f64>,
    /// WGS 84 degrees.
    pub lon: Option<f64>,
    /// How many, 20 unless told.
    pub take: Option<u32>,
    /// After how many.
    pub skip: Option<u32>,
}

/// What to show on a map.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MapStoresQuery {
    /// Middle of the view, WGS 84 degrees.
    pub lon: f64,
    /// Middle of the view, WGS 84 degrees.
    pub lat: f64,
    /// Half the height of the view in degrees of latitude.
    pub span: Option<f64>,
    /// Only stores that bring orders to the car.
    pub curb: Option<bool>,
}

/// One store, seen from a position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct StoreCardQuery {
    /// The store.
    pub store_id: String,
    /// WGS 84 degrees.
    pub lon: Option<f64>,
    /// WGS 84 degrees.
    pub lat: Option<f64>,
}

/// One store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct StoreQuery {
    /// The store.
    pub store_id: String,
}

/// Pickup at one store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub struct PickupOptionsQuery {
    /// The store.
    pub store_id: String,
    /// Seconds of making, from the quote; a typical order where absent.
    pub make_seconds: Option<u32>,
}

/// Why a position cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// Half a position.
    #[error("Give both lat and lon, or neither.")]
    Half,
    /// Off the globe.
    #[error("lat is -90 to 90 and lon -180 to 180 degrees.")]
    Range,
}

/// A position from two parameters.
///
/// # Errors
/// [`PositionError`] where only one is given or one is off the globe.
pub fn position(lat: Option<f64>, lon: Option<f64>) -> Result<Option<Position>, PositionError> {
    match (lat, lon) {
        (None, None) => Ok(None),
        (Some(latitude), Some(longitude)) => {
            let on_globe = latitude.abs() <= MAX_LATITUDE_DEGREES.into()
                && longitude.abs() <= MAX_LONGITUDE_DEGREES.into();
            if on_globe {
                Ok(Some(Position { latitude, longitude }))
            } else {
                Err(PositionError::Range)
            }
        }
        _ => Err(PositionError::Half),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_whole_and_on_the_globe() {
        assert_eq!(position(None, None), Ok(None));
        assert!(position(Some(34.1), Some(-118.2)).unwrap().is_some());
        assert_eq!(position(Some(34.1), None), Err(PositionError::Half));
        assert_eq!(position(Some(f64::NAN), Some(0.0)), Err(PositionError::Range));
        assert_eq!(position(Some(91.0), Some(0.0)), Err(PositionError::Range));
    }
}
