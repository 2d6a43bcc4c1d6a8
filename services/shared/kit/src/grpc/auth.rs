use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use tonic::{Request, Status, service::Interceptor};

use crate::{
    caller::{TokenError, TokenVerifier},
    service_error::ServiceError,
};

/// Rejects calls without a valid caller token, and adds the caller to the request's extensions.
pub struct AuthInterceptor<C> {
    verifier: TokenVerifier,
    caller: PhantomData<fn() -> C>,
}

impl<C> AuthInterceptor<C> {
    pub(super) const fn new(verifier: TokenVerifier) -> Self {
        Self {
            verifier,
            caller: PhantomData,
        }
    }
}

// Not derived: a derive would require `C: Clone` and `C: Debug`.
impl<C> Clone for AuthInterceptor<C> {
    fn clone(&self) -> Self {
        Self::new(self.verifier.clone())
    }
}

impl<C> std::fmt::Debug for AuthInterceptor<C> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("AuthInterceptor")
    }
}

impl<C: DeserializeOwned + Clone + Send + Sync + 'static> Interceptor for AuthInterceptor<C> {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let token = request
            .metadata()
            .get("authorization")
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        let caller = token
            .ok_or(TokenError::Missing)
            .and_then(|token| self.verifier.verify::<C>(token));
        match caller {
            Ok(caller) => {
                request.extensions_mut().insert(caller);
                Ok(request)
            }
            Err(error) => {
                let from = request.remote_addr();
                tracing::error!(%error, ?from, "call rejected: invalid caller token");
                Err(ServiceError::from(error).into())
            }
        }
    }
}
