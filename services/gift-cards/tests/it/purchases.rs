//! `AddFunds` and the saga of purchases: valid, invalid, repeated, concurrent, settled and returned later.

use std::sync::Arc;

use futures::future::join_all;
use gift_cards::{
    accounts::{RECEIPTS, RETURNED_DEBITS},
    ops::recover_purchases::recover_purchases,
};
use jiff::SignedDuration;
use kit::{ErrorCode, ServiceError};
use proto::{
    giftcards::v1::{
        AddFundsRequest, GetAddFundsOptionsRequest, Purchase, PurchaseState,
        gift_cards_server::GiftCards as _,
    },
    payments::v1::{
        ChargePurpose, ChargeState, MethodKind, PaymentSource, WalletKind, WalletPayment,
        payment_source::Source,
    },
};
use testing::into_result;
use types::{BalanceId, ConsumerId};

use crate::{
    charge_events::{declined, returned, settled},
    fake_services::{AUTHENTICATED, BANK, CARD, DECLINED, INDEBTED, LOST},
    harness::{Harness, at, new_order, request_from_consumer, usd},
};

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
pub fn source(payment_method_id: &str) -> Option<PaymentSource> {
    Some(PaymentSource {
        source: Some(Source::PaymentMethodId(payment_method_id.to_owned())),
        ..PaymentSource::default()
    })
}

fn request(cents: i64, method: &str, key: &str) -> AddFundsRequest {
    AddFundsRequest {
        amount: usd(cents),
        payment: source(method),
        balance_id: String::new(),
        idempotency_key: key.to_owned(),
    }
}

impl Harness {
    pub async fn add_funds(
        &self,
        consumer_id: ConsumerId,
        request: AddFundsRequest,
    ) -> Result<Purchase, ServiceError> {
        let request = request_from_consumer(consumer_id, request);
        into_result(self.grpc().add_funds(request).await)
    }

    async fn add(&self, consumer_id: ConsumerId, cents: i64, method: &str, key: &str) -> Purchase {
        self.add_funds(consumer_id, request(cents, method, key))
            .await
            .unwrap()
    }

    async fn pending(&self, consumer_id: ConsumerId) -> i64 {
        let balances = self.balances(consumer_id).await;
        balances[0].pending.as_ref().unwrap().minor_units
    }
}

#[tokio::test]
async fn a_card_pays_for_the_value_immediately() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(500).await;
    let purchase = harness.add(consumer, 2_500, CARD, "key-of-a-test").await;
    assert_eq!(
        (purchase.state(), purchase.amount, purchase.value),
        (PurchaseState::PurchaseCompleted, usd(2_500), usd(2_500))
    );
    assert_eq!(purchase.balance.unwrap().available, usd(3_000));
    assert_eq!(harness.wallet(consumer).await, (3_000, 0));
    assert_eq!(harness.sum_of_postings(RECEIPTS).await, -harness.services.paid());
    let charge = &harness.services.charges()[0];
    assert_eq!(charge.subject.purpose(), ChargePurpose::TopUp);
    assert_eq!(charge.subject.id, purchase.purchase_id);

    let lines = harness.transactions(consumer, 10, 0).await;
    assert_eq!(
        (&*lines[0].kind, &*lines[0].title, &*lines[0].balance_name),
        ("top_up", "Added funds", "JoePass")
    );
    assert_eq!(lines[0].purchase_id, purchase.purchase_id);
    assert_eq!(lines[0].balance_after, usd(3_000));
    harness.close().await;
}

#[tokio::test]
async fn a_wallet_pays_without_a_saved_method() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let mut wallet = WalletPayment {
        provider_payment_method_id: "pm_wallet".to_owned(),
        ..WalletPayment::default()
    };
    wallet.set_kind(WalletKind::ApplePay);
    let with_wallet = |wallet: WalletPayment| AddFundsRequest {
        payment: Some(PaymentSource {
            source: Some(Source::Wallet(wallet)),
            ..PaymentSource::default()
        }),
        ..request(1_000, "", "key-of-a-test")
    };
    let purchase = harness
        .add_funds(consumer, with_wallet(wallet.clone()))
        .await
        .unwrap();
    assert_eq!(purchase.state(), PurchaseState::PurchaseCompleted);
    // The sheet returns another id for a repeated attempt.
    wallet.provider_payment_method_id = "pm_other".to_owned();
    let repeated = harness.add_funds(consumer, with_wallet(wallet)).await.unwrap();
    assert_eq!(repeated, purchase);
    let rows: Vec<String> = sqlx::query_scalar("SELECT purchases::text FROM purchases")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    assert!(
        !rows[0].contains("pm_"),
        "the id of a wallet payment is not saved"
    );
    harness.close().await;
}

#[tokio::test]
async fn amounts_methods_and_keys_are_checked() {
    let harness = Harness::start().await;
    let (consumer, other) = (harness.consumer_with(0).await, harness.consumer_with(0).await);
    let foreign = harness.joepass(other).await;
    let valid = request(1_000, CARD, "key-of-a-test");
    let with = |change: fn(&mut AddFundsRequest)| {
        let mut request = valid.clone();
        change(&mut request);
        request
    };
    let cases = [
        (with(|it| it.amount = usd(999)), "AMOUNT_TOO_SMALL"),
        (with(|it| it.amount = usd(0)), "AMOUNT_TOO_SMALL"),
        (with(|it| it.amount = usd(-5_000)), "AMOUNT_TOO_SMALL"),
        (with(|it| it.amount = usd(50_001)), "AMOUNT_TOO_LARGE"),
        (with(|it| it.amount = usd(i64::MAX)), "AMOUNT_TOO_LARGE"),
        (with(|it| it.amount = None), "AMOUNT_MALFORMED"),
        (with(|it| it.payment = None), "PAYMENT_METHOD_REQUIRED"),
        (with(|it| it.payment = source("")), "PAYMENT_METHOD_REQUIRED"),
        (
            with(|it| it.payment = source("pay_of_another")),
            "PAYMENT_METHOD_UNKNOWN",
        ),
        (
            with(|it| it.idempotency_key = "short".to_owned()),
            "IDEMPOTENCY_KEY_INVALID",
        ),
        (with(|it| it.balance_id = "bal_x".to_owned()), "ID_MALFORMED"),
        (
            AddFundsRequest {
                balance_id: foreign.to_string(),
                ..valid.clone()
            },
            "BALANCE_UNKNOWN",
        ),
        (
            AddFundsRequest {
                balance_id: BalanceId::new(at()).to_string(),
                ..valid.clone()
            },
            "BALANCE_UNKNOWN",
        ),
    ];
    for (request, reason) in cases {
        let error = harness.add_funds(consumer, request).await.unwrap_err();
        assert_eq!(error.reason, reason);
    }
    assert!(harness.services.charges().is_empty());
    // A rejected request does not use up its key.
    harness.add_funds(consumer, valid).await.unwrap();
    harness.close().await;
}

#[tokio::test]
async fn a_balance_has_a_limit_that_includes_pending_value() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(140_000).await;
    harness.add(consumer, 50_000, BANK, "key-of-a-test").await;
    let over = request(10_001, CARD, "another-key");
    let error = harness.add_funds(consumer, over).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::RuleViolation, "BALANCE_LIMIT_REACHED")
    );
    harness.add(consumer, 10_000, CARD, "a-third-key").await;
    harness.close().await;
}

#[tokio::test]
async fn a_declined_payment_fails_the_purchase_for_its_key() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    for _ in 0..2 {
        let request = request(1_000, DECLINED, "key-of-a-test");
        let error = harness.add_funds(consumer, request).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason, &*error.message),
            (
                ErrorCode::RuleViolation,
                "CARD_DECLINED",
                "Your card was declined."
            )
        );
    }
    let error = harness
        .add_funds(consumer, request(1_000, CARD, "key-of-a-test"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "IDEMPOTENCY_KEY_REUSED")
    );
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    harness.add(consumer, 1_000, CARD, "another-key").await;
    harness.close().await;
}

#[tokio::test]
async fn a_consumer_with_debts_cannot_add_funds() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    for _ in 0..2 {
        let request = request(1_000, INDEBTED, "key-of-a-test");
        let error = harness.add_funds(consumer, request).await.unwrap_err();
        assert_eq!(
            (error.code, &*error.reason, &*error.message),
            (
                ErrorCode::Forbidden,
                "FAILED_ACH_PAYMENTS",
                "You have failed payment"
            )
        );
    }
    // Before the charge, nothing is written: the key works once the debt is paid.
    harness.services.set_indebted(consumer, true);
    let valid = request(1_000, CARD, "another-key");
    let error = harness.add_funds(consumer, valid.clone()).await.unwrap_err();
    assert_eq!(error.reason, "FAILED_ACH_PAYMENTS");
    harness.services.set_indebted(consumer, false);
    harness.add_funds(consumer, valid).await.unwrap();
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_with_one_key_create_one_purchase() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(0).await;
    let requests = (0..20).map(|_| {
        let harness = Arc::clone(&harness);
        tokio::spawn(async move { harness.add(consumer, 2_500, CARD, "key-of-a-test").await })
    });
    let purchases: Vec<Purchase> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert!(
        purchases.iter().all(|purchase| purchase == &purchases[0]),
        "{purchases:?}"
    );
    assert_eq!(
        (harness.services.paid(), harness.wallet(consumer).await),
        (2_500, (2_500, 0))
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_purchases_do_not_exceed_the_limit_together() {
    let harness = Arc::new(Harness::start().await);
    let consumer = harness.consumer_with(140_000).await;
    let requests = (0..6).map(|number| {
        let harness = Arc::clone(&harness);
        let request = request(30_000, CARD, &format!("key-of-a-test-{number}"));
        tokio::spawn(async move { harness.add_funds(consumer, request).await })
    });
    let outcomes: Vec<_> = join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 2);
    assert_eq!(
        (harness.services.paid(), harness.wallet(consumer).await),
        (60_000, (200_000, 0))
    );
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn authentication_is_checked_by_a_call_with_the_same_key() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let waiting = harness.add(consumer, 1_000, AUTHENTICATED, "key-of-a-test").await;
    assert_eq!(
        (waiting.state(), &*waiting.client_secret),
        (PurchaseState::PurchaseRequiresAction, "secret")
    );
    let is_stored: bool =
        sqlx::query_scalar("SELECT bool_or(purchases::text LIKE '%secret%') FROM purchases")
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
    assert!(!is_stored, "payments returns the secret each time");
    let again = harness.add(consumer, 1_000, AUTHENTICATED, "key-of-a-test").await;
    assert_eq!(again, waiting);
    harness.services.set_down(true);
    let error = harness
        .add_funds(consumer, request(1_000, AUTHENTICATED, "key-of-a-test"))
        .await
        .unwrap_err();
    assert_eq!(error.code, ErrorCode::Unavailable);
    harness.services.set_down(false);
    harness
        .services
        .set_charge(&waiting.purchase_id, ChargeState::Succeeded);
    let paid = harness.add(consumer, 1_000, AUTHENTICATED, "key-of-a-test").await;
    assert_eq!(paid.state(), PurchaseState::PurchaseCompleted);
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    harness.close().await;
}

#[tokio::test]
async fn an_authentication_that_is_not_finished_expires_without_a_charge() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let waiting = harness.add(consumer, 1_000, AUTHENTICATED, "key-of-a-test").await;
    assert_eq!(recover_purchases(&harness.cx).await.unwrap(), 0);
    harness.expire_leases().await;
    assert_eq!(recover_purchases(&harness.cx).await.unwrap(), 1);
    // The consumer finishes too late: payments has refunded the charge.
    harness.receive(settled(&waiting)).await.unwrap();
    let error = harness
        .add_funds(consumer, request(1_000, AUTHENTICATED, "key-of-a-test"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "AUTHENTICATION_EXPIRED")
    );
    assert_eq!(
        (harness.services.paid(), harness.wallet(consumer).await),
        (0, (0, 0))
    );
    harness.close().await;
}

#[tokio::test]
async fn a_settlement_event_completes_a_purchase_if_the_client_never_returns() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let waiting = harness.add(consumer, 1_000, AUTHENTICATED, "key-of-a-test").await;
    harness
        .services
        .set_charge(&waiting.purchase_id, ChargeState::Succeeded);
    harness.advance_clock(SignedDuration::from_mins(2));
    for _ in 0..2 {
        harness.receive(settled(&waiting)).await.unwrap();
    }
    assert_eq!(harness.wallet(consumer).await, (1_000, 0));
    assert_eq!(harness.confirmations().await, [false]);
    harness.expire_leases().await;
    assert_eq!(recover_purchases(&harness.cx).await.unwrap(), 0);
    harness.close().await;
}

#[tokio::test]
async fn a_lost_response_of_payments_ends_without_a_charge() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let error = harness
        .add_funds(consumer, request(1_000, LOST, "key-of-a-test"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "PURCHASE_NOT_COMPLETED")
    );
    assert!(
        error.message.contains("If you were charged, we'll refund it"),
        "{error}"
    );
    assert_eq!(harness.services.charges()[0].state, ChargeState::Refunded);
    assert_eq!(harness.wallet(consumer).await, (0, 0));
    harness.close().await;
}

#[tokio::test]
async fn value_bought_by_bank_debit_is_pending_until_it_settles() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(100).await;
    let processing = harness.add(consumer, 2_500, BANK, "key-of-a-test").await;
    assert_eq!(processing.state(), PurchaseState::PurchaseProcessing);
    assert_eq!(
        harness.add(consumer, 2_500, BANK, "key-of-a-test").await,
        processing
    );
    assert_eq!(
        (harness.wallet(consumer).await, harness.pending(consumer).await),
        ((100, 0), 2_500)
    );
    let error = harness.hold(new_order(), consumer, 101).await.unwrap_err();
    assert_eq!(error.reason, "INSUFFICIENT_BALANCE");
    // Recovery does not close it, however long the bank takes.
    harness.expire_leases().await;
    assert_eq!(recover_purchases(&harness.cx).await.unwrap(), 0);

    harness.advance_clock(SignedDuration::from_hours(72));
    for _ in 0..2 {
        harness.receive(settled(&processing)).await.unwrap();
    }
    assert_eq!(
        (harness.wallet(consumer).await, harness.pending(consumer).await),
        ((2_600, 0), 0)
    );
    assert_eq!(harness.confirmations().await, [true]);
    let completed = harness.add(consumer, 2_500, BANK, "key-of-a-test").await;
    assert_eq!(completed.state(), PurchaseState::PurchaseCompleted);
    harness.close().await;
}

#[tokio::test]
async fn a_return_before_the_settlement_cancels_the_purchase() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(100).await;
    let processing = harness.add(consumer, 2_500, BANK, "key-of-a-test").await;
    harness.receive(returned(&processing)).await.unwrap();
    // The settlement arrives late.
    harness.receive(settled(&processing)).await.unwrap();
    assert_eq!(
        (harness.wallet(consumer).await, harness.pending(consumer).await),
        ((100, 0), 0)
    );
    assert_eq!(harness.pending_returns().await, [true]);
    let error = harness
        .add_funds(consumer, request(2_500, BANK, "key-of-a-test"))
        .await
        .unwrap_err();
    assert_eq!(error.reason, "PAYMENT_RETURNED");
    assert_eq!(harness.shortfalls().await, [0]);
    harness.close().await;
}

#[tokio::test]
async fn a_declined_debit_fails_the_purchase() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let processing = harness.add(consumer, 2_500, BANK, "key-of-a-test").await;
    harness.receive(declined(&processing)).await.unwrap();
    assert_eq!(
        (harness.wallet(consumer).await, harness.pending(consumer).await),
        ((0, 0), 0)
    );
    harness.close().await;
}

#[tokio::test]
async fn a_return_after_the_settlement_takes_back_what_was_not_spent() {
    for (spent, left, shortfall) in [(0, 0, 0), (1_000, 0, 1_000), (2_500, 0, 2_500)] {
        let harness = Harness::start().await;
        let consumer = harness.consumer_with(0).await;
        let purchase = harness.add(consumer, 2_500, BANK, "key-of-a-test").await;
        harness.receive(settled(&purchase)).await.unwrap();
        if spent > 0 {
            harness.hold(new_order(), consumer, spent).await.unwrap();
        }
        for _ in 0..2 {
            harness.receive(returned(&purchase)).await.unwrap();
        }
        assert_eq!(harness.wallet(consumer).await, (left, spent));
        assert_eq!(harness.shortfalls().await, [shortfall]);
        assert_eq!(harness.pending_returns().await, [false]);
        assert_eq!(harness.sum_of_postings(RECEIPTS).await, 0);
        assert_eq!(harness.sum_of_postings(RETURNED_DEBITS).await, -shortfall);
        harness.close().await;
    }
}

#[tokio::test]
async fn the_kind_of_a_saved_method_has_to_be_that_of_the_method() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let with_kind = |method: &str, kind: MethodKind| {
        let mut payment = source(method);
        payment.as_mut().unwrap().set_saved_method_kind(kind);
        AddFundsRequest {
            payment,
            ..request(1_000, "", "key-of-a-test")
        }
    };
    for (method, kind) in [(CARD, MethodKind::Bank), (BANK, MethodKind::Card)] {
        let error = harness
            .add_funds(consumer, with_kind(method, kind))
            .await
            .unwrap_err();
        assert_eq!(
            (error.code, &*error.reason, error.field.as_deref()),
            (
                ErrorCode::RuleViolation,
                "PAYMENT_METHOD_UNKNOWN",
                Some("payment")
            )
        );
    }
    assert!(harness.services.charges().is_empty());
    let completed = harness
        .add_funds(consumer, with_kind(CARD, MethodKind::Card))
        .await;
    // A gateway of the previous release sends no kind.
    let repeated = harness
        .add_funds(consumer, request(1_000, CARD, "key-of-a-test"))
        .await;
    assert_eq!(completed.unwrap(), repeated.unwrap());
    harness.close().await;
}

#[tokio::test]
async fn the_keys_of_automatic_reloads_are_reserved() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    let error = harness
        .add_funds(consumer, request(1_000, CARD, "auto-reload-0"))
        .await
        .unwrap_err();
    assert_eq!(
        (error.code, &*error.reason, error.field.as_deref()),
        (
            ErrorCode::InvalidRequest,
            "IDEMPOTENCY_KEY_INVALID",
            Some("idempotencyKey")
        )
    );
    harness.close().await;
}

#[tokio::test]
async fn the_options_come_from_the_settings() {
    let harness = Harness::start().await;
    let request = request_from_consumer(ConsumerId::new(at()), GetAddFundsOptionsRequest {});
    let options = into_result(harness.grpc().get_add_funds_options(request).await).unwrap();
    let presets: Vec<_> = options.presets.into_iter().map(Some).collect();
    assert_eq!(presets, [usd(1_000), usd(2_500), usd(5_000), usd(10_000)]);
    assert_eq!((options.minimum, options.maximum), (usd(1_000), usd(50_000)));
    assert!(!options.auto_reload.unwrap().enabled);
    harness.close().await;
}
