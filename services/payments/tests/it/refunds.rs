//! Refunds in parts, refunds that fail, and returns after refunds.

use payments::workers::effects::execute_due_effects;
use proto::payments::v1::{ChargeState, ChargeSubject};
use serde_json::json;

use crate::harness::{AMOUNT, Card, Harness, top_up_request};

/// Charges a top-up to a card.
async fn top_up(harness: &Harness) -> ChargeSubject {
    let (ada, card) = harness.consumer_with(Card::Good).await;
    let request = top_up_request(&ada, &card);
    harness.charge("gift-cards", request.clone()).await.unwrap();
    request.subject.unwrap()
}

#[tokio::test]
async fn parts_are_refunded_once_each_and_never_more_than_the_charge() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    for _ in 0..2 {
        harness.refund(subject.clone(), "first", 400).await.unwrap();
        harness.execute_effects().await;
    }
    let error = |result: Result<_, kit::ServiceError>| {
        result
            .map(|_: proto::payments::v1::Charge| ())
            .unwrap_err()
            .reason
    };
    assert_eq!(
        error(harness.refund(subject.clone(), "first", 401).await),
        "REFUND_MISMATCH"
    );
    assert_eq!(
        error(harness.refund(subject.clone(), "second", AMOUNT - 399).await),
        "REFUND_TOO_LARGE"
    );
    // The id of the refund of a released charge.
    assert_eq!(
        error(harness.refund(subject.clone(), "release", 200).await),
        "MALFORMED"
    );
    let concurrent = futures::future::join_all((0..6).map(|number| {
        let (harness, subject) = (&harness, subject.clone());
        async move { harness.refund(subject, &format!("part {number}"), 200).await }
    }))
    .await;
    assert_eq!(concurrent.iter().filter(|result| result.is_ok()).count(), 4);
    harness.execute_effects().await;
    harness.refund(subject.clone(), "last", 50).await.unwrap();
    harness.execute_effects().await;
    let charge = harness.close_subject(Some(subject.clone())).await;
    assert_eq!(
        (charge.state(), charge.refunded.unwrap().minor_units),
        (ChargeState::Refunded, AMOUNT)
    );
    assert_eq!(
        error(harness.refund(subject, "more", 1).await),
        "CHARGE_NOT_REFUNDABLE"
    );
    assert_eq!(harness.sandbox.held_or_captured_cents().await, 0);
    let refunds = harness
        .charge_events()
        .await
        .into_iter()
        .filter(|event| event == "payments.RefundDone")
        .count();
    assert_eq!(refunds, 6);
    harness.shut_down().await;
}

#[tokio::test]
async fn closing_a_charge_refunds_what_was_not_refunded() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    harness.refund(subject.clone(), "part", 400).await.unwrap();
    harness.close_subject(Some(subject.clone())).await;
    harness.execute_effects().await;
    let mut amounts: Vec<_> = harness
        .sandbox
        .refunds()
        .await
        .iter()
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    assert_eq!(amounts, [400, AMOUNT - 400]);
    assert_eq!(
        harness.close_subject(Some(subject)).await.state(),
        ChargeState::Refunded
    );
    harness.shut_down().await;
}

/// The refund of the part ends after the attempt to refund the rest has read the charge, and before it reads the refunds.
#[tokio::test]
async fn a_part_that_is_refunded_during_the_release_is_not_refunded_again() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    harness.refund(subject.clone(), "part", 400).await.unwrap();
    harness.close_subject(Some(subject)).await;
    let pool = harness.cx.pool.clone();
    sqlx::query("UPDATE effects SET due_at = now() + interval '1 hour' WHERE kind = 'refund_part'")
        .execute(&pool)
        .await
        .unwrap();
    let mut tx = kit::postgres::begin(&pool).await.unwrap();
    sqlx::query("LOCK TABLE refunds IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *tx)
        .await
        .unwrap();
    let cx = harness.cx.clone();
    let attempt = tokio::spawn(async move { execute_due_effects(&cx).await });
    harness.database.wait_for_blocked(1).await;

    let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
    let refund = harness.sandbox.refund_part(&intent, 400, "part").await;
    for statement in [
        "UPDATE refunds SET state = 'succeeded', provider_id = $1",
        "UPDATE charges SET refunded_minor_units = 400 WHERE $1 <> ''",
        "UPDATE effects SET state = 'done' WHERE kind = 'refund_part' AND $1 <> ''",
        "INSERT INTO charge_events (charge_id, version, kind, amount_minor_units, created_at)
         SELECT id, version, 'refunded', 400, now() FROM charges WHERE $1 <> ''",
    ] {
        let query = sqlx::query(statement).bind(&refund);
        query.execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
    assert_eq!(attempt.await.unwrap().unwrap(), 1);

    let mut amounts: Vec<_> = harness
        .sandbox
        .refunds()
        .await
        .iter()
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    assert_eq!(amounts, [400, AMOUNT - 400]);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_release_waits_for_the_refund_of_the_whole_amount_as_a_part() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    harness.refund(subject.clone(), "all", AMOUNT).await.unwrap();
    harness.close_subject(Some(subject)).await;
    // The release is attempted first.
    sqlx::query("UPDATE effects SET due_at = now() + interval '300 milliseconds' WHERE kind = 'refund_part'")
        .execute(&harness.cx.pool)
        .await
        .unwrap();
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.refunds().await.len(), 1);
    assert_eq!(harness.count_rows("effects WHERE state = 'failed'").await, 0);
    harness.shut_down().await;
}

#[tokio::test]
async fn parts_for_which_a_refund_in_the_dashboard_leaves_too_little_are_canceled() {
    for (dashboard, expected) in [
        (AMOUNT, vec![("canceled", 400), ("canceled", 200)]),
        (AMOUNT - 300, vec![("canceled", 400), ("succeeded", 200)]),
    ] {
        for is_reported_first in [true, false] {
            let harness = Harness::new().await;
            let subject = top_up(&harness).await;
            harness.refund(subject.clone(), "part", 400).await.unwrap();
            harness
                .refund(subject.clone(), "smaller part", 200)
                .await
                .unwrap();
            let intent = harness.sandbox.intent().await["id"].as_str().unwrap().to_owned();
            harness.sandbox.refund_part(&intent, dashboard, "dashboard").await;
            if is_reported_first {
                harness.refresh_subject(Some(subject)).await;
            }
            harness.execute_effects().await;

            assert_eq!(harness.count_rows("effects WHERE state <> 'done'").await, 0);
            let parts: Vec<(String, i64)> = sqlx::query_as(
                "SELECT state, amount_minor_units FROM refunds WHERE request_id <> 'dashboard' ORDER BY id",
            )
            .fetch_all(&harness.cx.pool)
            .await
            .unwrap();
            let parts: Vec<_> = parts.iter().map(|(state, cents)| (&**state, *cents)).collect();
            assert_eq!(parts, expected, "{dashboard} {is_reported_first}");
            harness.shut_down().await;
        }
    }
}

#[tokio::test]
async fn a_partial_refund_survives_lost_responses() {
    for kind in ["reset_before", "reset_after", "error_after"] {
        let harness = Harness::new().await;
        let subject = top_up(&harness).await;
        harness.sandbox.inject_fault(kind, "/v1/refunds", json!({})).await;
        harness.refund(subject, "part", 400).await.unwrap();
        harness.execute_effects().await;
        assert_eq!(harness.sandbox.refunds().await.len(), 1, "{kind}");
        assert_eq!(
            harness.charge_events().await,
            ["payments.PaymentSettled", "payments.RefundDone"],
            "{kind}"
        );
        harness.shut_down().await;
    }
}

#[tokio::test]
async fn a_partial_refund_is_not_repeated_while_its_outcome_is_unknown() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    harness
        .sandbox
        .inject_fault("error_after", "/v1/refunds", json!({}))
        .await;
    let unavailable =
        json!({ "kind": "error", "path": "/v1/payment_intents/*", "method": "GET", "status": 500 });
    harness.sandbox.admin("faults", unavailable).await;
    harness.refund(subject, "part", 400).await.unwrap();
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.refunds().await.len(), 1);
    harness.shut_down().await;
}

#[tokio::test]
async fn a_refund_that_fails_is_published_once_and_not_repeated() {
    let harness = Harness::new().await;
    let subject = top_up(&harness).await;
    harness.close_subject(Some(subject.clone())).await;
    harness.execute_effects().await;
    let refund = harness.sandbox.refunds().await[0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    harness
        .sandbox
        .admin(&format!("refunds/{refund}/fail"), json!({}))
        .await;
    harness
        .receive_webhooks_until_true("SELECT EXISTS (SELECT FROM refunds WHERE state = 'failed')")
        .await;
    for webhook in harness.sandbox.webhooks().iter().rev() {
        harness.receive_webhook(webhook).await.unwrap();
    }
    harness.execute_effects().await;
    assert_eq!(harness.sandbox.refunds().await.len(), 1);
    assert_eq!(
        harness.charge_events().await,
        [
            "payments.PaymentSettled",
            "payments.RefundDone",
            "payments.RefundFailed"
        ]
    );
    assert_eq!(
        harness.close_subject(Some(subject)).await.state(),
        ChargeState::Refunded
    );
    harness.shut_down().await;
}
