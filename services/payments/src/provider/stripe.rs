//! The provider as it is: Stripe's API, or anything that speaks it at `PROVIDER_URL`.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use secrecy::{ExposeSecret, SecretString};
use stripe::{Client, ClientBuilder, StripeRequest};
use stripe_core::customer::{CreateCustomer, ListPaymentMethodsCustomer};
use stripe_core::payment_intent::{
    CancelPaymentIntent, CapturePaymentIntent, CreatePaymentIntent,
    CreatePaymentIntentAutomaticPaymentMethods, CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects,
    ListPaymentIntent, RetrievePaymentIntent,
};
use stripe_core::refund::CreateRefund;
use stripe_core::setup_intent::CreateSetupIntent;
use stripe_payment::payment_method::{AttachPaymentMethod, DetachPaymentMethod};
use stripe_shared::PaymentIntentCaptureMethod;
use types::ConsumerId;

use super::intent::{self, CHARGE_NOTE, ORDER_NOTE};
use super::send::{Failure, send};
use super::{Authorization, Gone, PaymentProvider, ProviderError, Snapshot};
use crate::domain::charge::State;
use crate::domain::decline::{Decline, Reason};
use crate::domain::method::{Description, MethodKind};

/// The most that one page of a list holds; nobody has a hundred cards.
const PAGE: i64 = 100;

/// A client of Stripe's API.
#[derive(Debug)]
pub struct Stripe {
    client: Client,
    time: Duration,
}

impl Stripe {
    /// A client of the API at `url`, whose calls may each take `time`.
    ///
    /// # Errors
    /// A URL or key that cannot be used.
    pub fn new(url: &str, secret: &SecretString, time: Duration) -> anyhow::Result<Self> {
        let url = format!("{}/", url.trim_end_matches('/'));
        let client = ClientBuilder::new(secret.expose_secret())
            .url(url)
            .build()
            .map_err(|_| {
                anyhow::anyhow!(
                    "bad configuration: PROVIDER_URL or PROVIDER_SECRET_KEY: expected a URL and a key"
                )
            })?;
        Ok(Self { client, time })
    }

    async fn send<R>(&self, request: &R, key: Option<&str>) -> Result<R::Output, Failure>
    where
        R: StripeRequest,
        R::Output: miniserde::Deserialize,
    {
        send(&self.client, request, key, self.time).await
    }
}

/// What authorising and barring have in common. Everything in it comes from the charge's row, so that it is the same
/// however often it is sent.
fn intent_for(authorization: &Authorization) -> CreatePaymentIntent {
    let Authorization { charge, order, terms } = authorization;
    let capture = match terms.kind {
        MethodKind::Card => PaymentIntentCaptureMethod::Manual,
        // A bank debit cannot be held back: it is under way at once.
        MethodKind::Bank => PaymentIntentCaptureMethod::Automatic,
    };
    let mut methods = CreatePaymentIntentAutomaticPaymentMethods::new(true);
    // Methods that lead to another site and back: our page has nowhere to come back to.
    methods.allow_redirects = Some(CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects::Never);
    CreatePaymentIntent::new(terms.amount.minor_units(), stripe_types::Currency::USD)
        .customer(terms.provider_customer.clone())
        .payment_method(terms.provider_method.clone())
        .automatic_payment_methods(methods)
        .capture_method(capture)
        .metadata(notes([
            (CHARGE_NOTE, charge.to_string()),
            (ORDER_NOTE, order.to_string()),
        ]))
}

fn notes<const N: usize>(pairs: [(&str, String); N]) -> HashMap<String, String> {
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn expanded() -> Vec<String> {
    vec!["latest_charge".to_owned()]
}

#[async_trait]
impl PaymentProvider for Stripe {
    async fn create_customer(
        &self,
        consumer: ConsumerId,
        lost: Option<&str>,
    ) -> Result<String, ProviderError> {
        let request = CreateCustomer::new().metadata(notes([("consumer_id", consumer.to_string())]));
        // Under the key of the lost one the provider would repeat for a day that it is the one.
        let key = match lost {
            None => format!("customer:{consumer}"),
            Some(lost) => format!("customer:{consumer}:{lost}"),
        };
        let customer = self.send(&request, Some(&key)).await?;
        Ok(customer.id.to_string())
    }

    async fn create_card_secret(&self, customer: &str) -> Result<SecretString, ProviderError> {
        let request = CreateSetupIntent::new().customer(customer);
        // Without a key: one too many does nothing until the consumer confirms it.
        let intent = self.send(&request, None).await?;
        intent
            .client_secret
            .map(SecretString::from)
            .ok_or_else(|| ProviderError::Unknown {
                why: "a set-up intent without a secret".to_owned(),
                answered: true,
            })
    }

    async fn list_methods(&self, customer: &str) -> Result<Vec<Description>, ProviderError> {
        let list = self
            .send(&ListPaymentMethodsCustomer::new(customer).limit(PAGE), None)
            .await?;
        Ok(list.data.into_iter().filter_map(intent::description).collect())
    }

    async fn attach_method(&self, customer: &str, method: &str, key: &str) -> Result<(), ProviderError> {
        self.send(&AttachPaymentMethod::new(method).customer(customer), Some(key))
            .await?;
        Ok(())
    }

    async fn detach_method(&self, method: &str, key: &str) -> Result<(), ProviderError> {
        match self
            .send(&DetachPaymentMethod::new(method), Some(key))
            .await
            .map_err(ProviderError::from)
        {
            // Not attached, or gone: what we wanted.
            Ok(_) | Err(ProviderError::Refused { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn authorize(&self, authorization: &Authorization) -> Result<Snapshot, ProviderError> {
        let request = intent_for(authorization).confirm(true).expand(expanded());
        match self.send(&request, Some(&authorization.charge.to_string())).await {
            Ok(made) => Ok(intent::snapshot(made)),
            Err(Failure::Declined(error)) => Ok(intent::declined(*error)),
            Err(Failure::Error(ProviderError::Refused { code, gone: None })) => {
                tracing::warn!(charge_id = %authorization.charge, code, "the provider refused a charge");
                let declined = State::Declined(Decline::new(Reason::ProviderError));
                Ok(Snapshot::without_object(declined))
            }
            Err(Failure::Error(error)) => Err(error),
        }
    }

    async fn bar(&self, authorization: &Authorization) -> Result<Snapshot, ProviderError> {
        let request = intent_for(authorization).confirm(false);
        let made = self
            .send(&request, Some(&authorization.charge.to_string()))
            .await?;
        Ok(intent::snapshot(made))
    }

    async fn find(&self, authorization: &Authorization) -> Result<Option<Snapshot>, ProviderError> {
        // Listed, not searched: the provider's search index lags behind by up to a minute.
        let customer = authorization.terms.provider_customer.clone();
        let request = ListPaymentIntent::new()
            .customer(customer)
            .limit(PAGE)
            .expand(vec!["data.latest_charge".to_owned()]);
        let list = match self.send(&request, None).await.map_err(ProviderError::from) {
            Ok(list) => list,
            // What was made before the customer was lost is told by the authorisation's key.
            Err(error) if error.gone() == Some(Gone::Customer) => return Ok(None),
            Err(error) => return Err(error),
        };
        let found = list
            .data
            .into_iter()
            .map(intent::snapshot)
            .find(|it| it.charge == Some(authorization.charge));
        Ok(found)
    }

    async fn fetch(&self, provider_id: &str) -> Result<Snapshot, ProviderError> {
        let request = RetrievePaymentIntent::new(provider_id).expand(expanded());
        Ok(intent::snapshot(self.send(&request, None).await?))
    }

    async fn capture(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError> {
        let request = CapturePaymentIntent::new(provider_id).expand(expanded());
        Ok(intent::snapshot(self.send(&request, Some(key)).await?))
    }

    async fn cancel(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError> {
        let request = CancelPaymentIntent::new(provider_id).expand(expanded());
        Ok(intent::snapshot(self.send(&request, Some(key)).await?))
    }

    async fn refund(&self, provider_id: &str, key: &str) -> Result<Snapshot, ProviderError> {
        self.send(&CreateRefund::new().payment_intent(provider_id), Some(key))
            .await?;
        self.fetch(provider_id).await
    }
}
