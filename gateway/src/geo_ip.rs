//! Approximate positions of client addresses, from a file in the `MaxMind` format.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::Context;
use maxminddb::Reader;
use maxminddb::geoip2::City;
use proto::values::v1::Position;
use serde::Deserialize;

/// Positions are rounded to tenths of a degree (about 10 km). The file is not more accurate, and nearby clients then share
/// cached lists.
const STEPS_PER_DEGREE: f64 = 10.0;

#[derive(Debug, Default, Deserialize)]
pub(crate) struct GeoIpConfig {
    /// A database of cities in the `MaxMind` format. Without it, no address has a position.
    geoip_file: Option<PathBuf>,
}

pub(crate) struct GeoIp(Option<Reader<Vec<u8>>>);

impl fmt::Debug for GeoIp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("GeoIp").field(&self.0.is_some()).finish()
    }
}

impl GeoIp {
    /// Reads the file into memory.
    pub(crate) fn load(config: &GeoIpConfig) -> anyhow::Result<Self> {
        let reader = config
            .geoip_file
            .as_ref()
            .map(|path| {
                Reader::open_readfile(path)
                    .with_context(|| format!("bad configuration: GEOIP_FILE: {}", path.display()))
            })
            .transpose()?;
        Ok(Self(reader))
    }

    /// Returns the approximate position of an address, or `None` if the file has none.
    pub(crate) fn position(&self, address: IpAddr) -> Option<Position> {
        let city: City<'_> = self.0.as_ref()?.lookup(address).ok()?.decode().ok()??;
        let round = |degrees: f64| (degrees * STEPS_PER_DEGREE).round() / STEPS_PER_DEGREE;
        let (latitude, longitude) = (city.location.latitude?, city.location.longitude?);
        let in_range = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        in_range.then(|| Position {
            latitude: round(latitude),
            longitude: round(longitude),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with `203.0.113.0/24` in Seattle and `198.51.100.0/24` without a position.
    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/cities.mmdb");

    fn load(path: &str) -> anyhow::Result<GeoIp> {
        GeoIp::load(&GeoIpConfig {
            geoip_file: Some(path.into()),
        })
    }

    #[test]
    fn an_address_in_the_file_has_a_position() {
        let geo_ip = load(FILE).unwrap();
        let position = |address: &str| geo_ip.position(address.parse().unwrap());
        assert_eq!(
            position("203.0.113.77"),
            Some(Position {
                latitude: 47.6,
                longitude: -122.3
            })
        );
        for unknown in ["198.51.100.1", "10.0.0.1", "2001:db8::1"] {
            assert_eq!(position(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn a_missing_or_damaged_file_is_a_bad_configuration() {
        assert!(load("/nowhere").is_err());
        assert!(load(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).is_err());
        let without_file = GeoIp::load(&GeoIpConfig::default()).unwrap();
        assert_eq!(without_file.position("203.0.113.77".parse().unwrap()), None);
    }
}
