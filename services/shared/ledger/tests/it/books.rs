//! A ledger to try things on.

use jiff::Timestamp;
use ledger::{AccountId, Overdraft, PostError, Posted, Posting, Unit};
use sqlx::PgPool;
use testing::Database;
use types::Page;
use uuid::Uuid;

/// A system account: where value comes from and goes to.
pub const BANK: AccountId = AccountId::fixed(1);
/// A system account: what orders hold.
pub const IN_FLIGHT: AccountId = AccountId::fixed(2);

/// A ledger in a database of its own.
pub struct Books {
    database: Database,
}

impl Books {
    /// An empty ledger with the system accounts.
    pub async fn open() -> Self {
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

    /// Connections to it.
    pub fn pool(&self) -> &PgPool {
        &self.database.pool
    }

    /// Somebody's account with so many cents on it.
    pub async fn account_with(&self, cents: i64) -> AccountId {
        let owner = Uuid::new_v4();
        let mut conn = self.pool().acquire().await.unwrap();
        let account = ledger::account::open(&mut conn, "joepass", owner, Unit::Usd, at())
            .await
            .unwrap();
        if cents > 0 {
            self.post(grant(&format!("grant:{owner}"), account, cents))
                .await
                .unwrap();
        }
        account
    }

    /// Posts in a transaction of its own.
    pub async fn post(&self, posting: Posting<'_>) -> Result<Posted, PostError> {
        let mut tx = self.pool().begin().await.unwrap();
        let posted = ledger::post(&mut tx, posting).await?;
        tx.commit().await.unwrap();
        Ok(posted)
    }

    /// What is on an account.
    pub async fn balance(&self, account: AccountId) -> i64 {
        let mut conn = self.pool().acquire().await.unwrap();
        ledger::account::balance(&mut conn, account)
            .await
            .unwrap()
            .unwrap()
    }

    /// An account's newest lines.
    pub async fn lines(&self, account: AccountId, take: u32, skip: u32) -> Vec<ledger::Line> {
        let mut conn = self.pool().acquire().await.unwrap();
        ledger::lines(&mut conn, account, Page::new(take, skip, 100))
            .await
            .unwrap()
    }

    /// Proves that the books balance and says how many postings they hold.
    pub async fn audit(&self) -> i64 {
        let mut conn = self.pool().acquire().await.unwrap();
        let audit = ledger::audit(&mut conn).await.unwrap();
        assert_eq!(audit.faults, []);
        audit.postings
    }

    /// Ends it, after a last audit.
    pub async fn close(self) {
        self.audit().await;
        self.database.drop().await;
    }
}

/// The instant that all tests happen at.
pub fn at() -> Timestamp {
    Timestamp::from_second(1_790_000_000).unwrap()
}

/// Value from outside.
pub fn grant(reference: &str, to: AccountId, amount: i64) -> Posting<'_> {
    moving(reference, BANK, to, amount)
}

/// Value held for an order.
pub fn hold(reference: &str, from: AccountId, amount: i64) -> Posting<'_> {
    moving(reference, from, IN_FLIGHT, amount)
}

/// Any movement.
pub fn moving(reference: &str, from: AccountId, to: AccountId, amount: i64) -> Posting<'_> {
    Posting {
        reference,
        from,
        to,
        unit: Unit::Usd,
        amount,
        overdraft: Overdraft::Refused,
        kind: "moved",
        explanation: "Moved for a test",
        subject: None,
        at: at(),
    }
}
