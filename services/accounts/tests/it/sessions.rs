use std::time::Duration;

use accounts::ops::{
    get_profile::get_profile,
    get_session::{SessionError, get_session},
    logout::logout,
    set_name::{NameError, set_name},
};
use proto::accounts::v1::SetNameRequest;
use types::ConsumerId;

use crate::harness::Harness;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn a_session_rolls_on_while_it_is_used() {
    let harness = Harness::new().await;
    let token = harness.signs_in("4155550123", "").await.session_token;
    harness.later(80 * DAY);
    get_session(&harness.cx, &token).await.unwrap();
    harness.later(80 * DAY);
    get_session(&harness.cx, &token).await.unwrap();
    harness.later(91 * DAY);
    assert!(matches!(
        get_session(&harness.cx, &token).await,
        Err(SessionError::None)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn an_ended_session_is_nobodys_and_others_go_on() {
    let harness = Harness::new().await;
    let ended = harness.signs_in("4155550123", "").await.session_token;
    harness.later(Duration::from_secs(60));
    let other = harness.signs_in("4155550123", "").await.session_token;
    logout(&harness.cx, &ended).await.unwrap();
    logout(&harness.cx, &ended).await.unwrap();
    logout(&harness.cx, "no token of ours").await.unwrap();
    assert!(matches!(
        get_session(&harness.cx, &ended).await,
        Err(SessionError::None)
    ));
    get_session(&harness.cx, &other).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_hash_of_a_token_is_kept() {
    let harness = Harness::new().await;
    let token = harness.signs_in("4155550123", "").await.session_token;
    let kept: Vec<u8> = sqlx::query_scalar("SELECT token_hash FROM sessions")
        .fetch_one(&harness.cx.pool)
        .await
        .unwrap();
    assert_ne!(kept, token.as_bytes());
    assert!(matches!(
        get_session(&harness.cx, &format!("{kept:?}")).await,
        Err(SessionError::None)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_name_is_kept_and_a_bad_one_is_not() {
    let harness = Harness::new().await;
    let consumer: ConsumerId = harness
        .signs_in("4155550123", "")
        .await
        .session
        .unwrap()
        .consumer_id
        .parse()
        .unwrap();
    let name = |first: &str, email: Option<&str>| SetNameRequest {
        first_name: first.to_owned(),
        last_name: "Torres".to_owned(),
        email: email.map(str::to_owned),
    };
    set_name(&harness.cx, consumer, name(" Maya ", Some("maya@example.com")))
        .await
        .unwrap();
    assert!(matches!(
        set_name(&harness.cx, consumer, name("", None)).await,
        Err(NameError::Invalid("firstName"))
    ));
    assert!(matches!(
        set_name(&harness.cx, consumer, name("Maya", Some("x"))).await,
        Err(NameError::Invalid("email"))
    ));
    let profile = get_profile(&harness.cx, consumer).await.unwrap();
    assert_eq!(
        (profile.first_name.as_str(), profile.email.as_str()),
        ("Maya", "maya@example.com")
    );
    assert!(
        !harness
            .signs_in("415 555 0124", "")
            .await
            .profile
            .unwrap()
            .share_code
            .is_empty()
    );
    harness.database.drop().await;
}
