//! Shared state of all handlers.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use kit::lifecycle::Process;
use tokio_util::sync::CancellationToken;

use crate::cache::Cache;
use crate::clients::Clients;
use crate::config::{CacheConfig, HttpConfig, ProviderConfig, RateLimits, StreamLimits, WebConfig};
use crate::geo_ip::GeoIp;
use crate::live_orders::LiveOrders;
use crate::middleware::admission::Admission;
use crate::operators::Operators;
use crate::public_reads::PublicReads;
use crate::web::site::Site;

/// Shared state of all handlers. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Gateway(Arc<State>);

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) clients: Clients,
    pub(crate) cache: Cache,
    pub(crate) rate_limits: RateLimits,
    pub(crate) http: HttpConfig,
    /// Origins from which state-changing calls are accepted.
    pub(crate) allowed_origins: Vec<String>,
    pub(crate) trusted_proxies: Vec<IpAddr>,
    pub(crate) provider: ProviderConfig,
    pub(crate) site: Site,
    pub(crate) live_orders: LiveOrders,
    pub(crate) admission: Admission,
    pub(crate) process: Process,
    pub(crate) public_reads: PublicReads,
    pub(crate) geo_ip: GeoIp,
    pub(crate) operators: Operators,
    /// Cancelled at shutdown.
    pub(crate) shutdown: CancellationToken,
}

impl Deref for Gateway {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl Gateway {
    /// Reads all settings, so that an invalid one stops the startup.
    pub(crate) fn from_config(process: &Process) -> anyhow::Result<Self> {
        let source = &process.source;
        let http: HttpConfig = source.read()?;
        let web: WebConfig = source.read()?;
        let provider: ProviderConfig = source.read()?;
        let cache: CacheConfig = source.read()?;
        let clients = Clients::from_config(source)?;
        let stream_limits: StreamLimits = source.read()?;
        let live_orders = LiveOrders::new(stream_limits);
        let streams = live_orders.slots();
        Ok(Self(Arc::new(State {
            public_reads: PublicReads::new(clients.clone(), source.read()?, streams, stream_limits),
            geo_ip: GeoIp::load(&source.read()?)?,
            operators: Operators::from_config(&source.read()?)?,
            clients,
            cache: Cache::new(&cache.redis_url)?,
            rate_limits: source.read()?,
            allowed_origins: http.public_origin.clone(),
            trusted_proxies: http.trusted_proxies()?,
            site: Site::load(&web, &provider, &http)?,
            live_orders,
            admission: Admission::new(source.read()?),
            process: process.clone(),
            shutdown: process.shutdown.clone(),
            http,
            provider,
        })))
    }
}
