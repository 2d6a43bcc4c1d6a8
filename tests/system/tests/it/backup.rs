//! The databases of all services are restored to one time from a base backup and the WAL.

use sqlx::PgConnection;
use types::OrderId;

use crate::harness::{Backup, Restored, replicated_stack};

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

    let completed: OrderId = completed.parse().unwrap();
    let mut payments = restored.database("PAYMENTS_DATABASE_URL").await;
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
}
