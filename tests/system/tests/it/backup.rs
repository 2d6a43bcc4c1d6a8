//! The databases of all services are restored to one time from a base backup and the WAL.

use std::{fs, path::Path};

use serde_json::json;
use sqlx::PgConnection;
use types::OrderId;

use crate::harness::{Backup, Restored, Stack, delete_old_backups, eventually, now, replicated_stack};

async fn status(restored: &Restored, order: &str) -> Option<String> {
    let order: OrderId = order.parse().unwrap();
    let mut ordering = restored.database("ORDERING_DATABASE_URL").await;
    sqlx::query_scalar("SELECT status FROM orders WHERE id = $1")
        .bind(order.uuid())
        .fetch_optional(&mut ordering)
        .await
        .unwrap()
}

async fn time_of(database: &mut PgConnection) -> String {
    sqlx::query_scalar(
        "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')",
    )
    .fetch_one(database)
    .await
    .unwrap()
}

/// Changes the times of the orders' events and of their consumption to three days earlier.
async fn date_back_events(restored: &Restored) {
    for (database, statement) in [
        (
            "ORDERING_DATABASE_URL",
            "UPDATE published_events
             SET occurred_at = occurred_at - interval '3 days', published_at = published_at - interval '3 days'",
        ),
        (
            "PAYMENTS_DATABASE_URL",
            "UPDATE consumed_events SET consumed_at = consumed_at - interval '3 days'",
        ),
        (
            "GIFT_CARDS_DATABASE_URL",
            "UPDATE consumed_events SET consumed_at = consumed_at - interval '3 days'",
        ),
    ] {
        let mut database = restored.database(database).await;
        let changed = sqlx::query(statement).execute(&mut database).await.unwrap();
        assert!(changed.rows_affected() > 0, "{statement}");
    }
}

#[tokio::test]
async fn all_databases_are_restored_to_one_time_with_consistent_money() {
    let stack = replicated_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let (card, joepass) = (
        ada.with_card("4242424242424242").await,
        ada.with_joepass(20_000).await,
    );
    let backup = Backup::start().await;
    let before_copy = ada.place_order("Latte", &store, &joepass).await;
    backup.base_backup();
    let completed = ada.place_order("Latte", &store, &card).await;
    store.make(&completed).await;
    let rejected = ada.place_order("Latte", &store, &joepass).await;
    store.reject(&rejected).await.data();
    let open = ada.place_order("Latte", &store, &card).await;
    ada.assert_consistent().await;
    let time = time_of(&mut stack.database("ordering").await).await;
    let later = ada.place_order("Latte", &store, &card).await;
    store.accept(&open).await.data();
    ada.assert_consistent().await;
    // The recovery ends with the first later commit. What follows is in another segment, which the restored server does not continue.
    backup.switch_segment().await;
    backup.wait_for_wal().await;

    let restored = backup.restore(&stack, &time);
    for (order, expected) in [
        (&before_copy, Some("placed")),
        (&completed, Some("completed")),
        (&rejected, Some("rejected")),
        (&open, Some("placed")),
        (&later, None),
    ] {
        assert_eq!(status(&restored, order).await.as_deref(), expected, "{order}");
    }
    let audit = restored.audit_money();
    let output = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert!(
        audit.status.success(),
        "{output}{}",
        String::from_utf8_lossy(&audit.stderr)
    );
    assert_eq!(output, "Orders, charges, holds and ledgers are consistent.\n");

    // The restored server has another history from then on.
    assert_eq!(backup.receive_from(&restored), Some(3));

    let completed: OrderId = completed.parse().unwrap();
    let mut payments = restored.database("PAYMENTS_DATABASE_URL").await;
    // As if the restored time was days ago.
    date_back_events(&restored).await;
    sqlx::query("UPDATE charges SET state = 'voided' WHERE subject_id = $1")
        .bind(completed.uuid())
        .execute(&mut payments)
        .await
        .unwrap();
    let audit = restored.audit_money();
    let output = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert!(!audit.status.success(), "{output}");
    let expected = format!("order {}: the charge does not fit the order", completed.uuid());
    assert!(output.starts_with(&expected), "{output}");

    // Ordering knows that this order is unpaid.
    let mut ordering = restored.database("ORDERING_DATABASE_URL").await;
    sqlx::query("UPDATE orders SET reason = 'PAYMENT_HOLD_EXPIRED' WHERE id = $1")
        .bind(completed.uuid())
        .execute(&mut ordering)
        .await
        .unwrap();
    let audit = restored.audit_money();
    assert!(audit.status.success(), "{audit:?}");
}

/// Waits until payments and gift-cards have consumed the order's event of this kind.
async fn wait_until_consumed(stack: &Stack, order: &str, kind: &str) {
    let mut ordering = stack.database("ordering").await;
    let event: uuid::Uuid = eventually("the event is published", async || {
        sqlx::query_scalar("SELECT event_id FROM published_events WHERE aggregate_id = $1 AND kind = $2")
            .bind(order)
            .bind(kind)
            .fetch_one(&mut ordering)
            .await
    })
    .await;
    for service in ["payments", "gift-cards"] {
        let mut database = stack.database(service).await;
        eventually("the event is consumed", async || {
            sqlx::query("SELECT FROM consumed_events WHERE event_id = $1")
                .bind(event)
                .fetch_one(&mut database)
                .await
        })
        .await;
    }
}

#[tokio::test]
async fn charges_that_the_provider_changes_later_are_consistent() {
    let stack = replicated_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let backup = Backup::start().await;
    backup.base_backup();
    for effect in ["capture", "cancel"] {
        let path = format!("/v1/payment_intents/*/{effect}");
        stack
            .sandbox()
            .fault(json!({ "path": path, "kind": "error", "status": 503, "times": 1_000 }))
            .await;
    }
    let accepted = ada.place_order("Latte", &store, &card).await;
    store.accept(&accepted).await.data();
    wait_until_consumed(&stack, &accepted, "ordering.OrderAccepted").await;
    let rejected = ada.place_order("Latte", &store, &card).await;
    store.reject(&rejected).await.data();
    wait_until_consumed(&stack, &rejected, "ordering.OrderRejected").await;
    let time = time_of(&mut stack.database("ordering").await).await;
    stack.sandbox().reset().await;
    ada.assert_consistent().await;
    backup.wait_for_wal().await;

    let rehearsal = backup.rehearse(&stack, &time);
    assert!(rehearsal.status.success(), "{rehearsal:?}");
    let notes = String::from_utf8_lossy(&rehearsal.stderr);
    assert!(
        notes.contains("\n0 orders with events that are not consumed yet\n"),
        "{notes}"
    );
}

fn entries(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn backups_that_no_restore_to_the_last_days_needs_are_deleted() {
    let folder = std::env::temp_dir().join(testing::unique_name());
    fs::create_dir_all(folder.join("wal")).unwrap();
    let now = now();
    let days_ago = |days: u64| {
        let time = now - std::time::Duration::from_hours(24 * days);
        time.strftime("%Y%m%dT%H%M%S.000000Z").to_string()
    };
    let ages = [9, 8, 6, 1];
    for (number, age) in ages.iter().enumerate() {
        let copy = folder.join("base").join(days_ago(*age));
        fs::create_dir_all(&copy).unwrap();
        let label = format!("START WAL LOCATION: 0/{number}000028 (file 00000001000000000000000{number})\n");
        fs::write(copy.join("backup_label"), label).unwrap();
    }
    let segments = [
        "000000010000000000000000",
        "000000010000000000000001",
        "000000010000000000000002",
        "00000002.history",
        "000000020000000000000003.partial",
    ];
    for segment in segments {
        fs::write(folder.join("wal").join(segment), "").unwrap();
    }

    delete_old_backups(&folder, 7);
    // A restore to a time six days and a few hours ago begins with the copy from eight days ago.
    assert_eq!(
        entries(&folder.join("base")),
        ages[1..].iter().map(|age| days_ago(*age)).collect::<Vec<_>>()
    );
    assert_eq!(entries(&folder.join("wal")), segments[1..]);
    delete_old_backups(&folder, 10);
    assert_eq!(
        entries(&folder.join("base")).len(),
        3,
        "there is none from before that time"
    );
    fs::remove_dir_all(folder).unwrap();
}

/// Kills all processes of the programs.
fn kill(stack: &Stack, names: &[&str]) {
    for process in stack.processes() {
        if names.contains(&process.name) {
            process.kill();
        }
    }
}

/// Starts the first processes of the programs with the restored databases and an empty broker.
async fn start_restored(stack: &Stack, restored: &Restored, names: &[&str]) {
    let broker_prefix = testing::unique_name();
    let mut settings: Vec<(&'static str, &str)> = vec![("BROKER_PREFIX", &broker_prefix)];
    settings.extend(
        restored
            .database_urls()
            .iter()
            .map(|(name, url)| (*name, url.as_str())),
    );
    for name in names {
        stack.program(name).start(&settings);
        stack.program(name).wait_until_ready().await;
    }
}

async fn wait_until_published(stack: &Stack) {
    let mut ordering = stack.database("ordering").await;
    eventually("ordering has published its events", async || {
        let unpublished: i64 = sqlx::query_scalar("SELECT count(*) FROM outbox")
            .fetch_one(&mut ordering)
            .await
            .unwrap();
        if unpublished == 0 {
            Ok(())
        } else {
            Err(unpublished.to_string())
        }
    })
    .await;
}

#[tokio::test]
async fn events_that_were_not_consumed_at_the_restored_time_are_published_again() {
    let stack = replicated_stack().await;
    let (ada, store) = (stack.consumer().await, stack.store());
    let card = ada.with_card("4242424242424242").await;
    let backup = Backup::start().await;
    backup.base_backup();
    let order = ada.place_order("Latte", &store, &card).await;
    ada.assert_consistent().await;
    kill(&stack, &["payments"]);
    store.accept(&order).await.data();
    wait_until_published(&stack).await;
    let time = time_of(&mut stack.database("ordering").await).await;
    // The charge is captured after that time, so the provider is ahead of the restored databases.
    stack.program("payments").start(&[]);
    ada.assert_consistent().await;
    backup.wait_for_wal().await;

    let rehearsal = backup.rehearse(&stack, &time);
    let notes = String::from_utf8_lossy(&rehearsal.stderr).into_owned();
    assert!(rehearsal.status.success(), "{rehearsal:?}");
    assert!(
        notes.contains("\n1 orders with events that are not consumed yet\n"),
        "{notes}"
    );

    let restored = backup.restore(&stack, &time);
    let programs = ["ordering", "payments", "gift-cards"];
    kill(&stack, &programs);
    restored.replay_events();
    start_restored(&stack, &restored, &programs).await;
    eventually(
        "the events are consumed and the money is consistent",
        async || {
            let audit = restored.audit_money();
            let notes = String::from_utf8_lossy(&audit.stderr).into_owned();
            if audit.status.success() && notes.starts_with("0 orders with events") {
                Ok(())
            } else {
                Err(format!("{}{notes}", String::from_utf8_lossy(&audit.stdout)))
            }
        },
    )
    .await;
    let order: OrderId = order.parse().unwrap();
    let mut payments = restored.database("PAYMENTS_DATABASE_URL").await;
    eventually("the charge is captured", async || {
        let state: String = sqlx::query_scalar("SELECT state FROM charges WHERE subject_id = $1")
            .bind(order.uuid())
            .fetch_one(&mut payments)
            .await
            .unwrap();
        if state == "succeeded" { Ok(()) } else { Err(state) }
    })
    .await;
    kill(&stack, &programs);
}
