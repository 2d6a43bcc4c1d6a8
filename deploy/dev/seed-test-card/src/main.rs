//! Adds the provider's test Visa to the demo consumer, as the web app would. For development: does nothing unless the
//! provider's key is a test key. Safe to repeat.

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use callers::Caller;
use clap::Parser;
use kit::caller::CallerKey;
use kit::grpc::{ClientChannel, GrpcClient};
use kit::lifecycle::Process;
use proto::payments::v1::payments_client::PaymentsClient;
use proto::payments::v1::{AddCardRequest, CreateSetupIntentRequest, ListPaymentMethodsRequest};
use serde_json::Value;
use types::{Clock, ConsumerId, SessionId, SystemClock};
use uuid::Uuid;

/// The consumer that the seeds of accounts, gift-cards and rewards create.
const DEMO_CONSUMER: ConsumerId =
    ConsumerId::from_uuid(Uuid::from_u128(0x018f_0000_0000_7000_8000_0000_0000_0001));

/// The provider's test card 4242 4242 4242 4242.
const TEST_CARD: &str = "pm_card_visa";

/// Time in which payments and the provider must become available.
const TIMEOUT: Duration = Duration::from_mins(1);
const RETRY_INTERVAL: Duration = Duration::from_millis(500);

/// Adds a test card to the demo consumer. Needs `CALLER_SECRET`.
#[derive(Debug, Parser)]
#[command(name = "seed-test-card")]
struct Arguments {
    /// Address of the payments service.
    #[arg(long, env = "PAYMENTS_ADDRESS", default_value = "http://127.0.0.1:7104")]
    payments: String,
    /// Address of the payment provider.
    #[arg(long, env = "PROVIDER_URL", default_value = "http://127.0.0.1:7190")]
    provider: String,
    /// The provider's secret key.
    #[arg(long, env = "PROVIDER_SECRET_KEY", hide_env_values = true)]
    provider_key: String,
    /// Consumer who receives the card.
    #[arg(long, default_value_t = DEMO_CONSUMER)]
    consumer: ConsumerId,
}

struct Seeder {
    payments: PaymentsClient<ClientChannel>,
    http: reqwest::Client,
    provider: String,
    provider_key: String,
}

fn main() -> ExitCode {
    kit::lifecycle::run("seed-test-card", run)
}

async fn run(process: Process) -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if !is_test_key(&arguments.provider_key) {
        tracing::info!("no test card added: the provider key is not a test key");
        return Ok(());
    }
    let key = CallerKey::from_config(&process.source)?;
    let consumer = Caller::Consumer {
        id: arguments.consumer,
        session: SessionId::new(SystemClock.now()),
    };
    let client = GrpcClient::new(
        Caller::from_service(process.name),
        "payments",
        &arguments.payments,
        key,
    )?;
    kit::tls::install_provider();
    let mut seeder = Seeder {
        payments: PaymentsClient::new(client.as_caller(consumer)),
        http: reqwest::Client::new(),
        provider: arguments.provider.trim_end_matches('/').to_owned(),
        provider_key: arguments.provider_key,
    };
    let deadline = tokio::time::Instant::now() + TIMEOUT;
    loop {
        match seeder.ensure_card().await {
            Ok(()) => return Ok(()),
            Err(error) if tokio::time::Instant::now() >= deadline => return Err(error),
            Err(error) => tracing::debug!(error = format!("{error:#}"), "test card not added; will retry"),
        }
        if !process.sleep(RETRY_INTERVAL).await {
            return Ok(());
        }
    }
}

/// Returns whether the provider moves no real money for this key.
fn is_test_key(key: &str) -> bool {
    key.starts_with("sk_test_") || key.starts_with("rk_test_")
}

impl Seeder {
    /// Adds the card unless the consumer has a payment method. A card that the consumer deleted is not added again.
    async fn ensure_card(&mut self) -> anyhow::Result<()> {
        let methods = self
            .payments
            .list_payment_methods(ListPaymentMethodsRequest::default())
            .await?
            .into_inner()
            .methods;
        if !methods.is_empty() {
            tracing::info!("the demo consumer has a payment method");
            return Ok(());
        }
        let customer = self.customer_id().await?;
        self.attach_card(&customer).await?;
        self.payments.add_card(AddCardRequest {}).await?;
        tracing::info!("added the test card");
        Ok(())
    }

    /// Returns the id of the consumer's provider customer, which is created if necessary.
    async fn customer_id(&mut self) -> anyhow::Result<String> {
        let secret = self
            .payments
            .create_setup_intent(CreateSetupIntentRequest {})
            .await?
            .into_inner()
            .client_secret;
        let intent_id = secret
            .split_once("_secret_")
            .map(|(id, _)| id)
            .context("unexpected format of the client secret")?;
        let request = self
            .http
            .get(format!("{}/v1/setup_intents/{intent_id}", self.provider));
        let intent = self.send(request).await?;
        let customer = intent["customer"]
            .as_str()
            .context("setup intent without customer")?;
        Ok(customer.to_owned())
    }

    async fn attach_card(&self, customer: &str) -> anyhow::Result<()> {
        let request = self
            .http
            .post(format!("{}/v1/payment_methods/{TEST_CARD}/attach", self.provider))
            .header("idempotency-key", format!("test-card:{customer}"))
            .form(&[("customer", customer)]);
        self.send(request).await?;
        Ok(())
    }

    async fn send(&self, request: reqwest::RequestBuilder) -> anyhow::Result<Value> {
        let response = request.bearer_auth(&self.provider_key).send().await?;
        Ok(response.error_for_status()?.json().await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_test_keys_are_accepted() {
        for key in ["sk_test_orderahead", "rk_test_1"] {
            assert!(is_test_key(key), "{key}");
        }
        for key in ["sk_live_1", "rk_live_sk_test_", "sk", ""] {
            assert!(!is_test_key(key), "{key}");
        }
    }
}
