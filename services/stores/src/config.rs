//! The settings of this service; each is an environment variable of the same name in upper case.

use std::net::{Ipv4Addr, SocketAddr};

use secrecy::SecretString;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Config {
    /// The service's own database.
    #[serde(default = "usual_database")]
    pub stores_database_url: SecretString,
    /// Where it listens.
    #[serde(default = "usual_listen")]
    pub listen: SocketAddr,
    /// Where a consumer is taken to be who does not say: degrees north …
    #[serde(default = "usual_latitude")]
    pub usual_latitude: f64,
    /// … and east. San Francisco unless set.
    #[serde(default = "usual_longitude")]
    pub usual_longitude: f64,
    /// The credential that `seed` makes for the barista simulator.
    #[serde(default = "usual_credential")]
    pub dev_store_credential: SecretString,
}

fn usual_database() -> SecretString {
    SecretString::from("postgres://orderahead@127.0.0.1:7132/stores")
}

const fn usual_listen() -> SocketAddr {
    SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 7102)
}

const fn usual_latitude() -> f64 {
    37.77
}

const fn usual_longitude() -> f64 {
    -122.42
}

fn usual_credential() -> SecretString {
    SecretString::from("store_dev_credential_for_the_simulator")
}
