//! The consumer of a public call, if one is signed in.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use kit::ServiceError;
use types::ConsumerId;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::gateway::Gateway;
use crate::session;

/// The consumer of a public call, if one is signed in.
#[derive(Debug)]
pub(crate) struct OptionalConsumer {
    /// The consumer's context, or that of the gateway.
    pub(crate) context: CallContext,
    session: Result<Option<ConsumerId>, ServiceError>,
}

impl OptionalConsumer {
    /// Returns whether a consumer is known to be signed in. A session that cannot be looked up counts as none here, so that
    /// stores and menus stay available without accounts.
    pub(crate) const fn is_signed_in(&self) -> bool {
        matches!(self.session, Ok(Some(_)))
    }

    /// Returns the id of the consumer, for calls that have to know whether one is signed in.
    ///
    /// # Errors
    /// `UNAVAILABLE` if the session cannot be looked up.
    pub(crate) fn id(&self) -> Result<Option<ConsumerId>, ApiError> {
        Ok(self.session.clone()?)
    }
}

impl FromRequestParts<Gateway> for OptionalConsumer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, gateway: &Gateway) -> Result<Self, Infallible> {
        let (id, context) = match session::find_optional_consumer(gateway, parts).await {
            Ok(Some(consumer)) => (Ok(Some(consumer.id)), consumer.context),
            Ok(None) => (Ok(None), CallContext::of_gateway(parts)),
            Err(error) => (Err(error.error), CallContext::of_gateway(parts)),
        };
        Ok(Self { context, session: id })
    }
}
