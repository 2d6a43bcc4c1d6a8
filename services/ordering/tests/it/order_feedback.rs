//! Feedback about orders: once, by their consumer, and only if the store has accepted the order.

use kit::{ErrorCode, ServiceError};
use ordering::{
    domain::{feedback::FeedbackDraft, order::Order, status::Status},
    ops::send_order_feedback::{SendOrderFeedbackError, send_order_feedback},
};
use prost::Message;
use proto::{
    accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event},
    ordering::v1::{OrderRated, order_event::Change},
};
use types::{ConsumerId, OrderId};

use crate::harness::Harness;

fn draft() -> FeedbackDraft {
    FeedbackDraft {
        rating: 4,
        order_ready: 1,
        order_correct: -1,
        message: " Great\n\u{202e}latte ".to_owned(),
    }
}

type Row = (i16, i16, i16, String);

impl Harness {
    async fn rate(&self, order: &Order, draft: FeedbackDraft) -> Result<(), SendOrderFeedbackError> {
        send_order_feedback(&self.cx, order.consumer_id, order.id, draft).await
    }

    async fn order_feedback(&self) -> Vec<Row> {
        sqlx::query_as("SELECT rating, order_ready, order_correct, message FROM order_feedback")
            .fetch_all(&self.cx.pool)
            .await
            .unwrap()
    }
}

fn error_of(result: Result<(), SendOrderFeedbackError>) -> (ErrorCode, String) {
    let error = ServiceError::from(result.unwrap_err());
    (error.code, error.reason.into_owned())
}

#[tokio::test]
async fn feedback_is_stored_and_published_without_its_message() {
    let harness = Harness::new().await;
    let order = harness.insert_order(Status::Completed).await.order;
    harness.rate(&order, draft()).await.unwrap();
    assert_eq!(
        harness.order_feedback().await,
        [(4, 1, -1, "Great latte".to_owned())]
    );
    let stored = harness.find(order.id).await.order;
    assert_eq!((stored.is_rated, stored.version), (true, 2));
    let [event] = harness.order_events().await.try_into().unwrap();
    assert!(!String::from_utf8_lossy(&event.encode_to_vec()).contains("latte"));
    assert_eq!(
        event.change,
        Some(Change::Rated(OrderRated {
            rating: 4,
            order_ready: 1,
            order_correct: -1
        }))
    );
    assert_eq!(event.order.unwrap().version, 2);
    harness.database.drop().await;
}

#[tokio::test]
async fn concurrent_requests_store_feedback_once() {
    let harness = Harness::new().await;
    let order = harness.insert_order(Status::Completed).await.order;
    let results = futures::future::join_all((0..10).map(|_| harness.rate(&order, draft()))).await;
    let (stored, rejected): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
    assert_eq!((stored.len(), rejected.len()), (1, 9));
    for result in rejected {
        let expected = (ErrorCode::Conflict, "FEEDBACK_ALREADY_SENT".to_owned());
        assert_eq!(error_of(result), expected);
    }
    assert_eq!(harness.order_events().await.len(), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_consumer_of_the_order_can_send_feedback() {
    let harness = Harness::new().await;
    let order = harness.insert_order(Status::Completed).await.order;
    for (consumer_id, order_id) in [
        (ConsumerId::new(harness.now()), order.id),
        (order.consumer_id, OrderId::new(harness.now())),
    ] {
        let result = send_order_feedback(&harness.cx, consumer_id, order_id, draft()).await;
        assert_eq!(
            error_of(result),
            (ErrorCode::NotFound, "ORDER_UNKNOWN".to_owned())
        );
    }
    assert!(harness.order_feedback().await.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn only_orders_that_the_store_has_accepted_can_be_rated() {
    let harness = Harness::new().await;
    for &status in Status::ALL {
        let order = harness.insert_order(status).await.order;
        let result = harness.rate(&order, draft()).await;
        if matches!(
            status,
            Status::Accepted | Status::Preparing | Status::Ready | Status::Completed
        ) {
            result.unwrap();
        } else {
            let expected = (ErrorCode::Conflict, "ORDER_NOT_COMPLETED".to_owned());
            assert_eq!(error_of(result), expected, "{status}");
        }
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_rating_has_1_to_5_stars_and_answers_are_yes_no_or_unanswered() {
    let harness = Harness::new().await;
    let order = harness.insert_order(Status::Completed).await.order;
    let with = |change: fn(&mut FeedbackDraft)| {
        let mut changed = draft();
        change(&mut changed);
        changed
    };
    for (changed, reason) in [
        (with(|draft| draft.rating = 0), "RATING_REQUIRED"),
        (with(|draft| draft.rating = 6), "RATING_REQUIRED"),
        (with(|draft| draft.rating = -1), "RATING_REQUIRED"),
        (with(|draft| draft.rating = 257), "RATING_REQUIRED"),
        (with(|draft| draft.order_ready = 2), "MALFORMED"),
        (with(|draft| draft.order_correct = -2), "MALFORMED"),
        (
            with(|draft| draft.message = "é".repeat(1001)),
            "FEEDBACK_TOO_LONG",
        ),
    ] {
        assert_eq!(error_of(harness.rate(&order, changed).await).1, reason);
    }
    assert!(harness.order_feedback().await.is_empty());
    let shortest = FeedbackDraft {
        rating: 1,
        order_ready: 0,
        order_correct: 0,
        message: String::new(),
    };
    harness.rate(&order, shortest).await.unwrap();
    assert_eq!(harness.order_feedback().await, [(1, 0, 0, String::new())]);
    harness.database.drop().await;
}

#[tokio::test]
async fn removing_a_consumer_deletes_their_feedback_about_orders() {
    let harness = Harness::new().await;
    let (removed, other) = (
        harness.insert_order(Status::Completed).await.order,
        harness.insert_order(Status::Completed).await.order,
    );
    for order in [&removed, &other] {
        harness.rate(order, draft()).await.unwrap();
    }
    let event = ConsumerEvent {
        consumer_id: removed.consumer_id.to_string(),
        change: Some(consumer_event::Change::Removed(ConsumerRemoved {})),
        ..ConsumerEvent::default()
    };
    harness.consume(&event).await;
    assert_eq!(harness.order_feedback().await.len(), 1);
    assert!(!harness.find(removed.id).await.order.is_rated);
    harness.database.drop().await;
}
