use std::{path::PathBuf, sync::Arc, time::Duration};

use accounts::{
    Accounts, MIGRATOR, NotificationRules,
    clients::{photo_store::PhotoStore, session_cache::SessionCache},
    config::Rules,
    domain::{
        push::PushHosts,
        secret::{AppKey, Secret},
        session::NewSession,
        sign_in::{SentCode, VerifyCommand},
    },
    ops::{
        login::{self, LoginError},
        verify::{self, VerifyError},
    },
};
use contacts::{Countries, Phone};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use testing::Database;
use tokio::sync::Semaphore;
use types::ManualClock;
use uuid::Uuid;

use crate::fake_ordering::FakeOrdering;

/// The service with its own database and clock.
pub struct Harness {
    pub cx: Accounts,
    pub clock: Arc<ManualClock>,
    pub database: Database,
    pub ordering: FakeOrdering,
    pub photo_folder: PathBuf,
}

/// Key of the native app.
pub const APP_KEY: &str = "a key of the native app, 32 bytes";

impl Harness {
    pub async fn new() -> Self {
        let database = Database::create(&[&MIGRATOR]).await;
        let ordering = FakeOrdering::start().await;
        let photo_folder = std::env::temp_dir().join(format!("orderahead-photos-{}", Uuid::new_v4()));
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
            countries: Countries::parse("US,CA").unwrap(),
            demo_login: None,
            session_cache: SessionCache::new(&redis_url().into()).unwrap(),
            ordering: ordering.client(),
            app_key: AppKey::from_setting(Some(&APP_KEY.into())).unwrap(),
            photos: PhotoStore::in_folder(photo_folder.clone()).unwrap(),
            photo_decoding: Arc::new(Semaphore::new(1)),
            photo_uploads: Arc::new(Semaphore::new(accounts::MAX_PHOTO_UPLOADS)),
            notifications: NotificationRules {
                push_hosts: PushHosts::parse("push.example.com"),
                push_key: String::new(),
                has_push: false,
                has_email: false,
                origin: "https://order.example.com".to_owned(),
                default_time_zone: TimeZone::get("America/Los_Angeles").unwrap(),
            },
        };
        Self {
            cx,
            clock,
            database,
            ordering,
            photo_folder,
        }
    }

    pub fn advance(&self, time: Duration) {
        self.clock.advance(SignedDuration::try_from(time).unwrap());
    }

    pub async fn login(&self, phone: &str, device_id: &str) -> Result<SentCode, LoginError> {
        login::login(&self.cx, phone, device_id).await
    }

    pub async fn verify(&self, phone: &str, code: &str, device_id: &str) -> Result<NewSession, VerifyError> {
        let command = VerifyCommand {
            phone: phone.to_owned(),
            code: code.to_owned(),
            device_id: device_id.to_owned(),
            user_agent: "Mozilla/5.0 (iPhone) Version/18.1 Safari/604.1".to_owned(),
            share_code: String::new(),
        };
        verify::verify(&self.cx, &command).await
    }

    /// Requests a code and reads it from the queued message.
    pub async fn request_code(&self, phone: &str, device_id: &str) -> String {
        self.login(phone, device_id).await.unwrap();
        self.latest_code(phone).await
    }

    /// Reads the code from the latest queued message.
    pub async fn latest_code(&self, phone: &str) -> String {
        let phone = Phone::parse(phone, &self.cx.countries).unwrap();
        let body: String =
            sqlx::query_scalar("SELECT body FROM messages WHERE phone = $1 ORDER BY created_at DESC LIMIT 1")
                .bind(phone.as_str())
                .fetch_one(&self.cx.pool)
                .await
                .unwrap();
        body.chars().take(6).collect()
    }

    pub async fn sign_in(&self, phone: &str, device_id: &str) -> NewSession {
        let code = self.request_code(phone, device_id).await;
        self.verify(phone, &code, device_id).await.unwrap()
    }

    pub async fn count(&self, table: &str) -> i64 {
        let query = format!("SELECT count(*) FROM {table}");
        sqlx::query_scalar(sqlx::AssertSqlSafe(query))
            .fetch_one(&self.cx.pool)
            .await
            .unwrap()
    }
}

pub fn redis_url() -> String {
    std::env::var("TEST_REDIS_URL").unwrap_or_else(|_| "redis://127.0.0.1:7279".to_owned())
}

/// Returns a code that differs from `code`.
pub fn incorrect_code(code: &str) -> &'static str {
    if code == "000000" { "000001" } else { "000000" }
}
