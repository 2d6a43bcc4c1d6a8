//! The payment provider: the one boundary of this service that is a trait.
//!
//! Whoever implements it says what an outcome is known to be. An outcome that is not known
//! ([`ProviderError::Unknown`]) is never taken for a failure: the effect may have happened.

mod intent;
mod send;
pub mod signature;
mod stripe;

use async_trait::async_trait;
use secrecy::SecretString;
use types::{ChargeId, ConsumerId, OrderId};

use crate::domain::charge::{State, Terms};
use crate::domain::method::Description;

pub use stripe::Stripe;

/// Why a call did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum ProviderError {
    /// The provider understood and refused: it did not happen, and asking again changes nothing.
    #[error("refused: {code}")]
    Refused {
        /// The provider's word for it.
        code: String,
        /// What the call named that is not there any more, where that is why.
        gone: Option<Gone>,
    },
    /// The idempotency key stands for another request: this one can never have an effect.
    #[error("the key was used for another request")]
    KeyUsed,
    /// Nobody knows whether it happened: no answer, or the provider's own failure.
    #[error("unknown outcome: {why}")]
    Unknown {
        /// For the log.
        why: String,
        /// Whether the provider answered with a failure of its own, which it then repeats under the same key.
        answered: bool,
    },
}

/// What the provider no longer knows: it was deleted there, or our keys are those of another account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// The customer, and with it every method that was attached to it.
    Customer,
    /// One payment method.
    Method,
}

/// What the provider's object of a charge says.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// The provider's id; none where it refused before making an object.
    pub provider_id: Option<String>,
    /// The charge that it was made for, from the object's own notes.
    pub charge: Option<ChargeId>,
    /// How it stands.
    pub state: State,
    /// What the page needs to carry on with the consumer. Never kept, never logged.
    pub client_secret: Option<SecretString>,
}

impl Snapshot {
    /// What is known where the provider has made no object, and never will.
    #[must_use]
    pub const fn without_object(state: State) -> Self {
        Self {
            provider_id: None,
            charge: None,
            state,
            client_secret: None,
        }
    }
}

/// What a request to authorise says. The same values make the same request, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authorization {
    /// Names the request: its idempotency key.
    pub charge: ChargeId,
    /// For people who look at the provider's own pages.
    pub order: OrderId,
    /// Who, with what, how much.
    pub terms: Terms,
}

/// What we ask of a card provider. Every call that changes something carries an idempotency key.
#[async_trait]
pub trait PaymentProvider: Send + Sync + std::fmt::Debug {
    /// A customer for a consumer; the same one however often it is asked. In place of one that was lost there is
    /// another, and again the same however often.
    async fn create_customer(
        &self,
        consumer: ConsumerId,
        lost: Option<&str>,
    ) -> Result<String, ProviderError>;

    /// The secret of a new set-up intent, with which the page's card element attaches a card to the customer.
    async fn create_card_secret(&self, customer: &str) -> Result<SecretString, ProviderError>;

    /// The methods attached to a customer that we can use, newest first.
    async fn list_methods(&self, customer: &str) -> Result<Vec<Description>, ProviderError>;

    /// Attaches a method to a customer. Only for seeding: consumers attach theirs in the page.
    async fn attach_method(&self, customer: &str, method: &str, key: &str) -> Result<(), ProviderError>;

    /// Detaches a method from its customer; done already is done.
    async fn detach_method(&self, method: &str, key: &str) -> Result<(), ProviderError>;

    /// Authorises a card, or begins a bank debit. A decline is an answer, not an error;
    /// [`ProviderError::Refused`] says that customer or method is gone.
    async fn authorize(&self, authorization: &Authorization) -> Result<Snapshot, ProviderError>;

    /// Uses up the key of an authorisation for a request that moves no money, so that the authorisation can have no
    /// effect any more. [`ProviderError::KeyUsed`]: too late, it has been received.
    async fn bar(&self, authorization: &Authorization) -> Result<Snapshot, ProviderError>;

    /// The object that was made for an authorisation, if there is one.
    async fn find(&self, authorization: &Authorization) -> Result<Option<Snapshot>, ProviderError>;

    /// How an object stands now.
    async fn fetch(&self, provider_id: &str) -> Result<Snapshot, ProviderError>;

    /// Takes the whole of what is held.
    async fn capture(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError>;

    /// Lets go of what is held, and of what the page might still confirm.
    async fn cancel(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError>;

    /// Gives back the whole of what was taken.
    async fn refund(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError>;
}

impl ProviderError {
    /// What is gone, where that is why the call was refused.
    #[must_use]
    pub const fn gone(&self) -> Option<Gone> {
        match self {
            Self::Refused { gone, .. } => *gone,
            Self::KeyUsed | Self::Unknown { .. } => None,
        }
    }
}

impl From<ProviderError> for kit::InternalError {
    /// For calls whose caller may simply try again.
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Unknown { .. } => {
                tracing::warn!(%error, "the payment provider gave no answer");
                Self::Call(tonic::Status::unavailable("the payment provider gave no answer"))
            }
            ProviderError::Refused { .. } | ProviderError::KeyUsed => {
                Self::broken(format!("the payment provider {error}"))
            }
        }
    }
}
