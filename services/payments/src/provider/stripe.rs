//! Client of Stripe's API, or of a sandbox with the same API at `PROVIDER_URL`.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use stripe::{Client, ClientBuilder, StripeRequest};
use stripe_core::customer::{CreateCustomer, ListPaymentMethodsCustomer};
use stripe_core::dispute::ListDispute;
use stripe_core::payment_intent::{
    CancelPaymentIntent, CapturePaymentIntent, CreatePaymentIntent,
    CreatePaymentIntentAutomaticPaymentMethods, CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects,
    ListPaymentIntent, RetrievePaymentIntent,
};
use stripe_core::refund::CreateRefund;
use stripe_core::setup_intent::{CreateSetupIntent, RetrieveSetupIntent};
use stripe_payment::payment_method::{DetachPaymentMethod, RetrievePaymentMethod};
use stripe_shared::{PaymentIntentCaptureMethod, SetupIntentAllowedPaymentMethodTypes, SetupIntentStatus};
use stripe_types::{RangeBoundsTs, RangeQueryTs};
use types::{ConsumerId, Currency};

use super::intent::{self, CHARGE_ID, subject_key};
use super::refunds::{self, REFUND_ID};
use super::send::{SendError, send};
use super::{
    AuthorizationRequest, MissingObject, PaymentProvider, ProviderCharge, ProviderError, RefundRequest,
};
use crate::domain::charge::{Capture, ChargeState};
use crate::domain::decline::{Decline, DeclineReason};
use crate::domain::payment_method::{MethodDescription, MethodKind, WalletKind};
use crate::domain::setup::ProviderSetup;

/// Page size of lists: the maximum of the API. No consumer has more methods.
const PAGE_SIZE: i64 = 100;

const SECONDS_PER_HOUR: i64 = 3_600;

/// Metadata key of the idempotency key of the void that created an unconfirmed object.
const VOID_KEY: &str = "void_key";

#[derive(Debug)]
pub struct Stripe {
    client: Client,
    /// Timeout of one call.
    timeout: Duration,
}

impl Stripe {
    /// Creates a client.
    ///
    /// # Errors
    /// The URL or the key is invalid.
    pub fn new(url: &str, secret_key: &SecretString, timeout: Duration) -> anyhow::Result<Self> {
        let url = format!("{}/", url.trim_end_matches('/'));
        let client = ClientBuilder::new(secret_key.expose_secret())
            .url(url)
            .build()
            .map_err(|_| {
                anyhow::anyhow!(
                    "bad configuration: PROVIDER_URL or PROVIDER_SECRET_KEY: expected a URL and a key"
                )
            })?;
        Ok(Self { client, timeout })
    }

    async fn send<R>(&self, request: &R, key: Option<&str>) -> Result<R::Output, SendError>
    where
        R: StripeRequest,
        R::Output: miniserde::Deserialize,
    {
        send(&self.client, request, key, self.timeout).await
    }
}

/// Builds the common part of `authorize` and `create_unconfirmed_charge`. All values come from the charge's row, so each retry
/// sends the same request.
fn create_payment_intent(authorization: &AuthorizationRequest) -> CreatePaymentIntent {
    let terms = &authorization.terms;
    let capture_method = match (terms.method_kind, terms.capture) {
        (MethodKind::Card | MethodKind::Wallet(_), Capture::Later) => PaymentIntentCaptureMethod::Manual,
        // A bank debit cannot be held: it starts at once.
        (MethodKind::Bank, _) | (_, Capture::Now) => PaymentIntentCaptureMethod::Automatic,
    };
    let currency = match terms.amount.currency() {
        Currency::Usd => stripe_types::Currency::USD,
    };
    let mut methods = CreatePaymentIntentAutomaticPaymentMethods::new(true);
    // The web app has no return URL for methods that redirect.
    methods.allow_redirects = Some(CreatePaymentIntentAutomaticPaymentMethodsAllowRedirects::Never);
    CreatePaymentIntent::new(terms.amount.minor_units(), currency)
        .customer(terms.provider_customer_id.clone())
        .payment_method(terms.provider_method_id.clone())
        .automatic_payment_methods(methods)
        .capture_method(capture_method)
        .metadata(charge_metadata(authorization))
}

fn charge_metadata(authorization: &AuthorizationRequest) -> HashMap<String, String> {
    let AuthorizationRequest {
        charge_id, subject, ..
    } = authorization;
    metadata([
        (CHARGE_ID, charge_id.to_string()),
        ("purpose", subject.purpose().as_str().to_owned()),
        (subject_key(subject.purpose()), subject.to_string()),
    ])
}

fn metadata<const N: usize>(pairs: [(&str, String); N]) -> HashMap<String, String> {
    pairs
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Expands the latest charge with its refunds, below `prefix`.
fn expand_latest_charge(prefix: &str) -> Vec<String> {
    ["latest_charge", "latest_charge.refunds"]
        .map(|path| format!("{prefix}{path}"))
        .into()
}

#[async_trait]
impl PaymentProvider for Stripe {
    async fn create_customer(
        &self,
        consumer_id: ConsumerId,
        deleted_id: Option<&str>,
        now: Timestamp,
    ) -> Result<String, ProviderError> {
        let request = CreateCustomer::new().metadata(metadata([("consumer_id", consumer_id.to_string())]));
        // A replacement needs a new key: with the old one, the provider would return the deleted customer for a day.
        let replaced = deleted_id.unwrap_or_default();
        // The provider also repeats a server error for a day, so a key is used for an hour only, and not after such an error. That can
        // leave a customer without payment methods at the provider.
        let key = format!(
            "customer:{consumer_id}:{replaced}:{}",
            now.as_second() / SECONDS_PER_HOUR
        );
        let first = self.send(&request, Some(&key)).await.map_err(ProviderError::from);
        let customer = match first {
            Err(ProviderError::OutcomeUnknown {
                is_server_error: true,
                ..
            }) => self.send(&request, Some(&format!("{key}:again"))).await?,
            result => result?,
        };
        Ok(customer.id.to_string())
    }

    async fn create_setup_intent(
        &self,
        customer_id: &str,
        kind: MethodKind,
    ) -> Result<(String, SecretString), ProviderError> {
        let method_type = match kind {
            MethodKind::Card | MethodKind::Wallet(_) => SetupIntentAllowedPaymentMethodTypes::Card,
            MethodKind::Bank => SetupIntentAllowedPaymentMethodTypes::UsBankAccount,
        };
        let request = CreateSetupIntent::new()
            .customer(customer_id)
            .allowed_payment_method_types(vec![method_type]);
        // Needs no key: an unused setup intent has no effect.
        let intent = self.send(&request, None).await?;
        let id = intent.id.to_string();
        intent
            .client_secret
            .map(|secret| (id, SecretString::from(secret)))
            .ok_or_else(|| ProviderError::OutcomeUnknown {
                cause: "setup intent without client secret".to_owned(),
                is_server_error: true,
            })
    }

    async fn fetch_setup_intent(&self, id: &str) -> Result<ProviderSetup, ProviderError> {
        let request = RetrieveSetupIntent::new(id).expand(vec!["payment_method".to_owned()]);
        let intent = self.send(&request, None).await?;
        let method = intent
            .payment_method
            .and_then(stripe_types::Expandable::into_object)
            .filter(|_| intent.status == SetupIntentStatus::Succeeded);
        Ok(ProviderSetup {
            method: method.and_then(intent::method_description),
            mandate_id: intent.mandate.map(|mandate| mandate.id().to_string()),
        })
    }

    async fn list_payment_methods(&self, customer_id: &str) -> Result<Vec<MethodDescription>, ProviderError> {
        let request = ListPaymentMethodsCustomer::new(customer_id).limit(PAGE_SIZE);
        let list = self.send(&request, None).await?;
        Ok(list
            .data
            .into_iter()
            .filter_map(intent::method_description)
            .collect())
    }

    async fn find_wallet(&self, method_id: &str) -> Result<Option<WalletKind>, ProviderError> {
        let method = self.send(&RetrievePaymentMethod::new(method_id), None).await?;
        Ok(intent::wallet_kind(&method))
    }

    async fn detach_payment_method(&self, method_id: &str, key: &str) -> Result<(), ProviderError> {
        let result = self
            .send(&DetachPaymentMethod::new(method_id), Some(key))
            .await
            .map_err(ProviderError::from);
        match result {
            // Rejected: not attached, or deleted.
            Ok(_) | Err(ProviderError::Rejected { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn authorize(&self, authorization: &AuthorizationRequest) -> Result<ProviderCharge, ProviderError> {
        let request = create_payment_intent(authorization)
            .confirm(true)
            .expand(expand_latest_charge(""));
        let key = authorization.charge_id.to_string();
        match self.send(&request, Some(&key)).await {
            Ok(intent) => intent::provider_charge(intent),
            Err(SendError::Declined(error)) => Ok(intent::declined_charge(*error)),
            Err(SendError::Provider(ProviderError::Rejected {
                code,
                missing_object: None,
            })) => {
                tracing::warn!(charge_id = key, code, "payment provider rejected a charge");
                let decline = Decline::new(DeclineReason::ProviderError);
                Ok(ProviderCharge::without_object(ChargeState::Declined(decline)))
            }
            Err(SendError::Provider(error)) => Err(error),
        }
    }

    async fn create_unconfirmed_charge(
        &self,
        authorization: &AuthorizationRequest,
        void_key: &str,
    ) -> Result<ProviderCharge, ProviderError> {
        let mut labels = charge_metadata(authorization);
        labels.insert(VOID_KEY.to_owned(), void_key.to_owned());
        let request = create_payment_intent(authorization)
            .confirm(false)
            .metadata(labels);
        let key = authorization.charge_id.to_string();
        intent::provider_charge(self.send(&request, Some(&key)).await?)
    }

    async fn find_charge(
        &self,
        authorization: &AuthorizationRequest,
    ) -> Result<Option<ProviderCharge>, ProviderError> {
        // Not the search API: its index is up to a minute old.
        let request = ListPaymentIntent::new()
            .customer(authorization.terms.provider_customer_id.clone())
            .limit(PAGE_SIZE)
            .expand(expand_latest_charge("data."));
        let list = match self.send(&request, None).await.map_err(ProviderError::from) {
            Ok(list) => list,
            // Charges of a deleted customer are not listed; the authorization's idempotency key finds them.
            Err(error) if error.missing_object() == Some(MissingObject::Customer) => return Ok(None),
            Err(error) => return Err(error),
        };
        list.data
            .into_iter()
            .find(|intent| intent::charge_id(intent) == Some(authorization.charge_id))
            .map(intent::provider_charge)
            .transpose()
    }

    async fn list_charges(
        &self,
        since: Timestamp,
        after: Option<&str>,
    ) -> Result<Vec<ProviderCharge>, ProviderError> {
        let created = RangeBoundsTs {
            gte: Some(since.as_second()),
            ..RangeBoundsTs::default()
        };
        let mut request = ListPaymentIntent::new()
            .created(RangeQueryTs::Bounds(created))
            .limit(PAGE_SIZE)
            .expand(expand_latest_charge("data."));
        if let Some(id) = after {
            request = request.starting_after(id);
        }
        let list = self.send(&request, None).await.map_err(ProviderError::from)?;
        list.data.into_iter().map(intent::provider_charge).collect()
    }

    async fn fetch_charge(&self, provider_id: &str) -> Result<ProviderCharge, ProviderError> {
        let request = RetrievePaymentIntent::new(provider_id).expand(expand_latest_charge(""));
        let charge = intent::provider_charge(self.send(&request, None).await?)?;
        if charge.state != ChargeState::Disputed {
            return Ok(charge);
        }
        let request = ListDispute::new().payment_intent(provider_id).limit(PAGE_SIZE);
        let disputes = self.send(&request, None).await?.data;
        Ok(ProviderCharge {
            disputes: disputes.iter().filter_map(refunds::dispute).collect(),
            ..charge
        })
    }

    async fn capture(&self, provider_id: &str, key: &str) -> Result<ProviderCharge, ProviderError> {
        let request = CapturePaymentIntent::new(provider_id).expand(expand_latest_charge(""));
        intent::provider_charge(self.send(&request, Some(key)).await?)
    }

    async fn cancel(&self, provider_id: &str, key: &str) -> Result<ProviderCharge, ProviderError> {
        let request = CancelPaymentIntent::new(provider_id).expand(expand_latest_charge(""));
        intent::provider_charge(self.send(&request, Some(key)).await?)
    }

    async fn refund(
        &self,
        provider_id: &str,
        refund: RefundRequest<'_>,
        key: &str,
    ) -> Result<ProviderCharge, ProviderError> {
        let request = CreateRefund::new()
            .payment_intent(provider_id)
            .amount(refund.amount.minor_units())
            .metadata(metadata([(REFUND_ID, refund.request_id.to_owned())]));
        self.send(&request, Some(key)).await?;
        self.fetch_charge(provider_id).await
    }
}
