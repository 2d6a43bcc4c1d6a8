//! Codes that hand a session over to another client.

use std::time::Duration;

use accounts::{
    domain::{hand_over::ExchangeHandOverCode, journey_step::JourneyStep, session::NewSession},
    ops::{
        create_hand_over_code::{CreateHandOverCodeError, create_hand_over_code},
        exchange_hand_over_code::{ExchangeHandOverCodeError, exchange_hand_over_code},
        get_session::get_session,
        logout::logout,
    },
};
use futures::future::join_all;
use types::ConsumerId;

use crate::harness::{APP_KEY, Harness};

const PHONE: &str = "(415) 555-0123";

async fn new_code(harness: &Harness, session: &NewSession, app_key: &str) -> String {
    create_hand_over_code(&harness.cx, session.session.id, app_key)
        .await
        .unwrap()
        .code
}

async fn exchange(
    harness: &Harness,
    code: &str,
    current_consumer: Option<ConsumerId>,
    replaces_consumer: bool,
) -> Result<NewSession, ExchangeHandOverCodeError> {
    let command = ExchangeHandOverCode {
        code: code.to_owned(),
        current_consumer,
        replaces_consumer,
        device_id: "web view".to_owned(),
        user_agent: String::new(),
    };
    exchange_hand_over_code(&harness.cx, &command).await
}

#[tokio::test]
async fn a_code_is_exchanged_once_for_a_session_of_the_same_consumer() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "app").await;
    let code = new_code(&harness, &session, "").await;
    let mut exchanged: Vec<_> = join_all((0..8).map(|_| exchange(&harness, &code, None, false)))
        .await
        .into_iter()
        .filter_map(Result::ok)
        .collect();
    assert_eq!(exchanged.len(), 1);
    let new = exchanged.remove(0);
    assert_eq!(new.session.consumer_id, session.session.consumer_id);
    assert_ne!(new.token, session.token);
    for token in [&new.token, &session.token] {
        get_session(&harness.cx, token).await.unwrap();
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_is_invalid_once_a_removal_in_progress_ends() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "app").await;
    let code = new_code(&harness, &session, "").await;
    let consumer = session.session.consumer_id.uuid();
    let mut removal = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT FROM consumers WHERE id = $1 FOR UPDATE")
        .bind(consumer)
        .execute(&mut *removal)
        .await
        .unwrap();
    let remove = async {
        harness.database.wait_for_blocked(1).await;
        sqlx::query("DELETE FROM consumers WHERE id = $1")
            .bind(consumer)
            .execute(&mut *removal)
            .await
            .unwrap();
        removal.commit().await.unwrap();
    };
    let (exchanged, ()) = tokio::join!(exchange(&harness, &code, None, false), remove);
    assert!(matches!(exchanged, Err(ExchangeHandOverCodeError::InvalidCode)));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_expires_and_ends_with_its_session() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "app").await;
    let (expired, ended) = (
        new_code(&harness, &session, "").await,
        new_code(&harness, &session, "").await,
    );
    harness.advance(Duration::from_secs(59));
    let last_second = new_code(&harness, &session, "").await;
    harness.advance(Duration::from_secs(1));
    for invalid in [&expired, "unknown", ""] {
        assert!(matches!(
            exchange(&harness, invalid, None, false).await,
            Err(ExchangeHandOverCodeError::InvalidCode)
        ));
    }
    exchange(&harness, &last_second, None, false).await.unwrap();
    let after = new_code(&harness, &session, "").await;
    logout(&harness.cx, &session.token).await.unwrap();
    for code in [&ended, &after] {
        assert!(exchange(&harness, code, None, false).await.is_err());
    }
    assert!(matches!(
        create_hand_over_code(&harness.cx, session.session.id, "").await,
        Err(CreateHandOverCodeError::Unauthenticated)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_code_does_not_replace_another_consumer_without_confirmation() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "app").await;
    let other = harness
        .sign_in("4155550199", "web view")
        .await
        .session
        .consumer_id;
    let code = new_code(&harness, &session, "").await;
    for _ in 0..2 {
        assert!(matches!(
            exchange(&harness, &code, Some(other), false).await,
            Err(ExchangeHandOverCodeError::OtherConsumer)
        ));
    }
    let new = exchange(&harness, &code, Some(other), true).await.unwrap();
    assert_eq!(new.session.consumer_id, session.session.consumer_id);
    let code = new_code(&harness, &session, "").await;
    exchange(&harness, &code, Some(session.session.consumer_id), false)
        .await
        .unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn only_the_key_of_the_app_makes_a_session_one_of_the_app() {
    let mut harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "app").await;
    let step = async |harness: &Harness, session: &NewSession| {
        get_session(&harness.cx, &session.token)
            .await
            .unwrap()
            .journey_step
    };
    assert_eq!(step(&harness, &session).await, JourneyStep::Web);
    let code = new_code(&harness, &session, "").await;
    let web = exchange(&harness, &code, None, false).await.unwrap();
    assert_eq!(step(&harness, &web).await, JourneyStep::Web);
    let code = new_code(&harness, &session, APP_KEY).await;
    let app = exchange(&harness, &code, None, false).await.unwrap();
    assert_eq!(step(&harness, &app).await, JourneyStep::App);
    // A session of the app hands its step over.
    let code = new_code(&harness, &app, "").await;
    let again = exchange(&harness, &code, None, false).await.unwrap();
    assert_eq!(step(&harness, &again).await, JourneyStep::App);

    let wrong = create_hand_over_code(&harness.cx, session.session.id, "a key that is not the app's").await;
    assert!(matches!(wrong, Err(CreateHandOverCodeError::WrongAppKey)));
    harness.cx.app_key = None;
    let not_configured = create_hand_over_code(&harness.cx, session.session.id, APP_KEY).await;
    assert!(matches!(
        not_configured,
        Err(CreateHandOverCodeError::WrongAppKey)
    ));
    harness.database.drop().await;
}
