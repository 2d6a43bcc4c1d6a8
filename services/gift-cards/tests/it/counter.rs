//! Payments at the counter with a PIN.

use std::sync::Arc;

use callers::Caller;
use futures::future::join_all;
use gift_cards::accounts::SALES;
use jiff::SignedDuration;
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    CounterPayment, CounterPin, CreateCounterPinRequest, RedeemCounterPinRequest,
    gift_cards_server::GiftCards as _,
};
use testing::{into_result, request_from};
use types::{CompanyId, ConsumerId, CredentialId, StoreId};

use crate::harness::{Harness, at, request_from_consumer, usd};

struct Terminal {
    store_id: StoreId,
    credential_id: CredentialId,
}

impl Terminal {
    fn new(harness: &Harness) -> Self {
        let store_id = StoreId::new(at());
        harness.services.add_store(store_id, CompanyId::new(at()));
        Self::at(store_id)
    }

    fn at(store_id: StoreId) -> Self {
        Self {
            store_id,
            credential_id: CredentialId::new(at()),
        }
    }

    async fn create_pin(&self, harness: &Harness, consumer_id: ConsumerId) -> CounterPin {
        let store_id = self.store_id.to_string();
        let request = request_from_consumer(consumer_id, CreateCounterPinRequest { store_id });
        into_result(harness.grpc().create_counter_pin(request).await).unwrap()
    }

    async fn redeem(
        &self,
        harness: &Harness,
        pin: &str,
        cents: i64,
        key: &str,
    ) -> Result<CounterPayment, ServiceError> {
        let request = RedeemCounterPinRequest {
            store_id: self.store_id.to_string(),
            pin: pin.to_owned(),
            amount: usd(cents),
            idempotency_key: key.to_owned(),
        };
        let caller = Caller::Store {
            credential: self.credential_id,
            stores: Some(vec![self.store_id]),
        };
        into_result(
            harness
                .grpc()
                .redeem_counter_pin(request_from(caller, request))
                .await,
        )
    }
}

/// Returns a PIN that differs from the given one.
fn wrong(pin: &str, number: u32) -> String {
    let pin: u32 = pin.parse().unwrap();
    format!("{:04}", (pin + 1 + number) % 10_000)
}

#[tokio::test]
async fn a_pin_pays_once() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let terminal = Terminal::new(&harness);
    let pin = terminal.create_pin(&harness, consumer).await;
    assert_eq!((pin.pin.len(), pin.available), (4, usd(1_000)));
    let payment = terminal
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap();
    assert_eq!(payment.amount, usd(450));
    // A repeated request gets the same payment; another one does not.
    let repeated = terminal.redeem(&harness, &pin.pin, 450, "key-of-a-test").await;
    assert_eq!(repeated.unwrap(), payment);
    let error = terminal
        .redeem(&harness, &pin.pin, 450, "another-key")
        .await
        .unwrap_err();
    assert_eq!(error.reason, "PIN_NOT_VALID");
    let error = terminal
        .redeem(&harness, &pin.pin, 451, "key-of-a-test")
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "IDEMPOTENCY_KEY_REUSED")
    );
    assert_eq!(
        (
            harness.wallet(consumer).await,
            harness.sum_of_postings(SALES).await
        ),
        ((550, 0), 450)
    );
    let line = &harness.transactions(consumer, 1, 0).await[0];
    assert_eq!(
        (&*line.kind, &*line.title, &*line.store_id),
        (
            "counter_payment",
            "Paid at Sunset & Maltman",
            &*terminal.store_id.to_string()
        )
    );
    harness.close().await;
}

#[tokio::test]
async fn a_pin_expires_and_is_replaced_by_the_next_one() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let terminal = Terminal::new(&harness);
    let first = terminal.create_pin(&harness, consumer).await;
    let second = terminal.create_pin(&harness, consumer).await;
    if first.pin != second.pin {
        assert!(
            terminal
                .redeem(&harness, &first.pin, 450, "key-of-a-test")
                .await
                .is_err()
        );
    }
    harness.advance_clock(SignedDuration::from_secs(120));
    let error = terminal
        .redeem(&harness, &second.pin, 450, "another-key")
        .await
        .unwrap_err();
    assert_eq!(error.reason, "PIN_NOT_VALID");
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test]
async fn a_pin_is_valid_at_its_store_only() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let (terminal, other) = (Terminal::new(&harness), Terminal::new(&harness));
    let pin = terminal.create_pin(&harness, consumer).await;
    let error = other
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap_err();
    assert_eq!(error.reason, "PIN_NOT_VALID");
    // A credential of another store may not act for this one.
    let caller = Caller::Store {
        credential: other.credential_id,
        stores: Some(vec![other.store_id]),
    };
    let request = RedeemCounterPinRequest {
        store_id: terminal.store_id.to_string(),
        pin: pin.pin.clone(),
        amount: usd(450),
        idempotency_key: "key-of-a-test".to_owned(),
    };
    let response = harness
        .grpc()
        .redeem_counter_pin(request_from(caller, request))
        .await;
    assert_eq!(into_result(response).unwrap_err().code, ErrorCode::Forbidden);
    terminal
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn a_low_balance_keeps_the_pin() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(400).await;
    let terminal = Terminal::new(&harness);
    let pin = terminal.create_pin(&harness, consumer).await;
    let error = terminal
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap_err();
    assert_eq!(error.reason, "INSUFFICIENT_BALANCE");
    for cents in [0, -1, 50_001] {
        let error = terminal
            .redeem(&harness, &pin.pin, cents, "another-key")
            .await
            .unwrap_err();
        assert_eq!(error.reason, "AMOUNT_INVALID");
    }
    terminal
        .redeem(&harness, &pin.pin, 400, "a-third-key")
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn wrong_pins_are_limited_per_terminal_and_minute() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let terminal = Terminal::new(&harness);
    let pin = terminal.create_pin(&harness, consumer).await;
    for number in 0..5 {
        let error = terminal
            .redeem(&harness, &wrong(&pin.pin, number), 450, "key-of-a-test")
            .await
            .unwrap_err();
        assert_eq!(error.reason, "PIN_NOT_VALID");
    }
    let error = terminal
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RateLimited, "TOO_MANY_ATTEMPTS")
    );
    assert!(error.retry_after.unwrap().as_secs() <= 60);
    // Another terminal of the store is not affected.
    let other = Terminal::at(terminal.store_id);
    other
        .redeem(&harness, &pin.pin, 450, "key-of-a-test")
        .await
        .unwrap();
    harness.advance_clock(SignedDuration::from_secs(60));
    let pin = terminal.create_pin(&harness, consumer).await;
    terminal
        .redeem(&harness, &pin.pin, 450, "another-key")
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test]
async fn correct_pins_are_not_limited() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(1_000).await;
    let terminal = Terminal::new(&harness);
    for number in 0..8 {
        let pin = terminal.create_pin(&harness, consumer).await;
        let key = format!("key-of-a-test-{number}");
        terminal.redeem(&harness, &pin.pin, 100, &key).await.unwrap();
    }
    harness.close().await;
}

#[tokio::test]
async fn correct_pins_with_a_low_balance_are_not_limited() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(400).await;
    let terminal = Terminal::new(&harness);
    let pin = terminal.create_pin(&harness, consumer).await;
    for number in 0..8 {
        let key = format!("key-of-a-test-{number}");
        let error = terminal.redeem(&harness, &pin.pin, 450, &key).await.unwrap_err();
        assert_eq!(error.reason, "INSUFFICIENT_BALANCE");
    }
    terminal
        .redeem(&harness, &pin.pin, 400, "the-last-key")
        .await
        .unwrap();
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_payments_with_one_pin_one_succeeds() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    let store_id = Terminal::new(&harness).store_id;
    let pin = Terminal::at(store_id).create_pin(&harness, consumer).await.pin;
    let payments = (0..8).map(|number| {
        let (harness, pin) = (Arc::clone(&harness), pin.clone());
        tokio::spawn(async move {
            let key = format!("key-of-a-test-{number}");
            Terminal::at(store_id).redeem(&harness, &pin, 100, &key).await
        })
    });
    let outcomes: Vec<_> = join_all(payments).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert_eq!(harness.wallet(consumer).await, (900, 0));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_with_one_key_pay_once() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(1_000).await;
    let terminal = Arc::new(Terminal::new(&harness));
    let pin = terminal.create_pin(&harness, consumer).await.pin;
    let payments = (0..4).map(|_| {
        let (harness, pin, terminal) = (Arc::clone(&harness), pin.clone(), Arc::clone(&terminal));
        tokio::spawn(async move {
            terminal
                .redeem(&harness, &pin, 100, "key-of-a-test")
                .await
                .unwrap()
        })
    });
    let payments: Vec<_> = join_all(payments).await.into_iter().map(Result::unwrap).collect();
    assert!(payments.iter().all(|payment| payment == &payments[0]));
    assert_eq!(harness.wallet(consumer).await, (900, 0));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_with_a_correct_pin_are_not_counted_as_wrong() {
    let harness = Arc::new(Harness::start().await);
    let (first, second) = (
        harness.consumer_with(1_000).await,
        harness.consumer_with(1_000).await,
    );
    let terminal = Arc::new(Terminal::new(&harness));
    let pin = terminal.create_pin(&harness, first).await.pin;
    let payments = (0..12).map(|_| {
        let (harness, pin, terminal) = (Arc::clone(&harness), pin.clone(), Arc::clone(&terminal));
        // Those beyond the limit of attempts at a time are rejected.
        tokio::spawn(async move { terminal.redeem(&harness, &pin, 100, "key-of-a-test").await })
    });
    for payment in join_all(payments).await {
        if let Err(error) = payment.unwrap() {
            assert_eq!(error.reason, "TOO_MANY_ATTEMPTS");
        }
    }
    let pin = terminal.create_pin(&harness, second).await.pin;
    for number in 0..4 {
        let error = terminal
            .redeem(&harness, &wrong(&pin, number), 100, "another-key")
            .await
            .unwrap_err();
        assert_eq!(error.reason, "PIN_NOT_VALID");
    }
    terminal.redeem(&harness, &pin, 100, "another-key").await.unwrap();
    assert_eq!(harness.wallet(first).await, (900, 0));
    assert_eq!(harness.wallet(second).await, (900, 0));
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn pins_of_a_store_differ() {
    let harness = Harness::start().await;
    let terminal = Terminal::new(&harness);
    let mut pins = std::collections::HashSet::new();
    for _ in 0..60 {
        let consumer = harness.consumer_with(0).await;
        assert!(pins.insert(terminal.create_pin(&harness, consumer).await.pin));
    }
    let hashes: Vec<String> = sqlx::query_scalar("SELECT counter_pins::text FROM counter_pins")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(hashes.len(), 60);
    harness.close().await;
}
