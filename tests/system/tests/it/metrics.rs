//! Running programs export the metrics that dashboards and alerts use, and a real Prometheus raises alerts from them.

use std::{path::Path, process::Command, time::Duration};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgConnection};
use types::EventId;
use uuid::Uuid;

use crate::harness::{
    Consumer, ExclusiveStack, Prometheus, Stack, check_and_repair, eventually, exclusive_stack, now,
};

/// Runs a script of `deploy/dev/checks/manifests` and returns its findings.
fn check(script: &str, addresses: &[String]) -> Result<(), String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    // Installed by `deploy/dev/setup test`.
    let output = Command::new(root.join(".run/kubernetes-validate/bin/python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(root.join("deploy/dev/checks/manifests").join(script))
        .args(addresses)
        .output()
        .unwrap();
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    }
}

async fn execute(database: &mut PgConnection, statements: &'static str) {
    sqlx::raw_sql(AssertSqlSafe(statements))
        .execute(database)
        .await
        .unwrap();
}

/// A file that a sender cannot write.
pub const UNWRITABLE: &str = "/proc/messages.jsonl";

/// Work that nothing in the system finishes, and that is removed afterwards.
const STUCK: [(&str, &str, &str); 5] = [
    (
        "ordering",
        "INSERT INTO outbox (event_id, kind, aggregate_id, aggregate_version, payload, occurred_at, leased_until)
         VALUES ('00000000-0000-0000-0000-000000000001', 'test', 'test', 1, '', now() - interval '5 minutes',
                 now() + interval '1 hour')",
        "DELETE FROM outbox WHERE kind = 'test'",
    ),
    (
        "ordering",
        "INSERT INTO order_refunds (order_id, refund_id, currency, charge_amount, stored_value_amount, created_at, attempts,
                                    next_attempt_at)
         VALUES ('00000000-0000-0000-0000-000000000001', 'test', 'USD', 1, 0, now(), 3, now() + interval '1 hour')",
        "DELETE FROM order_refunds WHERE refund_id = 'test'",
    ),
    (
        "payments",
        "INSERT INTO effects (subject_id, kind, state, due_at, created_at, failure_code, finished_at)
         VALUES ('00000000-0000-0000-0000-000000000001', 'capture', 'failed', now(), now(), 'test', now()),
                ('00000000-0000-0000-0000-000000000001', 'void', 'planned', now() + interval '1 hour', now() - interval '1 day',
                 NULL, NULL)",
        "DELETE FROM effects WHERE subject_id = '00000000-0000-0000-0000-000000000001'",
    ),
    (
        "stores",
        "INSERT INTO webhook_subscriptions (subscription_id, company_id, url, event_kinds, secret, paused, created_at)
         SELECT '00000000-0000-0000-0000-000000000001', company_id, 'test', '{test}', decode(repeat('00', 32), 'hex'), true,
                now() FROM companies LIMIT 1;
         INSERT INTO webhook_deliveries (delivery_id, subscription_id, event_id, event_kind, payload, state, next_attempt_at,
                                         retry_until, created_at, finished_at)
         VALUES ('00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001',
                 '00000000-0000-0000-0000-000000000001', 'test', '{}', 'failed', now(), now(), now(), now())",
        "DELETE FROM webhook_subscriptions WHERE url = 'test'",
    ),
    (
        "rewards",
        "ALTER TABLE consumed_events RENAME TO consumed_events_of_test",
        "ALTER TABLE IF EXISTS consumed_events_of_test RENAME TO consumed_events",
    ),
];

/// More events than rewards receives at the same time, so that the rest stays in its queue.
const STUCK_EVENTS: usize = 80;

/// Adds a message that is no event to the queues that need a person.
async fn publish_garbage(stack: &Stack) {
    for queue in ["rewards", "unrouted.consumed"] {
        stack.publish_to_queue(queue, b"no event").await;
    }
}

/// Alerts that [`STUCK`] work fires.
pub const OF_STUCK_WORK: [&str; 8] = [
    "EventsLate",
    "EventsNotConsumed",
    "WebhooksFailed",
    "DeadLetters",
    "UnroutedEvents",
    "RefundsFail",
    "EffectFailed",
    "EffectsOverdue",
];
/// Alerts of an unwritable file of accounts.
pub const OF_SIGN_IN: [&str; 1] = ["SignInCodesFail"];
/// Alerts of a process that ended.
pub const OF_DEAD_PROCESS: [&str; 3] = ["ProcessDown", "ServiceDown", "RequestsFail"];

#[tokio::test]
async fn a_real_prometheus_raises_alerts_and_has_data_for_each_panel() {
    let stack = exclusive_stack().await;
    let prometheus = Prometheus::start(&stack).await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let order = ada.place_order("Latte", &store, &card).await;
    store.make(&order).await;
    let unknown = ada.order("ord_01h455vb4pex5vsknk084sn02q").await;
    assert_eq!(unknown.status, 404);
    // Gauges are sampled every few seconds.
    eventually("all metrics are exported", async || {
        check("running.py", &prometheus.urls())
    })
    .await;
    // Ordering is restarted below. Rates need two samples, and a scrape fails that takes longer than a second.
    for counted in [
        "ordering_saga_duration_seconds_count",
        "rpc_server_call_duration_seconds_count{service=\"ordering\", rpc_response_status_code=\"NOT_FOUND\"}",
    ] {
        eventually(&format!("{counted} has a rate"), async || {
            let rate = prometheus.value(&format!("sum(rate({counted}[5m]))")).await?;
            rate.map(drop).ok_or_else(|| "no data".to_owned())
        })
        .await;
    }
    // A scrape can take longer than a second.
    eventually("all rules are evaluated, and none raises an alert", async || {
        let rules = prometheus.rules().await?;
        let is_expected = |rule: &Value| rule["health"] == "ok" && rule["state"] == "inactive";
        let other: Vec<_> = rules.iter().filter(|(_, rule)| !is_expected(rule)).collect();
        if rules.is_empty() || !other.is_empty() {
            Err(format!("{other:?}"))
        } else {
            Ok(())
        }
    })
    .await;

    prometheus.shorten_durations().await;
    let events = add_stuck_work(&stack).await;
    check_and_repair(
        wait_for_alerts(&stack, &prometheus, &ada),
        remove_stuck_work(&stack, &events),
    )
    .await;
}

/// Returns the events that rewards cannot consume.
async fn add_stuck_work(stack: &Stack) -> Vec<EventId> {
    publish_garbage(stack).await;
    for (service, add, _) in STUCK {
        execute(&mut stack.database(service).await, add).await;
    }
    let created_at = now() - Duration::from_mins(10);
    stack
        .publish_events_to_queue("rewards", "ordering.OrderReady", created_at, STUCK_EVENTS)
        .await
}

async fn remove_stuck_work(stack: &Stack, events: &[EventId]) {
    for (service, _, remove) in STUCK {
        execute(&mut stack.database(service).await, remove).await;
    }
    for queue in ["rewards.dead", "unrouted.consumed"] {
        stack.empty_queue(queue).await;
    }
    let ids: Vec<Uuid> = events.iter().map(|event| event.uuid()).collect();
    eventually("the stuck events are consumed", async || {
        let consumed: i64 =
            sqlx::query_scalar("SELECT count(*) FROM consumed_events WHERE event_id = ANY($1)")
                .bind(&ids)
                .fetch_one(&mut stack.database("rewards").await)
                .await
                .unwrap();
        if usize::try_from(consumed) == Ok(events.len()) {
            Ok(())
        } else {
            Err(format!("{consumed} of {}", events.len()))
        }
    })
    .await;
}

/// Waits for the alerts of stuck work, of an unwritable file and of a dead process, then for data in all panels.
async fn wait_for_alerts(stack: &ExclusiveStack, prometheus: &Prometheus, ada: &Consumer) {
    // These count the rows once a minute.
    for program in ["stores", "payments", "ordering"] {
        prometheus.restart(stack, program).await;
    }
    prometheus.wait_until_firing(&OF_STUCK_WORK).await;
    // Each of the two conditions of EventsNotConsumed is met.
    for metric in ["event_consume_oldest_age_seconds", "event_queued"] {
        let stuck = format!("{metric}{{service=\"rewards\"}} > 0");
        eventually(&stuck, async || {
            let value = prometheus.value(&stuck).await?;
            value.map(drop).ok_or_else(|| "no data".to_owned())
        })
        .await;
    }
    prometheus
        .restart_with(stack, "accounts", &[("SMS_FILE", UNWRITABLE)])
        .await;
    let guest = Consumer::signed_out(stack.stack);
    let mut numbers = 0..;
    prometheus
        .repeat_until_firing(&OF_SIGN_IN, async || {
            let phone = format!("+1206777{:04}", numbers.next().unwrap());
            let requested = guest
                .post("authentication/login", json!({ "phone": phone }))
                .await;
            requested.data();
        })
        .await;
    stack.program("accounts").kill();
    prometheus
        .repeat_until_firing(&OF_DEAD_PROCESS, async || {
            let rejected = ada.get("user/profile").await;
            assert!(rejected.status.is_server_error(), "{rejected:?}");
        })
        .await;
    eventually("each query of the dashboards has data", async || {
        check("panels.py", &[prometheus.url()])
    })
    .await;
}
