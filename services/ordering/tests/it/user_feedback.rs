use std::time::Duration;

use kit::{ErrorCode, ServiceError};
use ordering::ops::send_user_feedback::{SendUserFeedbackError, send_user_feedback};
use proto::accounts::v1::{ConsumerEvent, ConsumerRemoved, consumer_event::Change};
use types::ConsumerId;

use crate::harness::Harness;

const DAY: Duration = Duration::from_hours(24);

impl Harness {
    async fn send_feedback(&self, consumer: ConsumerId, message: &str) -> Result<(), SendUserFeedbackError> {
        send_user_feedback(&self.cx, consumer, message).await
    }

    async fn feedback_of(&self, consumer: ConsumerId) -> Vec<String> {
        sqlx::query_scalar("SELECT message FROM user_feedback WHERE consumer_id = $1 ORDER BY created_at")
            .bind(consumer.uuid())
            .fetch_all(&self.cx.pool)
            .await
            .unwrap()
    }
}

fn reason_and_field(error: SendUserFeedbackError) -> (String, Option<String>) {
    let error = ServiceError::from(error);
    (
        error.reason.into_owned(),
        error.field.map(std::borrow::Cow::into_owned),
    )
}

#[tokio::test]
async fn feedback_is_sanitized_and_limited_to_1000_characters() {
    let harness = Harness::new().await;
    let consumer = ConsumerId::new(harness.now());
    harness
        .send_feedback(consumer, " Love\n\u{202e}it \u{0} ")
        .await
        .unwrap();
    assert_eq!(harness.feedback_of(consumer).await, ["Love it"]);
    let at_limit = format!(" {} ", "é".repeat(1000));
    harness.send_feedback(consumer, &at_limit).await.unwrap();
    for (message, reason) in [
        ("", "FEEDBACK_EMPTY"),
        (" \n\u{202e}", "FEEDBACK_EMPTY"),
        ("é".repeat(1001).as_str(), "FEEDBACK_TOO_LONG"),
    ] {
        let error = harness.send_feedback(consumer, message).await.unwrap_err();
        assert_eq!(
            reason_and_field(error),
            (reason.to_owned(), Some("message".to_owned()))
        );
    }
    assert_eq!(harness.feedback_of(consumer).await.len(), 2);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_consumer_can_send_20_messages_in_24_hours() {
    let harness = Harness::new().await;
    let (consumer, other) = (ConsumerId::new(harness.now()), ConsumerId::new(harness.now()));
    harness.send_feedback(consumer, "first").await.unwrap();
    harness.advance_clock(Duration::from_hours(1));
    // Concurrent requests do not exceed the limit.
    let sent = futures::future::join_all((0..25).map(|_| harness.send_feedback(consumer, "more"))).await;
    assert_eq!(sent.iter().filter(|result| result.is_ok()).count(), 19);
    let error = ServiceError::from(harness.send_feedback(consumer, "again").await.unwrap_err());
    assert_eq!(
        (error.code, &*error.reason, error.retry_after),
        (
            ErrorCode::RateLimited,
            "TOO_MANY_FEEDBACK",
            Some(Duration::from_hours(23))
        )
    );
    harness.send_feedback(other, "hello").await.unwrap();
    harness.advance_clock(Duration::from_hours(23));
    harness
        .send_feedback(consumer, "the first is a day old")
        .await
        .unwrap();
    harness
        .send_feedback(consumer, "the second is not")
        .await
        .unwrap_err();
    harness.advance_clock(DAY);
    harness.send_feedback(consumer, "another day").await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn removing_a_consumer_deletes_their_feedback_only() {
    let harness = Harness::new().await;
    let (removed, other) = (ConsumerId::new(harness.now()), ConsumerId::new(harness.now()));
    for consumer in [removed, other] {
        harness.send_feedback(consumer, "hello").await.unwrap();
    }
    let event = ConsumerEvent {
        consumer_id: removed.to_string(),
        change: Some(Change::Removed(ConsumerRemoved {})),
        ..ConsumerEvent::default()
    };
    harness.consume(&event).await;
    assert!(harness.feedback_of(removed).await.is_empty());
    assert_eq!(harness.feedback_of(other).await, ["hello"]);
    harness.database.drop().await;
}
