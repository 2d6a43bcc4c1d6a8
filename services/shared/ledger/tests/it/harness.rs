//! A ledger in its own database, and postings for it.

use jiff::Timestamp;
use ledger::{
    AccountId, AuditFinding, AuditRules, HoldRules, LiveHold, LiveHoldsFuture, Overdraft, PostError, Posted,
    Posting, StatementLine, Unit, account,
};
use sqlx::{PgConnection, PgPool};
use testing::Database;
pub use testing::at;
use types::Page;
use uuid::Uuid;

/// System account that money enters and leaves through.
pub const BANK: AccountId = AccountId::fixed(1);
/// System account of the amounts held for orders.
pub const IN_FLIGHT: AccountId = AccountId::fixed(2);

/// Rules of a ledger in which balances may be negative.
pub const RULES: AuditRules = AuditRules {
    overdraft: Overdraft::Allowed,
    holds: None,
};

/// Rules of a ledger with the holds of a table `holds`, which the test creates.
pub const HOLD_RULES: AuditRules = AuditRules {
    overdraft: Overdraft::Forbidden,
    holds: Some(HoldRules {
        in_flight: IN_FLIGHT,
        live_holds: read_live_holds,
    }),
};

fn read_live_holds(conn: &mut PgConnection) -> LiveHoldsFuture<'_> {
    Box::pin(async move {
        let rows: Vec<(Uuid, i64)> = sqlx::query_as("SELECT order_id, amount FROM holds")
            .fetch_all(conn)
            .await?;
        let holds = rows.into_iter();
        Ok(holds
            .map(|(subject, amount)| LiveHold { subject, amount })
            .collect())
    })
}

pub struct TestLedger {
    database: Database,
}

impl TestLedger {
    /// Creates a ledger with the system accounts only.
    pub async fn create() -> Self {
        let database = Database::create(&[&ledger::MIGRATOR]).await;
        for (account, kind) in [(BANK, "bank"), (IN_FLIGHT, "in_flight")] {
            sqlx::query(
                "INSERT INTO ledger.accounts (id, kind, unit, opened_at) VALUES ($1, $2, 'usd', now())",
            )
            .bind(account.uuid())
            .bind(kind)
            .execute(&database.pool)
            .await
            .unwrap();
        }
        Self { database }
    }

    pub fn pool(&self) -> &PgPool {
        &self.database.pool
    }

    /// Opens an account for a new owner and deposits `cents`.
    pub async fn account_with(&self, cents: i64) -> AccountId {
        self.account_of(Uuid::new_v4(), cents).await
    }

    /// Opens an account for this owner and deposits `cents`.
    pub async fn account_of(&self, owner: Uuid, cents: i64) -> AccountId {
        let mut conn = self.pool().acquire().await.unwrap();
        let account = account::open(&mut conn, "joepass", owner, Unit::Usd, at())
            .await
            .unwrap();
        if cents > 0 {
            self.post(deposit(&format!("deposit:{owner}"), account, cents))
                .await
                .unwrap();
        }
        account
    }

    /// Posts in a transaction of its own.
    pub async fn post(&self, posting: Posting<'_>) -> Result<Posted, PostError> {
        let mut tx = kit::postgres::begin(self.pool()).await.unwrap();
        let posted = ledger::post(&mut tx, posting).await?;
        tx.commit().await.unwrap();
        Ok(posted)
    }

    pub async fn balance(&self, account: AccountId) -> i64 {
        let mut conn = self.pool().acquire().await.unwrap();
        account::balance(&mut conn, account).await.unwrap().unwrap()
    }

    /// Sets a balance without a posting, so that the ledger no longer balances.
    pub async fn set_balance(&self, account: AccountId, cents: i64) {
        sqlx::query("UPDATE ledger.balances SET balance = $2 WHERE account_id = $1")
            .bind(account.uuid())
            .bind(cents)
            .execute(self.pool())
            .await
            .unwrap();
    }

    pub async fn statement(&self, account: AccountId, take: u32, skip: u32) -> Vec<StatementLine> {
        let mut conn = self.pool().acquire().await.unwrap();
        ledger::statement(&mut conn, account, Page::new(take, skip, 100))
            .await
            .unwrap()
    }

    pub async fn combined_statement(
        &self,
        accounts: &[AccountId],
        kind_prefix: &str,
        take: u32,
        skip: u32,
    ) -> Vec<StatementLine> {
        let mut conn = self.pool().acquire().await.unwrap();
        ledger::combined_statement(&mut conn, accounts, kind_prefix, Page::new(take, skip, 100))
            .await
            .unwrap()
    }

    /// Asserts that the ledger balances, and returns the number of postings.
    pub async fn audit(&self) -> i64 {
        let audit = ledger::audit_all(self.pool(), &RULES).await.unwrap();
        assert_eq!(audit.findings, []);
        audit.postings
    }

    /// Executes SQL without the trigger that protects postings, as a superuser could.
    pub async fn corrupt(&self, sql: &'static str) {
        for sql in [
            "ALTER TABLE ledger.postings DISABLE TRIGGER postings_append_only",
            sql,
            "ALTER TABLE ledger.postings ENABLE TRIGGER postings_append_only",
        ] {
            sqlx::raw_sql(sql).execute(self.pool()).await.unwrap();
        }
    }

    /// Returns the findings of an audit of the whole ledger.
    pub async fn findings(&self, rules: &AuditRules) -> Vec<AuditFinding> {
        ledger::audit_all(self.pool(), rules).await.unwrap().findings
    }

    /// Returns the findings of an incremental audit, and the number of postings that it read.
    pub async fn new_findings(&self, rules: &AuditRules) -> (Vec<AuditFinding>, i64) {
        let audit = ledger::audit_new(self.pool(), rules).await.unwrap().unwrap();
        (audit.findings, audit.postings)
    }

    /// Drops the database of a corrupted ledger.
    pub async fn discard(self) {
        self.database.drop().await;
    }

    /// Audits the ledger and drops the database.
    pub async fn close(self) {
        self.audit().await;
        self.database.drop().await;
    }
}

pub fn deposit(reference: &str, to: AccountId, amount: i64) -> Posting<'_> {
    transfer(reference, BANK, to, amount)
}

/// A posting that holds an amount for an order.
pub fn hold(reference: &str, from: AccountId, amount: i64) -> Posting<'_> {
    transfer(reference, from, IN_FLIGHT, amount)
}

pub fn transfer(reference: &str, from: AccountId, to: AccountId, amount: i64) -> Posting<'_> {
    Posting {
        reference,
        from,
        to,
        unit: Unit::Usd,
        amount,
        overdraft: Overdraft::Forbidden,
        kind: "transfer",
        explanation: "Transfer in a test",
        subject: None,
        at: at(),
    }
}

/// One hour after [`at`].
pub fn one_hour_later() -> Timestamp {
    at() + jiff::SignedDuration::from_hours(1)
}
