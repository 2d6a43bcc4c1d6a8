//! Signatures, retries and repeated deliveries.

use std::time::Duration;

use axum::http::StatusCode;
use futures::future::join_all;
use jiff_sqlx::ToSqlx;
use kit::messaging::consumer::handle_once;
use proto::ordering::v1::{OrderAccepted, OrderRated, OrderReady, order_event::Change};
use stores::{
    domain::webhook::EventKind,
    workers::{count_webhooks::prune_webhooks, send_webhooks::send_due_webhooks},
};

use super::{Webhooks, receiver::Receiver};

#[tokio::test]
async fn a_delivery_has_a_signature_that_the_library_accepts() {
    let webhooks = Webhooks::start().await;
    let (_, secret) = webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    assert_eq!(webhooks.send().await, 1);
    let received = webhooks.receiver.received();
    assert_eq!(received.len(), 1);
    assert!(received[0].is_signed_with(&secret));
    assert!(!received[0].is_signed_with("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
    assert_eq!(received[0].headers["content-type"], "application/json");
    let payload = received[0].json();
    assert_eq!(payload["type"], "order.ready");
    assert_eq!(payload["data"]["status"], "Ready");
    assert_eq!(payload["data"]["pickupNumber"], "42");
    let text = String::from_utf8(received[0].body.to_vec()).unwrap();
    assert!(
        !text.contains("usr_") && !text.contains("1234"),
        "no consumer and no price: {text}"
    );
    assert_eq!(webhooks.states().await, ["delivered"]);
    assert_eq!(webhooks.send().await, 0);
    webhooks.close().await;
}

#[tokio::test]
async fn an_event_that_is_consumed_twice_has_one_delivery() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    let event = webhooks.event(Change::Ready(OrderReady {})).await;
    webhooks.consume(&event).await;
    webhooks.consume(&event).await;
    // As after the record of the consumption was pruned.
    sqlx::query("DELETE FROM consumed_events")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    webhooks.consume(&event).await;
    assert_eq!(webhooks.send().await, 1);
    webhooks.close().await;
}

#[tokio::test]
async fn only_the_chosen_events_are_delivered() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[EventKind::Accepted]).await;
    webhooks.order_ready().await;
    let accepted = webhooks.event(Change::Accepted(OrderAccepted {})).await;
    webhooks.consume(&accepted).await;
    let feedback = OrderRated {
        rating: 5,
        ..Default::default()
    };
    let rated = webhooks.event(Change::Rated(feedback)).await;
    webhooks.consume(&rated).await;
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.receiver.received()[0].json()["type"], "order.accepted");
    webhooks.close().await;
}

#[tokio::test]
async fn a_failed_delivery_is_sent_again_with_the_same_id() {
    let webhooks = Webhooks::start().await;
    let (_, secret) = webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    webhooks
        .receiver
        .respond_next(StatusCode::INTERNAL_SERVER_ERROR, Duration::ZERO);
    // A redirect is not followed.
    webhooks
        .receiver
        .respond_next(StatusCode::TEMPORARY_REDIRECT, Duration::ZERO);
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.send().await, 0, "the next attempt is due later");
    webhooks.advance(1);
    assert_eq!(webhooks.send().await, 1);
    webhooks.advance(1);
    assert_eq!(webhooks.send().await, 1);
    let received = webhooks.receiver.received();
    assert_eq!(received.len(), 3);
    assert!(received.iter().all(|request| request.id() == received[0].id()));
    assert_eq!(received[2].body, received[0].body);
    assert!(received[0].is_signed_with(&secret));
    assert_eq!(webhooks.states().await, ["delivered"]);
    webhooks.close().await;
}

#[tokio::test]
async fn a_timeout_is_recorded_and_retried() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    webhooks
        .receiver
        .respond_next(StatusCode::OK, Duration::from_mins(1));
    assert_eq!(webhooks.send().await, 1);
    let error: String =
        sqlx::query_scalar("SELECT last_error FROM webhook_deliveries WHERE response_status IS NULL")
            .fetch_one(&webhooks.harness.database.pool)
            .await
            .unwrap();
    assert_eq!(error, "timeout");
    webhooks.advance(1);
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.states().await, ["delivered"]);
    webhooks.close().await;
}

#[tokio::test]
async fn a_delivery_fails_after_three_days() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    let mut attempts = 0;
    while webhooks.states().await == ["pending"] {
        webhooks
            .receiver
            .respond_next(StatusCode::BAD_GATEWAY, Duration::ZERO);
        attempts += webhooks.send().await;
        webhooks.advance(8);
        assert!(attempts < 20, "the attempts do not end");
    }
    assert_eq!(webhooks.states().await, ["failed"]);
    assert!(attempts >= 9, "{attempts}");
    assert_eq!(webhooks.send().await, 0);
    webhooks.close().await;
}

#[tokio::test]
async fn replicas_do_not_send_a_delivery_twice() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    for _ in 0..20 {
        webhooks.order_ready().await;
    }
    loop {
        let replicas = (0..4).map(|_| send_due_webhooks(&webhooks.harness.cx));
        let sent = join_all(replicas).await.into_iter().map(Result::unwrap);
        if sent.sum::<usize>() == 0 {
            break;
        }
    }
    let received = webhooks.receiver.received();
    let mut ids: Vec<_> = received.iter().map(|request| request.id().to_owned()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((received.len(), ids.len()), (20, 20));
    webhooks.close().await;
}

#[tokio::test]
async fn a_delivery_with_a_lost_result_is_sent_again_after_its_lease() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    sqlx::query("CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'lost'; END $$;")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    let lose =
        "CREATE TRIGGER lose BEFORE UPDATE ON webhook_deliveries FOR EACH ROW WHEN (NEW.state = 'delivered')
                EXECUTE FUNCTION lose()";
    sqlx::query(lose)
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    assert_eq!(webhooks.send().await, 1);
    assert_eq!(webhooks.send().await, 0, "leased");
    sqlx::query("DROP TRIGGER lose ON webhook_deliveries")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    webhooks.expire_leases().await;
    assert_eq!(webhooks.send().await, 1);
    let received = webhooks.receiver.received();
    assert_eq!((received.len(), received[0].id()), (2, received[1].id()));
    assert_eq!(webhooks.states().await, ["delivered"]);
    webhooks.close().await;
}

#[tokio::test]
async fn a_slow_receiver_uses_a_part_of_the_connections() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    for _ in 0..20 {
        webhooks.order_ready().await;
    }
    let held = webhooks.receiver.hold().await;
    let (first, second) = tokio::join!(webhooks.send(), async {
        while webhooks.receiver.received().len() < 8 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let second = webhooks.send().await;
        drop(held);
        second
    });
    assert_eq!((first, second), (8, 0));
    webhooks.close().await;
}

#[tokio::test]
async fn receivers_that_do_not_respond_do_not_delay_the_events_of_others() {
    let webhooks = Webhooks::start().await;
    // As many as use all sends.
    for number in 0..4 {
        let url = format!("{}?number={number}", webhooks.receiver.url);
        webhooks.subscribe_url(&url, &[]).await;
    }
    for _ in 0..20 {
        webhooks.order_ready().await;
    }
    webhooks.harness.clock.advance(jiff::SignedDuration::from_secs(1));
    let healthy = Receiver::start().await;
    webhooks.subscribe_url(&healthy.url, &[]).await;
    webhooks.order_ready().await;
    let held = webhooks.receiver.hold().await;
    let deliver = async {
        while healthy.received().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let (sent, delivered) = tokio::join!(webhooks.send(), async {
        let delivered = tokio::time::timeout(Duration::from_secs(10), deliver).await;
        drop(held);
        delivered
    });
    assert!(
        delivered.is_ok(),
        "the newest event waits for the older ones of others"
    );
    assert_eq!(sent, 32);
    webhooks.close().await;
}

#[tokio::test]
async fn a_receiver_that_fails_gets_few_deliveries_at_a_time_until_it_accepts_one() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    for _ in 0..20 {
        webhooks.order_ready().await;
    }
    for _ in 0..10 {
        webhooks
            .receiver
            .respond_next(StatusCode::INTERNAL_SERVER_ERROR, Duration::ZERO);
    }
    for expected in [8, 2, 2, 8] {
        assert_eq!(webhooks.send().await, expected);
    }
    webhooks.close().await;
}

#[tokio::test]
async fn receivers_that_fail_leave_sends_for_others() {
    let webhooks = Webhooks::start().await;
    for number in 0..20 {
        let url = format!("{}?number={number}", webhooks.receiver.url);
        webhooks.subscribe_url(&url, &[]).await;
    }
    sqlx::query("UPDATE webhook_subscriptions SET is_failing = true")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    for _ in 0..2 {
        webhooks.order_ready().await;
    }
    webhooks.harness.clock.advance(jiff::SignedDuration::from_secs(1));
    let healthy = Receiver::start().await;
    webhooks.subscribe_url(&healthy.url, &[]).await;
    webhooks.order_ready().await;
    assert_eq!(webhooks.send().await, 16 + 1);
    assert_eq!(healthy.received().len(), 1);
    webhooks.close().await;
}

#[tokio::test]
async fn a_delivery_in_progress_is_not_sent_by_a_replica_whose_clock_is_ahead() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    webhooks.order_ready().await;
    let held = webhooks.receiver.hold().await;
    let (first, second) = tokio::join!(webhooks.send(), async {
        while webhooks.receiver.received().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        webhooks.harness.clock.advance(jiff::SignedDuration::from_mins(1));
        let second = tokio::time::timeout(Duration::from_secs(5), webhooks.send()).await;
        drop(held);
        second
    });
    assert_eq!((first, second), (1, Ok(0)));
    webhooks.close().await;
}

#[tokio::test]
async fn an_event_is_not_consumed_if_its_deliveries_are_not_stored() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    let event = webhooks.event(Change::Ready(OrderReady {})).await;
    sqlx::query("ALTER TABLE webhook_deliveries RENAME TO gone")
        .execute(&webhooks.harness.database.pool)
        .await
        .unwrap();
    let pool = &webhooks.harness.database.pool;
    assert!(handle_once(pool, &webhooks.consumers, &event).await.is_err());
    assert_eq!(
        webhooks
            .harness
            .count("SELECT count(*) FROM consumed_events")
            .await,
        0
    );
    sqlx::query("ALTER TABLE gone RENAME TO webhook_deliveries")
        .execute(pool)
        .await
        .unwrap();
    webhooks.consume(&event).await;
    assert_eq!(webhooks.send().await, 1);
    webhooks.close().await;
}

#[tokio::test]
async fn all_deliveries_past_their_retention_are_deleted_at_once() {
    let webhooks = Webhooks::start().await;
    webhooks.subscribe(&[]).await;
    // More than two batches of each end state, and one delivery of each state that is kept.
    sqlx::query(
        "INSERT INTO webhook_deliveries (delivery_id, subscription_id, event_id, event_kind, payload, state, next_attempt_at,
                                         retry_until, created_at, finished_at)
         SELECT gen_random_uuid(), subscription_id, gen_random_uuid(), 'order.ready', '{}', state, $1, $1, $1,
                CASE WHEN state <> 'pending' THEN $1 - make_interval(days => days) END
         FROM webhook_subscriptions, (VALUES
             ('delivered', 8, 2100), ('failed', 31, 2100), ('delivered', 6, 1), ('failed', 29, 1), ('pending', 0, 1)
         ) AS ended (state, days, number), generate_series(1, number)",
    )
    .bind(webhooks.now().to_sqlx())
    .execute(&webhooks.harness.database.pool)
    .await
    .unwrap();
    assert_eq!(prune_webhooks(&webhooks.harness.cx).await.unwrap(), 4_200);
    let mut states = webhooks.states().await;
    states.sort();
    assert_eq!(states, ["delivered", "failed", "pending"]);
    webhooks.close().await;
}
