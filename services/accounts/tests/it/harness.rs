//! Speaks of consumers, codes and time.

use std::{sync::Arc, time::Duration};

use accounts::{
    Accounts, MIGRATOR,
    config::Rules,
    domain::secret::Secret,
    ops::{login, verify},
};
use jiff::{SignedDuration, Timestamp};
use proto::accounts::v1 as pb;
use testing::Database;
use types::ManualClock;

/// A service of its own on a database of its own, at a time of its own.
pub struct Harness {
    pub cx: Accounts,
    pub clock: Arc<ManualClock>,
    pub database: Database,
}

impl Harness {
    pub async fn new() -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let clock = Arc::new(ManualClock::at(
            "2026-11-20T16:00:00Z".parse::<Timestamp>().unwrap(),
        ));
        let cx = Accounts {
            pool: database.pool.clone(),
            clock: clock.clone(),
            secret: Secret::new(&"a secret for tests, of 32 bytes.".into()).unwrap(),
            rules: Rules {
                sign_in_code_seconds: 600,
                sign_in_resend_seconds: 30,
                sign_in_tries_a_code: 5,
                sign_in_tries_an_hour: 10,
                sign_in_codes_an_hour: 6,
                sign_in_codes_a_prefix_an_hour: 50,
                sign_in_codes_in_all_an_hour: 1000,
                session_days: 90,
            },
        };
        Self { cx, clock, database }
    }

    pub fn later(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    /// Asks for a code and reads it out of the message that waits to be sent.
    pub async fn code_for(&self, phone: &str) -> String {
        let e164 = login::login(&self.cx, phone).await.unwrap().phone;
        let body: String =
            sqlx::query_scalar("SELECT body FROM messages WHERE phone = $1 ORDER BY created_at DESC LIMIT 1")
                .bind(e164)
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
        body.chars().take(6).collect()
    }

    pub async fn signs_in(&self, phone: &str, device: &str) -> pb::VerifyResponse {
        let code = self.code_for(phone).await;
        verify::verify(&self.cx, phone, &code, device).await.unwrap()
    }
}
