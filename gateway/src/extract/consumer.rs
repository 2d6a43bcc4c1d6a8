//! The signed-in consumer.

use axum::extract::FromRequestParts;
use callers::Caller;
use http::request::Parts;
use types::{ConsumerId, SessionId};

use crate::context::CallContext;
use crate::error::ApiError;
use crate::types::enums::JourneyStep;

/// The signed-in consumer. Only requests that passed the session middleware have one.
#[derive(Debug, Clone)]
pub(crate) struct Consumer {
    pub(crate) id: ConsumerId,
    pub(crate) session: SessionId,
    pub(crate) journey_step: JourneyStep,
    pub(crate) context: CallContext,
}

impl Consumer {
    pub(crate) fn new(id: ConsumerId, session: SessionId, journey_step: JourneyStep, parts: &Parts) -> Self {
        let context = CallContext::new(Caller::Consumer { id, session }, parts);
        Self {
            id,
            session,
            journey_step,
            context,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Consumer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        let consumer = parts.extensions.get::<Self>();
        consumer.cloned().ok_or_else(ApiError::unauthenticated)
    }
}
