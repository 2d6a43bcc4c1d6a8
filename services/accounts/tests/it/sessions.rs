use std::time::Duration;

use accounts::{
    domain::profile::SetName,
    ops::{
        get_profile::get_profile,
        get_session::{GetSessionError, get_session},
        logout::logout,
        set_name::{SetNameError, set_name},
    },
};

use crate::harness::Harness;

const DAY: Duration = Duration::from_hours(24);

async fn is_unauthenticated(harness: &Harness, token: &str) -> bool {
    matches!(
        get_session(&harness.cx, token).await,
        Err(GetSessionError::Unauthenticated)
    )
}

#[tokio::test]
async fn a_session_is_extended_while_it_is_used_and_expires_otherwise() {
    let harness = Harness::new().await;
    let token = harness.sign_in("4155550123", "").await.token;
    harness.advance(80 * DAY);
    get_session(&harness.cx, &token).await.unwrap();
    harness.advance(80 * DAY);
    get_session(&harness.cx, &token).await.unwrap();
    harness.advance(91 * DAY);
    assert!(is_unauthenticated(&harness, &token).await);
    harness.database.drop().await;
}

#[tokio::test]
async fn logout_ends_one_session_and_is_repeatable() {
    let harness = Harness::new().await;
    let ended = harness.sign_in("4155550123", "").await.token;
    harness.advance(Duration::from_mins(1));
    let other = harness.sign_in("4155550123", "").await.token;
    logout(&harness.cx, &ended).await.unwrap();
    logout(&harness.cx, &ended).await.unwrap();
    logout(&harness.cx, "unknown token").await.unwrap();
    assert!(is_unauthenticated(&harness, &ended).await);
    get_session(&harness.cx, &other).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_stored() {
    let harness = Harness::new().await;
    let token = harness.sign_in("4155550123", "").await.token;
    let stored: Vec<u8> = sqlx::query_scalar("SELECT token_hash FROM sessions")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_ne!(stored, token.as_bytes());
    assert!(is_unauthenticated(&harness, &format!("{stored:?}")).await);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_valid_name_is_stored_and_an_invalid_one_is_rejected() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in("4155550123", "").await.profile.id;
    let command = |first: &str, email: Option<&str>| SetName {
        first_name: first.to_owned(),
        last_name: "Torres".to_owned(),
        email: email.map(str::to_owned),
    };
    set_name(&harness.cx, consumer, command(" Maya ", Some("maya@example.com")))
        .await
        .unwrap();
    assert!(matches!(
        set_name(&harness.cx, consumer, command("", None)).await,
        Err(SetNameError::InvalidFirstName)
    ));
    assert!(matches!(
        set_name(&harness.cx, consumer, command("Maya", Some("x"))).await,
        Err(SetNameError::InvalidEmail(_))
    ));
    let profile = get_profile(&harness.cx, consumer).await.unwrap();
    assert_eq!(
        (profile.first_name.as_str(), profile.email.as_str()),
        ("Maya", "maya@example.com")
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn a_new_consumer_has_a_share_code() {
    let harness = Harness::new().await;
    let profile = harness.sign_in("415 555 0124", "").await.profile;
    assert!(!profile.share_code.is_empty());
    harness.database.drop().await;
}
