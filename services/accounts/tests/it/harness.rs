use std::{sync::Arc, time::Duration};

use accounts::{
    Accounts, MIGRATOR,
    config::Rules,
    domain::{secret::Secret, session::NewSession},
    ops::{login, verify},
};
use jiff::{SignedDuration, Timestamp};
use testing::Database;
use types::ManualClock;

/// The service with its own database and clock.
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
                sign_in_attempts_per_code: 5,
                sign_in_attempts_per_hour: 10,
                sign_in_codes_per_hour: 6,
                sign_in_codes_per_prefix_per_hour: 50,
                sign_in_codes_in_total_per_hour: 1000,
                session_days: 90,
            },
        };
        Self { cx, clock, database }
    }

    pub fn advance(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    /// Requests a code and reads it from the queued message.
    pub async fn request_code(&self, phone: &str) -> String {
        let sent = login::login(&self.cx, phone).await.unwrap();
        let body: String =
            sqlx::query_scalar("SELECT body FROM messages WHERE phone = $1 ORDER BY created_at DESC LIMIT 1")
                .bind(sent.phone.as_str())
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
        body.chars().take(6).collect()
    }

    pub async fn sign_in(&self, phone: &str, device_id: &str) -> NewSession {
        let code = self.request_code(phone).await;
        verify::verify(&self.cx, phone, &code, device_id).await.unwrap()
    }
}
