//! The payment provider.
//!
//! An implementation reports only outcomes that the provider confirmed. An unknown outcome
//! ([`ProviderError::OutcomeUnknown`]) is never treated as a failure, because the call may have had its effect.

mod intent;
mod refunds;
mod send;
pub mod signature;
mod stripe;

use async_trait::async_trait;
use jiff::Timestamp;
use secrecy::SecretString;
use types::{ChargeId, ConsumerId, Money};

use crate::domain::charge::{ChargeState, ChargeTerms};
use crate::domain::dispute::Dispute;
use crate::domain::payment_method::{MethodDescription, MethodKind, WalletKind};
use crate::domain::refund::ProviderRefund;
use crate::domain::setup::ProviderSetup;
use crate::domain::subject::ChargeSubject;

pub use stripe::Stripe;

/// Error code of the provider for an object that does not exist.
pub const RESOURCE_MISSING: &str = "resource_missing";

#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider rejected the request. It had no effect, and a retry would not change that.
    #[error("rejected: {code}")]
    Rejected {
        /// The provider's error code.
        code: String,
        /// The object in the request that does not exist, if that is the cause.
        missing_object: Option<MissingObject>,
    },
    /// The provider rejected the request for now. It had no effect, and a later request with a new key may succeed.
    #[error("rejected for now: {code}")]
    RejectedForNow {
        /// The provider's error code.
        code: String,
    },
    /// The idempotency key was used for a different request, so this request can never have an effect.
    #[error("idempotency key was used for another request")]
    KeyReused,
    /// The call may have had its effect.
    #[error("unknown outcome: {cause}")]
    OutcomeUnknown {
        cause: String,
        /// Whether the provider responded with a server error, which it repeats for the same idempotency key.
        is_server_error: bool,
    },
}

/// An object that does not exist at the provider: it was deleted there, or the configured keys belong to another
/// account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingObject {
    /// The customer, and with it all attached payment methods.
    Customer,
    PaymentMethod,
}

/// State of the provider's object for a charge.
#[derive(Debug, Clone)]
pub struct ProviderCharge {
    /// `None` if the provider declined before it created an object.
    pub provider_id: Option<String>,
    /// Our charge id, from the object's metadata.
    pub charge_id: Option<ChargeId>,
    pub state: ChargeState,
    /// When the bank releases the hold, if the amount is held and the provider knows.
    pub hold_ends_at: Option<Timestamp>,
    /// Sum of the refunds, in minor units.
    pub refunded_minor_units: i64,
    /// Oldest first.
    pub refunds: Vec<ProviderRefund>,
    pub disputes: Vec<Dispute>,
    /// Lets the client authenticate the charge. Never stored or logged.
    pub client_secret: Option<SecretString>,
}

impl ProviderCharge {
    /// Creates the final state of a charge that has no object at the provider.
    pub const fn without_object(state: ChargeState) -> Self {
        Self {
            provider_id: None,
            charge_id: None,
            state,
            hold_ends_at: None,
            refunded_minor_units: 0,
            refunds: Vec::new(),
            disputes: Vec::new(),
            client_secret: None,
        }
    }
}

/// Values of a request to authorize a charge. Equal values produce an identical request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// Also the idempotency key.
    pub charge_id: ChargeId,
    /// Written to the metadata, for the provider's dashboard.
    pub subject: ChargeSubject,
    pub terms: ChargeTerms,
}

/// A request to refund a charge or a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefundRequest<'a> {
    pub amount: Money,
    /// Written to the metadata, so that the refund is found if the response is lost.
    pub request_id: &'a str,
}

/// The calls to a card provider. Those with an effect are idempotent: by their arguments, or by `key`.
#[async_trait]
pub trait PaymentProvider: Send + Sync + std::fmt::Debug {
    /// Creates the customer of a consumer. With `deleted_id`, creates a replacement for that customer. Repeated calls within an hour
    /// return the same customer, except after a server error.
    async fn create_customer(
        &self,
        consumer_id: ConsumerId,
        deleted_id: Option<&str>,
        now: Timestamp,
    ) -> Result<String, ProviderError>;

    /// Creates a setup intent, which saves a card for the customer without charging it. Returns its client secret, with which
    /// the client confirms it.
    async fn create_setup_intent(
        &self,
        customer_id: &str,
        kind: MethodKind,
    ) -> Result<(String, SecretString), ProviderError>;

    /// Fetches a setup intent.
    async fn fetch_setup_intent(&self, id: &str) -> Result<ProviderSetup, ProviderError>;

    /// Lists the customer's cards and bank accounts, newest first.
    async fn list_payment_methods(&self, customer_id: &str) -> Result<Vec<MethodDescription>, ProviderError>;

    /// Returns the wallet that created a payment method. `None` if no wallet that we accept created it.
    ///
    /// # Errors
    /// [`ProviderError::Rejected`] if the method does not exist.
    async fn find_wallet(&self, method_id: &str) -> Result<Option<WalletKind>, ProviderError>;

    /// Detaches a method from its customer. Succeeds if the method is not attached.
    async fn detach_payment_method(&self, method_id: &str, key: &str) -> Result<(), ProviderError>;

    /// Authorizes a card, or starts a bank debit. A decline is a successful result.
    ///
    /// # Errors
    /// [`ProviderError::Rejected`] only if the customer or the payment method does not exist.
    async fn authorize(&self, authorization: &AuthorizationRequest) -> Result<ProviderCharge, ProviderError>;

    /// Creates the charge of an authorization without confirming it, under the authorization's idempotency key. Moves no
    /// money, and a delayed authorization can have no effect. Requests with another `void_key` differ, so that the provider does
    /// not repeat a server error.
    ///
    /// # Errors
    /// [`ProviderError::KeyReused`] if the provider has already received the authorization, or this request with another `void_key`.
    async fn create_unconfirmed_charge(
        &self,
        authorization: &AuthorizationRequest,
        void_key: &str,
    ) -> Result<ProviderCharge, ProviderError>;

    /// Finds the object that an authorization created.
    async fn find_charge(
        &self,
        authorization: &AuthorizationRequest,
    ) -> Result<Option<ProviderCharge>, ProviderError>;

    /// Lists a page of the charges that were created since an instant, newest first: those after the object with the id `after`.
    /// Without their disputes.
    async fn list_charges(
        &self,
        since: Timestamp,
        after: Option<&str>,
    ) -> Result<Vec<ProviderCharge>, ProviderError>;

    async fn fetch_charge(&self, provider_id: &str) -> Result<ProviderCharge, ProviderError>;

    /// Captures the full amount.
    async fn capture(&self, provider_id: &str, key: &str) -> Result<ProviderCharge, ProviderError>;

    /// Cancels a charge that was not captured, so that the hold ends and the client can no longer confirm it.
    async fn cancel(&self, provider_id: &str, key: &str) -> Result<ProviderCharge, ProviderError>;

    /// Refunds the charge or a part of it.
    async fn refund(
        &self,
        provider_id: &str,
        refund: RefundRequest<'_>,
        key: &str,
    ) -> Result<ProviderCharge, ProviderError>;
}

impl ProviderError {
    /// Returns the missing object that caused a rejection.
    pub const fn missing_object(&self) -> Option<MissingObject> {
        match self {
            Self::Rejected { missing_object, .. } => *missing_object,
            Self::RejectedForNow { .. } | Self::KeyReused | Self::OutcomeUnknown { .. } => None,
        }
    }
}

impl From<ProviderError> for kit::InternalError {
    /// An unknown outcome or a rejection for now becomes `Unavailable`: only for calls that the caller may repeat.
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::OutcomeUnknown { .. } | ProviderError::RejectedForNow { .. } => {
                tracing::warn!(%error, "payment provider call failed");
                Self::Call(tonic::Status::unavailable("payment provider did not respond"))
            }
            ProviderError::Rejected { .. } | ProviderError::KeyReused => {
                Self::invariant_violated(format!("payment provider: {error}"))
            }
        }
    }
}
