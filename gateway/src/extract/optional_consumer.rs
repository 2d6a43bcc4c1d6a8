//! The consumer of a public call, if one is signed in.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use types::ConsumerId;

use crate::context::CallContext;
use crate::gateway::Gateway;
use crate::session;

/// The consumer of a public call, if one is signed in.
#[derive(Debug, Clone)]
pub(crate) struct OptionalConsumer {
    /// The consumer's context, or that of the gateway.
    pub(crate) context: CallContext,
    pub(crate) id: Option<ConsumerId>,
}

impl OptionalConsumer {
    pub(crate) const fn is_signed_in(&self) -> bool {
        self.id.is_some()
    }
}

impl FromRequestParts<Gateway> for OptionalConsumer {
    type Rejection = Infallible;

    /// A session that cannot be looked up counts as none, so that stores and menus stay available without accounts.
    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let consumer = session::find_consumer(gateway, parts).await.ok();
        Ok(Self {
            id: consumer.as_ref().map(|consumer| consumer.id),
            context: consumer.map_or_else(|| CallContext::of_gateway(parts), |consumer| consumer.context),
        })
    }
}
