//! Query parameters of store calls.

use proto::stores::v1 as stores;
use proto::values::v1::Position;
use serde::Deserialize;
use types::limits::{MAX_LATITUDE_DEGREES, MAX_LONGITUDE_DEGREES};
use utoipa::IntoParams;

use super::page::PageQuery;

/// Stores near a position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListStoresQuery {
    /// WGS 84 degrees. Give `lat` and `lon`, or neither for the position of the client's address or the configured center.
    pub(crate) lat: Option<f64>,
    /// WGS 84 degrees.
    pub(crate) lon: Option<f64>,
    /// Only stores with curbside pickup.
    pub(crate) curb: Option<bool>,
    /// Only stores of this company.
    pub(crate) company_id: Option<String>,
    /// Only favorites of the signed-in consumer.
    pub(crate) favorites: Option<bool>,
    /// Number of stores, 20 by default.
    pub(crate) take: Option<u32>,
    /// Number of stores to skip.
    pub(crate) skip: Option<u32>,
}

impl ListStoresQuery {
    pub(crate) const fn page(&self) -> PageQuery {
        PageQuery {
            take: self.take,
            skip: self.skip,
        }
    }
}

/// Stores that match a term.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchStoresQuery {
    /// Store, company, street, city, state or postcode; typos are tolerated.
    pub(crate) term: String,
    /// Only stores with curbside pickup.
    pub(crate) curb: Option<bool>,
    /// WGS 84 degrees. Give `lat` and `lon`, or neither.
    pub(crate) lat: Option<f64>,
    /// WGS 84 degrees.
    pub(crate) lon: Option<f64>,
    /// Number of stores, 20 by default.
    pub(crate) take: Option<u32>,
    /// Number of stores to skip.
    pub(crate) skip: Option<u32>,
}

impl SearchStoresQuery {
    pub(crate) const fn page(&self) -> PageQuery {
        PageQuery {
            take: self.take,
            skip: self.skip,
        }
    }
}

/// A map view.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MapStoresQuery {
    /// Center of the view, WGS 84 degrees.
    pub(crate) lon: f64,
    /// Center of the view, WGS 84 degrees.
    pub(crate) lat: f64,
    /// Half the height of the view, degrees of latitude.
    pub(crate) span: Option<f64>,
    /// Only stores with curbside pickup.
    pub(crate) curb: Option<bool>,
}

/// A store, and the position to measure its distance from.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreCardQuery {
    pub(crate) store_id: String,
    /// WGS 84 degrees. Give `lat` and `lon`, or neither.
    pub(crate) lon: Option<f64>,
    /// WGS 84 degrees.
    pub(crate) lat: Option<f64>,
}

/// A store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoreQuery {
    pub(crate) store_id: String,
}

impl From<StoreQuery> for stores::GetStoreRequest {
    fn from(query: StoreQuery) -> Self {
        Self {
            store_id: query.store_id,
            position: None,
        }
    }
}

/// Pickup at a store.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct PickupOptionsQuery {
    pub(crate) store_id: String,
    /// Make time in seconds, from the quote; that of a typical order if absent.
    pub(crate) make_seconds: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PositionError {
    #[error("Please send both lat and lon, or neither.")]
    Incomplete { missing: &'static str },
    #[error("{field} must be between -{max_degrees} and {max_degrees}.")]
    OutOfRange { field: &'static str, max_degrees: i32 },
}

impl PositionError {
    pub(crate) const fn field(self) -> &'static str {
        match self {
            Self::Incomplete { missing: field } | Self::OutOfRange { field, .. } => field,
        }
    }
}

/// Returns the position of two query parameters, or `None` without them.
pub(crate) fn position(lat: Option<f64>, lon: Option<f64>) -> Result<Option<Position>, PositionError> {
    match (lat, lon) {
        (None, None) => Ok(None),
        (Some(latitude), Some(longitude)) => {
            check_range("lat", latitude, MAX_LATITUDE_DEGREES)?;
            check_range("lon", longitude, MAX_LONGITUDE_DEGREES)?;
            Ok(Some(Position { latitude, longitude }))
        }
        (None, Some(_)) => Err(PositionError::Incomplete { missing: "lat" }),
        (Some(_), None) => Err(PositionError::Incomplete { missing: "lon" }),
    }
}

fn check_range(field: &'static str, degrees: f64, max_degrees: i32) -> Result<(), PositionError> {
    if degrees.abs() <= max_degrees.into() {
        return Ok(());
    }
    Err(PositionError::OutOfRange { field, max_degrees })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_two_coordinates_in_range() {
        assert_eq!(position(None, None), Ok(None));
        assert!(position(Some(34.1), Some(-118.2)).unwrap().is_some());
        for (lat, lon, field) in [
            (Some(34.1), None, "lon"),
            (None, Some(-118.2), "lat"),
            (Some(f64::NAN), Some(0.0), "lat"),
            (Some(91.0), Some(0.0), "lat"),
            (Some(90.0), Some(-180.1), "lon"),
        ] {
            assert_eq!(position(lat, lon).unwrap_err().field(), field, "{lat:?}, {lon:?}");
        }
    }
}
