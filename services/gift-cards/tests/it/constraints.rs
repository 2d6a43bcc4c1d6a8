//! Constraints of the schema.

use crate::harness::Harness;

#[tokio::test]
async fn invalid_holds_violate_a_constraint() {
    let harness = Harness::start().await;
    harness.consumer_with(100).await;
    let balance = "(SELECT account_id FROM ledger.balances)";
    for (values, constraint) in [
        (format!("'lost', {balance}, 1, 'Order'"), "holds_state_known"),
        (
            format!("'held', {balance}, -1, 'Order'"),
            "holds_amount_not_negative",
        ),
        (
            "'held', gen_random_uuid(), 1, 'Order'".to_owned(),
            "holds_balance",
        ),
        (
            "'held', NULL, NULL, NULL".to_owned(),
            "holds_amount_unless_closed",
        ),
        (
            format!("'closed', {balance}, 1, 'Order'"),
            "holds_amount_unless_closed",
        ),
        (
            format!("'held', {balance}, NULL, 'Order'"),
            "holds_amount_unless_closed",
        ),
        (
            format!("'held', {balance}, 1, NULL"),
            "holds_amount_unless_closed",
        ),
    ] {
        let insert = format!(
            "INSERT INTO holds (order_id, state, balance_id, amount, title, created_at, changed_at)
             VALUES (gen_random_uuid(), {values}, now(), now())"
        );
        let error = sqlx::query(sqlx::AssertSqlSafe(insert))
            .execute(&harness.cx.pool)
            .await
            .unwrap_err();
        assert_eq!(
            error.as_database_error().and_then(|error| error.constraint()),
            Some(constraint),
            "{error}"
        );
    }
    harness.close().await;
}
