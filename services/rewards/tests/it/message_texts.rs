//! Texts of messages from catalogs.

use proto::{ordering::v1::OrderSnapshot, rewards::v1::InboxMessage};
use rewards::ops::import_catalog::import_catalog;
use types::ConsumerId;

use crate::{
    catalogs::errors,
    harness::{
        Harness, completed, consumer_registered, delayed, new_consumer, new_order, order_snapshot,
        payment_failed, ready,
    },
};

const CATALOG: &str = r#"
catalog = "order-ahead"

[[message]]
kind = "welcome"
title = "Hi there"
body = "Enjoy."

[[message]]
kind = "order_ready"
title = "Come on in"
body = "Your coffee is on the bar[ of {store}]."

[[message]]
kind = "payment_failed"
title = "{amount} didn't go through"
body = "Please pay[ at {store}]."

[[message]]
kind = "not_charged"
body = "No charge."
"#;

/// Registers a consumer. Returns the title and body of the first message.
async fn welcome(harness: &Harness) -> (String, String) {
    let consumer = new_consumer();
    harness.receive(consumer_registered(consumer)).await.unwrap();
    let message = harness.latest_message(consumer).await.unwrap();
    assert_eq!(message.kind, "welcome");
    (message.title, message.body)
}

#[tokio::test]
async fn new_consumers_get_the_welcome_message_of_the_catalog() {
    let harness = Harness::start().await;
    let (_, seeded) = welcome(&harness).await;
    assert!(seeded.contains("WELCOME3"), "{seeded}");
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let expected = ("Hi there".to_owned(), "Enjoy.".to_owned());
    assert_eq!(welcome(&harness).await, expected);
    let company = CATALOG.replace("order-ahead", "corner-cafe");
    assert_eq!(
        errors(&harness, &company).await[0],
        "line 5: welcome belongs to another catalog"
    );
    import_catalog(&harness.cx, "catalog = \"order-ahead\"")
        .await
        .unwrap();
    assert_eq!(
        welcome(&harness).await,
        (
            "Welcome!".to_owned(),
            "You'll earn points with every order.".to_owned()
        )
    );
    harness.close().await;
}

async fn find_message(harness: &Harness, consumer: ConsumerId, kind: &str) -> InboxMessage {
    let inbox = harness.inbox(consumer, 0, 0).await;
    let mut messages = inbox.messages.into_iter();
    messages.find(|message| message.kind == kind).unwrap()
}

#[tokio::test]
async fn messages_and_notifications_have_the_texts_of_the_catalog() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    let consumer = new_consumer();
    let order = order_snapshot(new_order(), consumer);
    harness.receive(ready(order.clone())).await.unwrap();
    let message = find_message(&harness, consumer, "order_ready").await;
    let body = "Your coffee is on the bar of Sunset & Maltman.";
    assert_eq!((&*message.title, &*message.body), ("Come on in", body));
    let event: Vec<u8> =
        sqlx::query_scalar("SELECT payload FROM outbox WHERE kind = 'rewards.NotificationRequested'")
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
    assert!(String::from_utf8_lossy(&event).contains(body));

    // A text that the catalog does not contain is the built-in one.
    harness.receive(completed(order)).await.unwrap();
    let message = find_message(&harness, consumer, "points_earned").await;
    assert_eq!(
        message.body,
        "Thanks for ordering at Sunset & Maltman! You now have 60 points."
    );
    let unpaid = order_snapshot(new_order(), consumer);
    harness.receive(payment_failed(unpaid)).await.unwrap();
    let message = find_message(&harness, consumer, "payment_failed").await;
    assert!(message.title.ends_with(" didn't go through"), "{}", message.title);
    assert_eq!(message.body, "Please pay at Sunset & Maltman.");
    let late = OrderSnapshot {
        ready_at: "2026-11-20T16:50:00Z".to_owned(),
        time_zone: "America/Los_Angeles".to_owned(),
        ..order_snapshot(new_order(), consumer)
    };
    harness.receive(delayed(late)).await.unwrap();
    let message = find_message(&harness, consumer, "order_delayed").await;
    assert_eq!(message.body, "Sunset & Maltman: The grinder is down.");
    harness.close().await;
}

#[tokio::test]
async fn invalid_texts_are_reported_with_their_lines() {
    let harness = Harness::start().await;
    import_catalog(&harness.cx, CATALOG).await.unwrap();
    for (from, to, expected) in [
        (
            "kind = \"welcome\"",
            "kind = \"goodbye\"",
            "line 5: unknown kind; expected welcome, points_earned, ",
        ),
        (
            "body = \"Enjoy.\"",
            "body = \" \"",
            "line 7: use 1 to 600 characters",
        ),
        (
            "title = \"Hi there\"",
            &format!("title = \"{}\"", "x".repeat(81)),
            "line 6: use 1 to 80 characters",
        ),
        ("title = \"Hi there\"\n", "", "line 5: title is missing"),
        (
            "Enjoy.",
            "Enjoy {store}.",
            "line 7: unknown placeholder {store}; this message has none",
        ),
        (
            "Come on in",
            "Come on in, {name}",
            "line 11: unknown placeholder {name}; expected {store}, {number}",
        ),
        (
            "[ of {store}]",
            " of {store}",
            "line 12: {store} may be empty; put it in [ ]",
        ),
        ("[ of {store}]", "[ of {store}", "line 12: [ without ]"),
        ("{amount} didn't", "It didn't", "line 17: {amount} is missing"),
        (
            "Please pay[ at {store}].",
            "[At {store}]",
            "line 17: this is empty without the text in [ ]",
        ),
        (
            "body = \"No charge.\"",
            "title = \"Free\"\nbody = \"No charge.\"",
            "line 21: not_charged is a sentence and has no title",
        ),
        (
            "kind = \"not_charged\"",
            "kind = \"welcome\"\ntitle = \"Hi\"",
            "line 20: welcome is in the file twice",
        ),
    ] {
        let errors = errors(&harness, &CATALOG.replace(from, to)).await;
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].starts_with(expected), "{errors:?}");
    }
    assert_eq!(welcome(&harness).await.0, "Hi there");
    harness.close().await;
}
