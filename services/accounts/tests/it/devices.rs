//! The consumer's list of sessions and devices.

use std::time::Duration;

use accounts::{
    domain::session::NewSession,
    ops::{
        end_session::{EndSessionError, end_session},
        forget_device::forget_device,
        get_session::get_session,
        list_sessions::{SessionList, list_sessions},
        logout::logout,
        verify::VerifyError,
    },
};

use crate::harness::Harness;

const PHONE: &str = "(415) 555-0123";

/// Signs in on two devices and returns both sessions, the older one first.
async fn sign_in_on_two_devices(harness: &Harness) -> (NewSession, NewSession) {
    let old = harness.sign_in(PHONE, "old phone").await;
    harness.advance(Duration::from_mins(1));
    let new = harness.sign_in(PHONE, "new phone").await;
    (old, new)
}

async fn list(harness: &Harness, session: &NewSession) -> SessionList {
    list_sessions(&harness.cx, session.session.consumer_id)
        .await
        .unwrap()
}

async fn is_active(harness: &Harness, session: &NewSession) -> bool {
    get_session(&harness.cx, &session.token).await.is_ok()
}

/// Uses up the attempts of unknown devices, so that only a known device can enter another code.
async fn exhaust_attempts_of_unknown_devices(harness: &Harness) {
    for _ in 0..12 {
        assert!(harness.verify(PHONE, "000000", "").await.is_err());
    }
}

#[tokio::test]
async fn sessions_are_listed_by_last_use_with_their_device() {
    let harness = Harness::new().await;
    let (old, new) = sign_in_on_two_devices(&harness).await;
    harness.sign_in("4155550199", "another consumer").await;
    let listed = list(&harness, &new).await;
    let ids: Vec<_> = listed.sessions.iter().map(|session| session.session_id).collect();
    assert_eq!(ids, [new.session.id, old.session.id]);
    assert_eq!(listed.sessions[0].device_name, "Safari on iPhone");
    assert!(listed.known_devices.is_empty());
    harness.database.drop().await;
}

#[tokio::test]
async fn a_device_without_a_session_stays_known_and_can_be_forgotten() {
    let harness = Harness::new().await;
    let (old, new) = sign_in_on_two_devices(&harness).await;
    logout(&harness.cx, &old.token).await.unwrap();
    let listed = list(&harness, &new).await;
    assert_eq!((listed.sessions.len(), listed.known_devices.len()), (1, 1));
    let consumer = new.session.consumer_id;
    forget_device(&harness.cx, consumer, &listed.known_devices[0].device_hash)
        .await
        .unwrap();
    assert!(list(&harness, &new).await.known_devices.is_empty());
    exhaust_attempts_of_unknown_devices(&harness).await;
    assert!(matches!(
        harness.verify(PHONE, "000000", "old phone").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn forgetting_a_device_ends_its_sessions() {
    let harness = Harness::new().await;
    let (old, new) = sign_in_on_two_devices(&harness).await;
    logout(&harness.cx, &old.token).await.unwrap();
    let known = list(&harness, &new).await.known_devices.remove(0);
    // The device signs in between listing and forgetting.
    harness.advance(Duration::from_mins(1));
    let again = harness.sign_in(PHONE, "old phone").await;
    let consumer = new.session.consumer_id;
    forget_device(&harness.cx, consumer, &known.device_hash)
        .await
        .unwrap();
    forget_device(&harness.cx, consumer, b"unknown").await.unwrap();
    assert!(!is_active(&harness, &again).await && is_active(&harness, &new).await);
    harness.database.drop().await;
}

#[tokio::test]
async fn an_ended_session_is_rejected_and_its_device_is_no_longer_known() {
    let harness = Harness::new().await;
    let (old, new) = sign_in_on_two_devices(&harness).await;
    let (consumer, current) = (new.session.consumer_id, new.session.id);
    // Repeatable.
    for _ in 0..2 {
        end_session(&harness.cx, consumer, current, old.session.id)
            .await
            .unwrap();
    }
    assert!(!is_active(&harness, &old).await && is_active(&harness, &new).await);
    let listed = list(&harness, &new).await;
    assert_eq!((listed.sessions.len(), listed.known_devices.len()), (1, 0));
    exhaust_attempts_of_unknown_devices(&harness).await;
    assert!(matches!(
        harness.verify(PHONE, "000000", "old phone").await,
        Err(VerifyError::TooManyAttempts { .. })
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn sessions_and_devices_of_another_consumer_cannot_be_ended() {
    let harness = Harness::new().await;
    let (old, new) = sign_in_on_two_devices(&harness).await;
    let stranger = harness.sign_in("4155550199", "stranger's phone").await;
    let (consumer, current) = (stranger.session.consumer_id, stranger.session.id);
    assert!(matches!(
        end_session(&harness.cx, consumer, current, old.session.id).await,
        Err(EndSessionError::NotFound)
    ));
    logout(&harness.cx, &old.token).await.unwrap();
    let known = list(&harness, &new).await.known_devices.remove(0);
    forget_device(&harness.cx, consumer, &known.device_hash)
        .await
        .unwrap();
    assert_eq!(list(&harness, &new).await.known_devices.len(), 1);
    harness.database.drop().await;
}
