//! What every handler can reach.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use kit::lifecycle::Process;
use tokio_util::sync::CancellationToken;

use crate::cache::Cache;
use crate::clients::Clients;
use crate::config;
use crate::live::Live;
use crate::web::Site;

/// The gateway's parts; cheap to clone.
#[derive(Debug, Clone)]
pub struct Gateway(Arc<Parts>);

/// The parts.
#[derive(Debug)]
pub struct Parts {
    /// The six services.
    pub clients: Clients,
    /// Redis.
    pub cache: Cache,
    /// What is counted there.
    pub limits: config::Cache,
    /// Where we listen, and as whom.
    pub front: config::Front,
    /// The origins that may change state.
    pub origins: Vec<String>,
    /// Proxies whose word on the client's address is taken.
    pub proxies: Vec<IpAddr>,
    /// The card provider's script and key.
    pub provider: config::Web,
    /// The built web app.
    pub site: Site,
    /// Changes of orders, as they happen.
    pub live: Live,
    /// Cancelled when the process is told to stop.
    pub shutdown: CancellationToken,
}

impl Deref for Gateway {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl Gateway {
    /// Reads every setting, so that a bad one stops the start.
    ///
    /// # Errors
    /// A bad setting.
    pub fn from_config(process: &Process) -> anyhow::Result<Self> {
        let source = &process.source;
        let front: config::Front = source.read()?;
        let limits: config::Cache = source.read()?;
        let provider: config::Web = source.read()?;
        Ok(Self(Arc::new(Parts {
            clients: Clients::from_config(source)?,
            cache: Cache::at(&limits.redis_url)?,
            origins: front.origins(),
            proxies: front.proxies()?,
            site: Site::load(&provider, &front)?,
            live: Live::new(source.read()?),
            shutdown: process.shutdown.clone(),
            limits,
            front,
            provider,
        })))
    }
}
