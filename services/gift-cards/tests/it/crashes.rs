//! The process is killed at each step of a purchase. Afterwards, the value is issued once and paid once, or neither.

use std::time::Duration;

use gift_cards::accounts::RECEIPTS;
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    AddFundsRequest, BuyGiftCardRequest, Purchase, PurchaseCompanyGiftCardRequest, PurchaseState, Recipient,
    RecipientKind,
};
use types::{CompanyId, ConsumerId};

use crate::{
    fake_services::{AUTHENTICATED, BANK, CARD},
    harness::{Harness, at, usd},
    program::Program,
    purchases::source,
};

const KEY: &str = "key-of-a-crash";

/// A kind of purchase, with the same key each time.
#[derive(Debug, Clone, Copy)]
enum Kind {
    TopUp,
    GiftCard,
    CompanyCard(CompanyId),
}

async fn buy(
    program: &Program,
    consumer_id: ConsumerId,
    kind: Kind,
    method: &str,
) -> Result<Purchase, ServiceError> {
    let mut client = program.client(consumer_id);
    let (payment, idempotency_key, amount) = (source(method), KEY.to_owned(), usd(2_500));
    let response = match kind {
        Kind::TopUp => {
            let request = AddFundsRequest {
                amount,
                payment,
                idempotency_key,
                ..AddFundsRequest::default()
            };
            client.add_funds(request).await
        }
        Kind::GiftCard => {
            let mut recipient = Recipient::default();
            recipient.set_kind(RecipientKind::Self_);
            let request = BuyGiftCardRequest {
                amount,
                payment,
                idempotency_key,
                recipient: Some(recipient),
                design: "birthday".to_owned(),
                ..BuyGiftCardRequest::default()
            };
            client.buy_gift_card(request).await
        }
        Kind::CompanyCard(company_id) => {
            let request = PurchaseCompanyGiftCardRequest {
                company_id: company_id.to_string(),
                amount,
                payment,
                idempotency_key,
                ..PurchaseCompanyGiftCardRequest::default()
            };
            client.purchase_company_gift_card(request).await
        }
    };
    testing::into_result(response)
}

/// Repeats the purchase as the app does: with the same key after a 503 or a broken connection.
async fn repeat(
    program: &Program,
    consumer_id: ConsumerId,
    kind: Kind,
    method: &str,
) -> Result<Purchase, ServiceError> {
    for _ in 0..60 {
        match buy(program, consumer_id, kind, method).await {
            Err(error) if error.code == ErrorCode::Unavailable => {
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
            other => return other,
        }
    }
    panic!("no response");
}

async fn issued(harness: &Harness, consumer_id: ConsumerId) -> i64 {
    let balances = harness.balances(consumer_id).await;
    let available = balances
        .iter()
        .map(|balance| balance.available.as_ref().unwrap().minor_units);
    available.sum()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn value_is_issued_once_and_paid_once_or_neither() {
    let company = Kind::CompanyCard(CompanyId::new(at()));
    for (fault_point, kind) in [
        ("purchase.begun", Kind::TopUp),
        ("purchase.charged", Kind::TopUp),
        ("purchase.charged", Kind::GiftCard),
        ("purchase.charged", company),
        ("purchase.completing", Kind::TopUp),
        ("purchase.completed", Kind::TopUp),
        ("purchase.completed", Kind::GiftCard),
        ("purchase.completed", company),
    ] {
        let harness = Harness::start().await;
        let consumer = ConsumerId::new(at());
        let mut program = Program::new(&harness).await;
        program.serve(Some(fault_point)).await;
        assert!(buy(&program, consumer, kind, CARD).await.is_err());
        program.wait_for_exit().await;
        program.serve(None).await;
        let outcome = repeat(&program, consumer, kind, CARD).await;
        program.kill();

        let (paid, issued) = (harness.services.paid(), issued(&harness, consumer).await);
        assert_eq!(paid, issued, "{fault_point} {kind:?}");
        assert_eq!(harness.sum_of_postings(RECEIPTS).await, -paid);
        match outcome {
            Ok(purchase) => {
                assert_eq!(
                    (purchase.state(), paid),
                    (PurchaseState::PurchaseCompleted, 2_500)
                );
                assert_eq!(fault_point, "purchase.completed");
            }
            Err(error) => {
                assert_eq!(
                    (&*error.reason, paid),
                    ("PURCHASE_NOT_COMPLETED", 0),
                    "{fault_point}"
                );
            }
        }
        harness.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_purchase_that_waits_survives_a_crash() {
    for (fault_point, method, state) in [
        (
            "purchase.waiting",
            AUTHENTICATED,
            PurchaseState::PurchaseRequiresAction,
        ),
        ("purchase.processing", BANK, PurchaseState::PurchaseProcessing),
    ] {
        let harness = Harness::start().await;
        let consumer = ConsumerId::new(at());
        let mut program = Program::new(&harness).await;
        program.serve(Some(fault_point)).await;
        assert!(buy(&program, consumer, Kind::TopUp, method).await.is_err());
        program.wait_for_exit().await;
        program.serve(None).await;
        let purchase = repeat(&program, consumer, Kind::TopUp, method).await.unwrap();
        assert_eq!(purchase.state(), state, "{fault_point}");
        program.kill();
        assert_eq!(issued(&harness, consumer).await, 0);
        harness.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recovery_that_is_killed_is_repeated() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let mut program = Program::new(&harness).await;
    program.serve(Some("purchase.charged")).await;
    assert!(buy(&program, consumer, Kind::TopUp, CARD).await.is_err());
    program.wait_for_exit().await;
    program.serve(Some("purchase.closed")).await;
    program.wait_for_exit().await;
    assert_eq!(harness.services.paid(), 0);
    program.serve(None).await;
    let error = repeat(&program, consumer, Kind::TopUp, CARD).await.unwrap_err();
    assert_eq!(error.reason, "PURCHASE_NOT_COMPLETED");
    program.kill();
    assert_eq!(
        (harness.services.paid(), issued(&harness, consumer).await),
        (0, 0)
    );
    harness.close().await;
}
