//! Gift cards: bought, delivered, redeemed, linked, canceled.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use futures::future::join_all;
use gift_cards::{
    accounts::PROMOTIONS,
    ops::{
        deliver_gift_cards::deliver_gift_cards,
        import_deals::import_deals,
        recover_purchases::recover_purchases,
        seed::{DEMO_CARD_NUMBER, DEMO_CARD_PIN, seed},
    },
    sender::{GiftMessage, GiftMessageSender, SendError},
};
use jiff::SignedDuration;
use kit::{ErrorCode, ServiceError};
use proto::giftcards::v1::{
    Balance, BalanceKind, BuyGiftCardRequest, LinkGiftCardRequest, ListGiftCardDealsRequest, Purchase,
    PurchaseState, Recipient, RecipientKind, RedeemGiftCardRequest, gift_cards_server::GiftCards as _,
    purchase_event::Change,
};
use testing::into_result;
use tokio::sync::Barrier;
use types::ConsumerId;

use crate::{
    charge_events::{returned, settled},
    fake_services::{BANK, CARD, DECLINED},
    harness::{Harness, at, consumer_removed, new_order, request_from_consumer, usd},
    purchases::source,
};

#[expect(clippy::unnecessary_wraps, reason = "fields of messages are optional")]
pub fn recipient(kind: RecipientKind, value: &str) -> Option<Recipient> {
    let mut recipient = Recipient {
        value: value.to_owned(),
        name: "Sam".to_owned(),
        ..Recipient::default()
    };
    recipient.set_kind(kind);
    Some(recipient)
}

pub fn for_someone(key: &str) -> BuyGiftCardRequest {
    BuyGiftCardRequest {
        amount: usd(2_500),
        recipient: recipient(RecipientKind::Email, "sam@example.com"),
        message: "Happy birthday!".to_owned(),
        design: "birthday".to_owned(),
        payment: source(CARD),
        idempotency_key: key.to_owned(),
        ..BuyGiftCardRequest::default()
    }
}

/// Keeps the messages, or fails.
#[derive(Debug, Default)]
pub struct FakeSender {
    messages: Mutex<Vec<(String, GiftMessage)>>,
    pub is_down: Mutex<bool>,
}

#[async_trait]
impl GiftMessageSender for FakeSender {
    async fn send(&self, id: &str, message: &GiftMessage) -> Result<(), SendError> {
        if *self.is_down.lock().unwrap() {
            return Err(SendError(anyhow::anyhow!("the provider is down")));
        }
        self.messages
            .lock()
            .unwrap()
            .push((id.to_owned(), message.clone()));
        Ok(())
    }
}

/// Sends a message only while another one is being sent.
#[derive(Debug)]
struct PairSender(Barrier);

#[async_trait]
impl GiftMessageSender for PairSender {
    async fn send(&self, _id: &str, _message: &GiftMessage) -> Result<(), SendError> {
        self.0.wait().await;
        Ok(())
    }
}

impl FakeSender {
    pub fn codes(&self) -> Vec<String> {
        let messages = self.messages.lock().unwrap();
        messages
            .iter()
            .map(|(_, message)| message.code.grouped())
            .collect()
    }
}

impl Harness {
    pub async fn buy(
        &self,
        consumer_id: ConsumerId,
        request: BuyGiftCardRequest,
    ) -> Result<Purchase, ServiceError> {
        let request = request_from_consumer(consumer_id, request);
        into_result(self.grpc().buy_gift_card(request).await)
    }

    async fn redeem(&self, consumer_id: ConsumerId, code: &str) -> Result<Balance, ServiceError> {
        let code = code.to_owned();
        let request = request_from_consumer(consumer_id, RedeemGiftCardRequest { code });
        into_result(self.grpc().redeem_gift_card(request).await)
    }

    async fn link(&self, consumer_id: ConsumerId, number: &str, pin: &str) -> Result<Balance, ServiceError> {
        let request = LinkGiftCardRequest {
            number: number.to_owned(),
            pin: pin.to_owned(),
        };
        into_result(
            self.grpc()
                .link_gift_card(request_from_consumer(consumer_id, request))
                .await,
        )
    }

    /// Sends the messages that are due, and returns the sender.
    pub async fn deliver(&self, sender: &Arc<FakeSender>) -> usize {
        let sender: Arc<dyn GiftMessageSender> = Arc::clone(sender) as _;
        deliver_gift_cards(&self.cx, &sender).await.unwrap()
    }
}

#[tokio::test]
async fn a_card_for_oneself_is_added_to_the_wallet() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let request = BuyGiftCardRequest {
        recipient: recipient(RecipientKind::Self_, ""),
        ..for_someone("key-of-a-test")
    };
    let purchase = harness.buy(consumer, request.clone()).await.unwrap();
    assert_eq!(purchase.state(), PurchaseState::PurchaseCompleted);
    let balance = purchase.balance.clone().unwrap();
    assert_eq!(
        (balance.kind(), balance.available.clone(), &*balance.design),
        (BalanceKind::GiftCard, usd(2_500), "birthday")
    );
    assert_eq!(balance.gift_card_id, purchase.gift_card_id);
    assert_eq!(harness.buy(consumer, request).await.unwrap(), purchase);
    // It pays for orders like JoePass.
    let order = crate::harness::hold_request(new_order(), consumer, 1_000);
    let order = proto::giftcards::v1::HoldValueRequest {
        balance_id: balance.balance_id,
        ..order
    };
    assert_eq!(harness.hold_value(order).await.unwrap().available, usd(1_500));
    assert_eq!(harness.deliver(&Arc::default()).await, 0);
    let lines = harness.transactions(consumer, 10, 0).await;
    let summary: Vec<_> = lines
        .iter()
        .map(|line| (&*line.kind, &*line.balance_name))
        .collect();
    assert_eq!(summary, [("order_held", "Gift card"), ("gift_card", "Gift card")]);
    harness.close().await;
}

#[tokio::test]
async fn a_card_for_someone_is_delivered_once_and_redeemed_once() {
    let harness = Harness::start().await;
    let (buyer, sam, other) = (
        ConsumerId::new(at()),
        ConsumerId::new(at()),
        ConsumerId::new(at()),
    );
    let purchase = harness.buy(buyer, for_someone("key-of-a-test")).await.unwrap();
    assert_eq!(
        (purchase.state(), purchase.balance),
        (PurchaseState::PurchaseCompleted, None)
    );
    let sender = Arc::new(FakeSender::default());
    *sender.is_down.lock().unwrap() = true;
    assert_eq!(harness.deliver(&sender).await, 1);
    assert_eq!(harness.deliver(&sender).await, 0, "tried again later");
    *sender.is_down.lock().unwrap() = false;
    harness.pass_time(SignedDuration::from_mins(5)).await;
    assert_eq!(harness.deliver(&sender).await, 1);
    harness.pass_time(SignedDuration::from_mins(5)).await;
    assert_eq!(harness.deliver(&sender).await, 0);
    let (id, message) = sender.messages.lock().unwrap()[0].clone();
    assert_eq!(
        (
            id,
            message.amount.minor_units(),
            &*message.recipient.address,
            &*message.text
        ),
        (
            purchase.gift_card_id.clone(),
            2_500,
            "sam@example.com",
            "Happy birthday!"
        )
    );

    let code = sender.codes()[0].clone();
    let typed = code.to_lowercase().replace('-', " ");
    let card = harness.redeem(sam, &typed).await.unwrap();
    assert_eq!(
        (card.kind(), card.available.clone()),
        (BalanceKind::GiftCard, usd(2_500))
    );
    assert!(code.ends_with(&card.code_suffix));
    assert_eq!(
        harness.redeem(sam, &code).await.unwrap(),
        card,
        "repeated by its owner"
    );
    let rejections = [
        harness.redeem(other, &code).await.unwrap_err(),
        harness.redeem(buyer, &code).await.unwrap_err(),
        harness.redeem(other, "0000-0000-0000-0000").await.unwrap_err(),
        harness.redeem(other, "not a code").await.unwrap_err(),
        harness.link(other, &code, "").await.unwrap_err(),
    ];
    for error in &rejections {
        assert_eq!(error, &rejections[0], "the answers are the same");
    }
    assert_eq!(
        (rejections[0].code, &*rejections[0].reason),
        (ErrorCode::RuleViolation, "CODE_NOT_VALID")
    );
    harness.close().await;
}

#[tokio::test]
async fn neither_code_nor_recipient_is_stored_after_the_delivery() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    harness.buy(buyer, for_someone("key-of-a-test")).await.unwrap();
    let sender = Arc::new(FakeSender::default());
    harness.deliver(&sender).await;
    let code = sender.codes()[0].clone();
    let digits = code.replace('-', "");
    assert_not_stored(&harness, &[&code, &digits, "sam@example.com", "Happy birthday"]).await;
    harness.close().await;
}

pub async fn assert_not_stored(harness: &Harness, texts: &[&str]) {
    for table in ["purchases", "gift_cards", "gift_card_deliveries", "outbox"] {
        let rows: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(format!("SELECT {table}::text FROM {table}")))
                .fetch_all(&harness.cx.pool)
                .await
                .unwrap();
        for row in rows {
            for text in texts {
                assert!(!row.contains(text), "{table}: {row}");
            }
        }
    }
}

#[tokio::test]
async fn no_recipient_is_stored_after_a_purchase_that_was_not_completed() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    let paid_with = |payment, key: &str| BuyGiftCardRequest {
        payment: source(payment),
        ..for_someone(key)
    };
    let personal = ["sam@example.com", "Sam", "Happy birthday"];
    harness
        .buy(buyer, paid_with(DECLINED, "a-declined-card"))
        .await
        .unwrap_err();
    assert_not_stored(&harness, &personal).await;
    for (is_settled, key) in [(false, "a-returned-debit"), (true, "a-debit-returned-later")] {
        let purchase = harness.buy(buyer, paid_with(BANK, key)).await.unwrap();
        if is_settled {
            harness.receive(settled(&purchase)).await.unwrap();
        }
        harness.receive(returned(&purchase)).await.unwrap();
        assert_not_stored(&harness, &personal).await;
    }
    // The account is deleted while the bank processes the payment.
    let processing = harness
        .buy(buyer, paid_with(BANK, "an-open-debit"))
        .await
        .unwrap();
    harness.receive(consumer_removed(buyer)).await.unwrap();
    harness.receive(returned(&processing)).await.unwrap();
    recover_purchases(&harness.cx).await.unwrap();
    assert_not_stored(&harness, &personal).await;
    harness.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_consumers_with_one_code_one_gets_the_card() {
    let harness = Arc::new(Harness::start().await);
    harness
        .buy(ConsumerId::new(at()), for_someone("key-of-a-test"))
        .await
        .unwrap();
    let sender = Arc::new(FakeSender::default());
    harness.deliver(&sender).await;
    let code = sender.codes()[0].clone();
    let attempts = (0..10).map(|_| {
        let (harness, code) = (Arc::clone(&harness), code.clone());
        tokio::spawn(async move { harness.redeem(ConsumerId::new(at()), &code).await })
    });
    let outcomes: Vec<_> = join_all(attempts).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    Arc::into_inner(harness).unwrap().close().await;
}

#[tokio::test]
async fn a_slow_message_delays_no_other() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    for key in ["key-of-a-test", "another-key"] {
        harness.buy(buyer, for_someone(key)).await.unwrap();
    }
    let sender: Arc<dyn GiftMessageSender> = Arc::new(PairSender(Barrier::new(2)));
    assert_eq!(deliver_gift_cards(&harness.cx, &sender).await.unwrap(), 2);
    let unsent: i64 = sqlx::query_scalar("SELECT count(*) FROM gift_card_deliveries")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(unsent, 0);
    harness.close().await;
}

#[tokio::test]
async fn control_characters_in_names_and_messages_are_removed() {
    let harness = Harness::start().await;
    let mut request = for_someone("key-of-a-test");
    request.recipient.as_mut().unwrap().name = "\u{202e}Sam\u{7}".to_owned();
    request.message = "Happy\r\nbirthday\u{2066}!\u{1b}\n".to_owned();
    harness.buy(ConsumerId::new(at()), request).await.unwrap();
    let sender = Arc::new(FakeSender::default());
    assert_eq!(harness.deliver(&sender).await, 1);
    let (_, message) = sender.messages.lock().unwrap()[0].clone();
    assert_eq!(
        (&*message.recipient.name, &*message.text),
        ("Sam", "Happy\nbirthday!")
    );
    harness.close().await;
}

#[tokio::test]
async fn a_card_for_a_date_is_delivered_on_that_date() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    // The clock of the tests starts on 2026-09-21.
    let request = BuyGiftCardRequest {
        deliver_on: "2026-09-24".to_owned(),
        ..for_someone("key-of-a-test")
    };
    harness.buy(buyer, request).await.unwrap();
    let sender = Arc::new(FakeSender::default());
    assert_eq!(harness.deliver(&sender).await, 0);
    harness.pass_time(SignedDuration::from_hours(2 * 24)).await;
    assert_eq!(harness.deliver(&sender).await, 0);
    harness.pass_time(SignedDuration::from_hours(25)).await;
    assert_eq!(harness.deliver(&sender).await, 1);
    harness.close().await;
}

#[tokio::test]
async fn invalid_gift_cards_name_the_field() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    let with = |change: fn(&mut BuyGiftCardRequest)| {
        let mut request = for_someone("key-of-a-test");
        change(&mut request);
        request
    };
    for (request, reason, field) in [
        (with(|it| it.recipient = None), "MALFORMED", "recipient"),
        (
            with(|it| it.recipient = recipient(RecipientKind::Phone, "call me")),
            "RECIPIENT_INVALID",
            "recipient.value",
        ),
        (
            with(|it| it.recipient = recipient(RecipientKind::Phone, "(000) 000-0000")),
            "RECIPIENT_INVALID",
            "recipient.value",
        ),
        (
            with(|it| it.recipient = recipient(RecipientKind::Email, "sam@exa\u{200b}mple.com")),
            "RECIPIENT_INVALID",
            "recipient.value",
        ),
        (
            with(|it| it.deliver_on = "tomorrow".to_owned()),
            "MALFORMED",
            "deliverOn",
        ),
        (
            with(|it| it.deliver_on = "2026-09-01".to_owned()),
            "DELIVERY_DATE_INVALID",
            "deliverOn",
        ),
        (
            with(|it| it.message = "x".repeat(301)),
            "MESSAGE_TOO_LONG",
            "message",
        ),
        (
            with(|it| it.design = "none".to_owned()),
            "DESIGN_UNKNOWN",
            "design",
        ),
        (with(|it| it.amount = usd(500)), "AMOUNT_TOO_SMALL", "amount"),
        (
            with(|it| it.deal_id = "dea_1".to_owned()),
            "ID_MALFORMED",
            "dealId",
        ),
    ] {
        let error = harness.buy(buyer, request).await.unwrap_err();
        assert_eq!((&*error.reason, error.field.as_deref()), (reason, Some(field)));
    }
    assert!(harness.services.charges().is_empty());
    harness.close().await;
}

#[tokio::test]
async fn a_deal_adds_a_bonus_as_often_as_it_allows() {
    let harness = Harness::start().await;
    seed(&harness.cx).await.unwrap();
    let consumer = ConsumerId::new(at());
    let deals = async || {
        let request = request_from_consumer(consumer, ListGiftCardDealsRequest::default());
        into_result(harness.grpc().list_gift_card_deals(request).await)
            .unwrap()
            .deals
    };
    let deal = deals().await[0].clone();
    assert_eq!(
        (deal.price, deal.value, deal.uses_left, &*deal.company_id),
        (usd(5_000), usd(5_500), 2, "")
    );
    let request = |key: &str| BuyGiftCardRequest {
        deal_id: deal.deal_id.clone(),
        recipient: recipient(RecipientKind::Self_, ""),
        ..for_someone(key)
    };
    for key in ["key-of-a-test", "another-key"] {
        let purchase = harness.buy(consumer, request(key)).await.unwrap();
        assert_eq!((purchase.amount, purchase.value), (usd(5_000), usd(5_500)));
    }
    assert!(deals().await.is_empty());
    let error = harness.buy(consumer, request("a-third-key")).await.unwrap_err();
    assert_eq!(
        (error.code, &*error.reason),
        (ErrorCode::Conflict, "DEAL_NOT_AVAILABLE")
    );
    assert_eq!(harness.sum_of_postings(PROMOTIONS).await, -1_000);
    assert_eq!(harness.services.paid(), 10_000);
    harness.close().await;
}

#[tokio::test]
async fn an_imported_deal_is_listed_changed_and_ended() {
    let harness = Harness::start().await;
    let consumer = ConsumerId::new(at());
    let file = |title: &str, price: i64, ends_at: Option<&str>| {
        let deal = serde_json::json!({
            "key": "spring", "title": title, "description": "", "priceCents": price, "valueCents": 2_500, "maxPerConsumer": 1,
            "endsAt": ends_at,
        });
        serde_json::json!([deal]).to_string()
    };
    let listed = async || {
        let request = request_from_consumer(consumer, ListGiftCardDealsRequest::default());
        let deals = into_result(harness.grpc().list_gift_card_deals(request).await)
            .unwrap()
            .deals;
        deals
            .into_iter()
            .map(|deal| (deal.deal_id, deal.title))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        import_deals(&harness.cx, &file("Spring", 2_000, None))
            .await
            .unwrap(),
        1
    );
    let first = listed().await;
    import_deals(&harness.cx, &file("In spring", 2_000, None))
        .await
        .unwrap();
    assert_eq!(listed().await, [(first[0].0.clone(), "In spring".to_owned())]);
    let error = import_deals(&harness.cx, &file("Cheaper", 1_900, None))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("use a new key"), "{error}");
    assert_eq!(listed().await[0].1, "In spring");
    let ended = file("Spring", 2_000, Some("2020-01-01T00:00:00Z"));
    import_deals(&harness.cx, &ended).await.unwrap();
    assert!(listed().await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn a_card_bought_by_bank_debit_is_issued_when_the_debit_settles() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    let request = BuyGiftCardRequest {
        payment: source(BANK),
        ..for_someone("key-of-a-test")
    };
    let purchase = harness.buy(buyer, request).await.unwrap();
    assert_eq!(purchase.state(), PurchaseState::PurchaseProcessing);
    let sender = Arc::new(FakeSender::default());
    assert_eq!(harness.deliver(&sender).await, 0);
    harness.receive(settled(&purchase)).await.unwrap();
    assert!(
        harness.confirmations().await.is_empty(),
        "the buyer is still in the app"
    );
    assert_eq!(harness.deliver(&sender).await, 1);
    harness.close().await;
}

#[tokio::test]
async fn a_returned_debit_cancels_a_card_that_was_not_redeemed() {
    let harness = Harness::start().await;
    let (buyer, sam) = (ConsumerId::new(at()), ConsumerId::new(at()));
    let request = BuyGiftCardRequest {
        payment: source(BANK),
        ..for_someone("key-of-a-test")
    };
    let sender = Arc::new(FakeSender::default());
    let canceled = harness.buy(buyer, request.clone()).await.unwrap();
    harness.receive(settled(&canceled)).await.unwrap();
    harness.deliver(&sender).await;
    harness.receive(returned(&canceled)).await.unwrap();
    let code = sender.codes()[0].clone();
    assert_eq!(
        harness.redeem(sam, &code).await.unwrap_err().reason,
        "CODE_NOT_VALID"
    );

    // The recipient who redeemed a card keeps its value; the buyer owes it.
    let redeemed = BuyGiftCardRequest {
        idempotency_key: "another-key".to_owned(),
        ..request
    };
    let redeemed = harness.buy(buyer, redeemed).await.unwrap();
    harness.receive(settled(&redeemed)).await.unwrap();
    harness.deliver(&sender).await;
    let card = harness.redeem(sam, &sender.codes()[1]).await.unwrap();
    harness.receive(returned(&redeemed)).await.unwrap();
    let balances = harness.balances(sam).await;
    let kept = balances
        .iter()
        .find(|balance| balance.balance_id == card.balance_id);
    assert_eq!(kept.unwrap().available, usd(2_500));
    assert_eq!(harness.shortfalls().await, [0, 2_500]);
    harness.close().await;
}

#[tokio::test]
async fn a_physical_card_needs_its_number_and_pin() {
    let harness = Harness::start().await;
    seed(&harness.cx).await.unwrap();
    seed(&harness.cx).await.unwrap();
    let (consumer, other) = (ConsumerId::new(at()), ConsumerId::new(at()));
    let rejections = [
        harness
            .link(consumer, DEMO_CARD_NUMBER, "0000")
            .await
            .unwrap_err(),
        harness.link(consumer, DEMO_CARD_NUMBER, "").await.unwrap_err(),
        harness
            .link(consumer, "0000-0000-0000-0000", DEMO_CARD_PIN)
            .await
            .unwrap_err(),
        harness.redeem(consumer, DEMO_CARD_NUMBER).await.unwrap_err(),
    ];
    for error in &rejections {
        assert_eq!(error.reason, "CODE_NOT_VALID");
        assert_eq!(error, &rejections[0]);
    }
    let card = harness
        .link(consumer, DEMO_CARD_NUMBER, DEMO_CARD_PIN)
        .await
        .unwrap();
    assert_eq!(
        (card.kind(), card.available.clone()),
        (BalanceKind::PhysicalGiftCard, usd(2_500))
    );
    assert!(
        harness
            .link(other, DEMO_CARD_NUMBER, DEMO_CARD_PIN)
            .await
            .is_err()
    );
    harness.close().await;
}

#[tokio::test]
async fn the_cards_of_a_removed_consumer_cannot_be_used() {
    let harness = Harness::start().await;
    seed(&harness.cx).await.unwrap();
    let consumer = ConsumerId::new(at());
    harness
        .link(consumer, DEMO_CARD_NUMBER, DEMO_CARD_PIN)
        .await
        .unwrap();
    harness.receive(consumer_removed(consumer)).await.unwrap();
    let other = ConsumerId::new(at());
    assert!(
        harness
            .link(other, DEMO_CARD_NUMBER, DEMO_CARD_PIN)
            .await
            .is_err()
    );
    assert!(harness.balances(consumer).await.is_empty());
    harness.close().await;
}

#[tokio::test]
async fn issue_and_delivery_are_published() {
    let harness = Harness::start().await;
    let buyer = ConsumerId::new(at());
    let purchase = harness.buy(buyer, for_someone("key-of-a-test")).await.unwrap();
    harness.deliver(&Arc::default()).await;
    let events = harness.purchase_events().await;
    let changes: Vec<_> = events.iter().map(|event| event.change.clone().unwrap()).collect();
    assert!(
        matches!(
            &changes[..],
            [Change::GiftCardIssued(_), Change::GiftCardDelivered(_)]
        ),
        "{changes:?}"
    );
    let snapshot = events[1].purchase.clone().unwrap();
    assert_eq!(
        (snapshot.purchase_id, snapshot.gift_card_id, snapshot.consumer_id),
        (purchase.purchase_id, purchase.gift_card_id, buyer.to_string())
    );
    harness.close().await;
}
