//! Removal of consumers.

use std::time::Duration;

use accounts::{
    domain::{profile::SetName, secret, session::NewSession, settings::SaveSettings},
    ops::{
        create_hand_over_code::create_hand_over_code,
        get_session::get_session,
        login::LoginError,
        remove_consumer::{RemoveConsumerError, remove_consumer},
        save_settings::save_settings,
        set_name::set_name,
        verify::VerifyError,
    },
};
use redis::AsyncTypedCommands;
use types::session_cache::session_cache_key;

use crate::{
    fake_ordering::client_of,
    harness::{Harness, redis_url},
};

const PHONE: &str = "(415) 555-0123";

/// Texts that identify the consumer of [`PHONE`], as stored.
const PERSONAL: [&str; 4] = ["4155550123", "Wilhelmina", "Fortescue", "mina@example.com"];

async fn remove(harness: &Harness, session: &NewSession) -> Result<(), RemoveConsumerError> {
    remove_consumer(&harness.cx, session.session.consumer_id, session.session.id).await
}

/// Signs in on two devices and gives all data that accounts stores.
async fn consumer_with_data(harness: &Harness) -> [NewSession; 2] {
    let old = harness.sign_in(PHONE, "old phone").await;
    harness.advance(Duration::from_mins(1));
    let new = harness.sign_in(PHONE, "new phone").await;
    let consumer = new.session.consumer_id;
    let name = SetName {
        first_name: "Wilhelmina".to_owned(),
        last_name: "Fortescue".to_owned(),
        email: Some("mina@example.com".to_owned()),
    };
    set_name(&harness.cx, consumer, name).await.unwrap();
    let settings = SaveSettings {
        vehicle: Some("Wilhelmina's van".to_owned()),
        ..SaveSettings::default()
    };
    save_settings(&harness.cx, consumer, settings).await.unwrap();
    create_hand_over_code(&harness.cx, new.session.id, "")
        .await
        .unwrap();
    harness.advance(Duration::from_mins(1));
    harness.login(PHONE, "a third phone").await.unwrap();
    assert!(harness.verify(PHONE, "000000", "a third phone").await.is_err());
    [old, new]
}

/// Returns the tables with a row that contains one of the texts.
async fn tables_with(harness: &Harness, texts: &[&str]) -> Vec<String> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'",
    )
    .fetch_all(&harness.cx.pool)
    .await
    .unwrap();
    let mut found = Vec::new();
    for table in tables {
        let query = format!(r#"SELECT count(*) FROM "{table}" AS row WHERE row::text LIKE '%' || $1 || '%'"#);
        for text in texts {
            let rows: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(query.clone()))
                .bind(text)
                .fetch_one(&harness.cx.pool)
                .await
                .unwrap();
            if rows > 0 {
                found.push(format!("{table}: {text}"));
            }
        }
    }
    found
}

#[tokio::test]
async fn no_row_contains_data_of_a_removed_consumer() {
    let harness = Harness::new().await;
    let [_, session] = consumer_with_data(&harness).await;
    harness.sign_in("4155550199", "another consumer").await;
    for text in PERSONAL {
        assert!(!tables_with(&harness, &[text]).await.is_empty(), "{text}");
    }
    remove(&harness, &session).await.unwrap();
    assert_eq!(tables_with(&harness, &PERSONAL).await, [""; 0]);
    assert_eq!(harness.count("consumers").await, 1);
    assert_eq!(harness.count("sessions").await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn removal_ends_all_sessions_and_publishes_one_event() {
    let harness = Harness::new().await;
    let sessions = consumer_with_data(&harness).await;
    // The response to the first call may be lost.
    for _ in 0..2 {
        remove(&harness, &sessions[1]).await.unwrap();
    }
    let client = redis::Client::open(redis_url()).unwrap();
    let mut cache = client.get_multiplexed_async_connection().await.unwrap();
    for session in &sessions {
        assert!(get_session(&harness.cx, &session.token).await.is_err());
        let cached = cache
            .get(session_cache_key(&secret::token_hash(&session.token)))
            .await
            .unwrap();
        assert_eq!(cached.as_deref(), Some("ended"));
    }
    assert_eq!(
        harness.database.outbox_event_types().await,
        ["accounts.ConsumerRegistered", "accounts.ConsumerRemoved"]
    );
    assert_eq!(harness.count("session_tombstones").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removal_ends_a_session_that_is_being_handed_over() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "phone").await;
    let token_hash = secret::token_hash("token of the new session");
    let mut exchange = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query(
        "INSERT INTO sessions (id, consumer_id, token_hash, device_name, created_at, seen_at, expires_at, journey_step)
         SELECT gen_random_uuid(), consumer_id, $2, device_name, created_at, seen_at, expires_at, journey_step
         FROM sessions WHERE id = $1",
    )
    .bind(session.session.id.uuid())
    .bind(token_hash.as_slice())
    .execute(&mut *exchange)
    .await
    .unwrap();
    let finish = async {
        harness.database.wait_for_blocked(1).await;
        exchange.commit().await.unwrap();
    };
    let (removed, ()) = tokio::join!(remove(&harness, &session), finish);
    removed.unwrap();
    let client = redis::Client::open(redis_url()).unwrap();
    let mut cache = client.get_multiplexed_async_connection().await.unwrap();
    let cached = cache.get(session_cache_key(&token_hash)).await.unwrap();
    assert_eq!(cached.as_deref(), Some("ended"));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removed_consumer_can_register_again_as_a_new_one() {
    let harness = Harness::new().await;
    let [_, session] = consumer_with_data(&harness).await;
    let code = harness.request_code(PHONE, "new phone").await;
    remove(&harness, &session).await.unwrap();
    assert!(matches!(
        harness.verify(PHONE, &code, "new phone").await,
        Err(VerifyError::IncorrectCode)
    ));
    harness.advance(Duration::from_mins(1));
    let again = harness.sign_in(PHONE, "new phone").await;
    assert_ne!(again.session.consumer_id, session.session.consumer_id);
    assert!(again.profile.first_name.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removal_does_not_reset_the_limits_of_the_number() {
    let harness = Harness::new().await;
    let mut session = harness.sign_in(PHONE, "phone").await;
    let mut sent = 1;
    loop {
        remove(&harness, &session).await.unwrap();
        // Less than half a minute since the last code.
        assert!(matches!(
            harness.login(PHONE, "phone").await,
            Err(LoginError::TooManyCodes { .. })
        ));
        harness.advance(Duration::from_mins(1));
        match harness.login(PHONE, "phone").await {
            Ok(_) => sent += 1,
            Err(LoginError::TooManyCodes { retry_after }) => {
                assert!(retry_after > Duration::from_mins(50), "{retry_after:?}");
                break;
            }
            Err(error) => panic!("{error}"),
        }
        assert!(sent <= harness.cx.rules.sign_in_codes_per_hour, "{sent}");
        let code = harness.latest_code(PHONE).await;
        session = harness.verify(PHONE, &code, "phone").await.unwrap();
    }
    assert_eq!(sent, harness.cx.rules.sign_in_codes_per_hour);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removal_does_not_reset_the_attempts_at_codes() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "phone").await;
    harness.advance(Duration::from_mins(1));
    // On a device that did not sign in before. The first attempt was successful.
    let mut attempts = 1;
    while attempts < harness.cx.rules.sign_in_attempts_per_hour {
        let result = harness.verify(PHONE, "000000", "stranger").await;
        assert!(matches!(result, Err(VerifyError::IncorrectCode)), "{result:?}");
        attempts += 1;
    }
    remove(&harness, &session).await.unwrap();
    let code = harness.request_code(PHONE, "stranger").await;
    assert!(matches!(
        harness.verify(PHONE, &code, "stranger").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.advance(Duration::from_mins(61));
    harness.sign_in(PHONE, "stranger").await;
    harness.database.drop().await;
}

#[tokio::test]
async fn a_consumer_with_an_active_order_is_not_removed() {
    let harness = Harness::new().await;
    let [_, session] = consumer_with_data(&harness).await;
    harness.ordering.set_active_orders(1);
    assert!(matches!(
        remove(&harness, &session).await,
        Err(RemoveConsumerError::HasActiveOrder)
    ));
    get_session(&harness.cx, &session.token).await.unwrap();
    harness.ordering.set_active_orders(0);
    remove(&harness, &session).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn nothing_is_removed_while_ordering_is_unavailable() {
    let mut harness = Harness::new().await;
    let [_, session] = consumer_with_data(&harness).await;
    harness.cx.ordering = client_of("http://127.0.0.1:1");
    assert!(matches!(
        remove(&harness, &session).await,
        Err(RemoveConsumerError::Internal(_))
    ));
    get_session(&harness.cx, &session.token).await.unwrap();
    harness.database.drop().await;
}
