//! Constraints of the schema.

use crate::harness::{BANK, TestLedger};

/// Returns the constraint that a statement violates. `$1` is an account with a balance, `$2` the bank.
async fn violated_constraint(ledger: &TestLedger, statement: &str) -> String {
    let account = ledger.account_with(10).await;
    let statement = statement
        .replace("$1", &format!("'{}'::uuid", account.uuid()))
        .replace("$2", &format!("'{}'::uuid", BANK.uuid()));
    let error = sqlx::query(sqlx::AssertSqlSafe(statement))
        .execute(ledger.pool())
        .await
        .unwrap_err();
    error
        .as_database_error()
        .and_then(|error| error.constraint())
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn invalid_accounts_and_balances_violate_a_constraint() {
    let ledger = TestLedger::create().await;
    let open = "INSERT INTO ledger.accounts (id, kind, owner, unit, opened_at) ";
    for (values, constraint) in [
        (
            "SELECT gen_random_uuid(), kind, owner, unit, now() FROM ledger.accounts WHERE id = $1",
            "accounts_one_per_owner",
        ),
        (
            "VALUES (gen_random_uuid(), 'bank', NULL, 'usd', now())",
            "accounts_one_per_owner",
        ),
        ("VALUES ($1, 'other', NULL, 'usd', now())", "accounts_pkey"),
        (
            "VALUES (gen_random_uuid(), 'other', NULL, 'eur', now())",
            "accounts_unit_known",
        ),
    ] {
        assert_eq!(
            violated_constraint(&ledger, &format!("{open}{values}")).await,
            constraint
        );
    }
    let balance = "INSERT INTO ledger.balances (account_id) VALUES ";
    assert_eq!(
        violated_constraint(&ledger, &format!("{balance} ($1)")).await,
        "balances_pkey"
    );
    assert_eq!(
        violated_constraint(&ledger, &format!("{balance} (gen_random_uuid())")).await,
        "balances_account"
    );
    ledger.close().await;
}

#[tokio::test]
async fn invalid_postings_violate_a_constraint() {
    let ledger = TestLedger::create().await;
    let post = "INSERT INTO ledger.postings (id, reference, from_account, to_account, unit, amount, kind, explanation, at,
                                             from_line, from_balance, to_line, to_balance) ";
    for (values, constraint) in [
        (
            "gen_random_uuid(), 'r', $2, $1, 'usd', 0, 'k', 'e', now(), NULL, NULL, 2, 2",
            "postings_amount_positive",
        ),
        (
            "gen_random_uuid(), 'r', $2, $1, 'usd', 1, 'k', 'e', now(), 1, NULL, 2, 2",
            "postings_from_line_with_balance",
        ),
        (
            "gen_random_uuid(), 'r', $2, $1, 'usd', 1, 'k', 'e', now(), NULL, NULL, 2, NULL",
            "postings_to_line_with_balance",
        ),
        (
            "gen_random_uuid(), 'r', $2, $1, 'usd', 1, 'k', 'e', now(), NULL, NULL, 1, 1",
            "postings_to_lines",
        ),
    ] {
        assert_eq!(
            violated_constraint(&ledger, &format!("{post} VALUES ({values})")).await,
            constraint
        );
    }
    let duplicate = "SELECT id, 'r', from_account, to_account, unit, 1, 'k', 'e', at, 1, 1, NULL, NULL FROM ledger.postings
                 WHERE to_account = $1";
    assert_eq!(
        violated_constraint(&ledger, &format!("{post} {duplicate}")).await,
        "postings_pkey"
    );
    ledger.close().await;
}
