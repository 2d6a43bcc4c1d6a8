//! Checks of a rule on one replica while another one reloads.

use gift_cards::ops::reload_joepass::reload_joepass;

use crate::{auto_reload::rule, charge_events::settled, fake_services::BANK, harness::Harness};

/// Lets each change of a purchase wait until the test releases its lock. No other task reads purchases at the same time.
const PAUSE: [&str; 2] = [
    "CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       LOCK TABLE purchases IN ACCESS EXCLUSIVE MODE;
       PERFORM pg_advisory_xact_lock(1);
       RETURN NULL;
     END $$",
    "CREATE TRIGGER pause AFTER UPDATE ON purchases EXECUTE FUNCTION pause()",
];

#[tokio::test]
async fn a_check_during_the_completion_of_a_reload_begins_no_second_one() {
    let harness = Harness::start().await;
    let consumer = harness.consumer_with(0).await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    harness.reload().await;
    harness.set_rule(consumer, rule(BANK)).await.unwrap();
    for statement in PAUSE {
        harness.execute(statement).await;
    }
    let mut lock = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock(1)")
        .execute(&mut *lock)
        .await
        .unwrap();
    let check = async {
        harness.database.wait_for_blocked(1).await;
        reload_joepass(&harness.cx).await.unwrap()
    };
    let release = async {
        harness.database.wait_for_blocked(2).await;
        lock.rollback().await.unwrap();
    };
    let settlement = harness.receive(settled(&harness.only_purchase()));
    let (settled, checked, ()) = tokio::join!(settlement, check, release);
    settled.unwrap();
    assert_eq!(checked, 1);
    assert_eq!(harness.services.charges().len(), 1);
    assert_eq!(harness.wallet(consumer).await, (2_500, 0));
    harness.close().await;
}
