//! Verification of email addresses, from the profile to a local mail server.

use std::time::Duration;

use accounts::{
    domain::{
        notification::RequestedNotification, profile::SetName, secret::token_hash, session::NewSession,
    },
    ops::{
        get_profile::get_profile,
        remove_consumer::remove_consumer,
        request_email_verification::{RequestEmailVerificationError, request_email_verification},
        request_notification::request_notification,
        set_name::set_name,
        verify_email::{VerifyEmailError, verify_email},
    },
    workers::prune::prune_tables,
};
use futures::future::join_all;
use kit::{ServiceError, lifecycle::Process};
use types::ConsumerId;

use crate::{
    harness::Harness,
    notification_servers::{Servers, only},
};

const PHONE: &str = "(415) 555-0123";
const OTHER: &str = "(415) 555-0199";
const EMAIL: &str = "maya@example.com";

async fn set_email(harness: &Harness, consumer: ConsumerId, email: &str) {
    let command = SetName {
        first_name: "Maya".to_owned(),
        last_name: String::new(),
        email: Some(email.to_owned()),
    };
    set_name(&harness.cx, consumer, command).await.unwrap();
}

/// Signs in, sets the address and returns the token of the link.
async fn consumer_with_link(harness: &Harness, servers: &Servers, phone: &str) -> (NewSession, String) {
    let signed_in = harness.sign_in(phone, "phone").await;
    set_email(harness, signed_in.session.consumer_id, EMAIL).await;
    let token = next_token(harness, servers).await;
    (signed_in, token)
}

/// Runs the workers until the queued email is sent, and returns the token of its link.
async fn next_token(harness: &Harness, servers: &Servers) -> String {
    servers.run_workers(harness).await;
    // Quoted-printable.
    let mail = servers
        .mails()
        .last()
        .unwrap()
        .replace("=\r\n", "")
        .replace("=\n", "")
        .replace("=3D", "=");
    let (_, rest) = mail.split_once("/account/verify-email?token=").unwrap();
    rest.chars().take_while(char::is_ascii_hexdigit).collect()
}

async fn is_verified(harness: &Harness, consumer: ConsumerId) -> bool {
    let profile = get_profile(&harness.cx, consumer).await.unwrap();
    profile.is_email_verified
}

async fn assert_invalid(harness: &Harness, consumer: ConsumerId, token: &str) {
    let result = verify_email(&harness.cx, consumer, token).await;
    assert!(
        matches!(result, Err(VerifyEmailError::InvalidToken)),
        "{result:?}"
    );
}

/// Returns the number of channels on which a notification is queued.
async fn count_channels(harness: &Harness, consumer: ConsumerId) -> i64 {
    let before = harness.count("notifications").await;
    let mut conn = harness.cx.pool.acquire().await.unwrap();
    let notification: RequestedNotification = only("order_ready", consumer, harness.cx.clock.now());
    request_notification(&harness.cx, &mut conn, &notification)
        .await
        .unwrap();
    harness.count("notifications").await - before
}

#[tokio::test]
async fn only_a_verified_address_gets_notifications() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let (signed_in, token) = consumer_with_link(&harness, &servers, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    assert_eq!(count_channels(&harness, consumer).await, 0);

    let profile = verify_email(&harness.cx, consumer, &token).await.unwrap();
    assert!(profile.is_email_verified);
    assert_eq!(count_channels(&harness, consumer).await, 1);

    // The same address stays verified, another one is not. A queued notification goes to neither.
    set_email(&harness, consumer, EMAIL).await;
    assert!(is_verified(&harness, consumer).await);
    let sent = servers.mails().len();
    set_email(&harness, consumer, "maya@example.org").await;
    assert!(!is_verified(&harness, consumer).await);
    servers.run_workers(&harness).await;
    let mails = &servers.mails()[sent..];
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert!(mails[0].contains("Subject: Verify your email address"));
    assert!(!mails[0].contains("List-Unsubscribe"), "{}", mails[0]);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_token_is_valid_once_for_its_consumer_and_address() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let (owner, token) = consumer_with_link(&harness, &servers, PHONE).await;
    let owner = owner.session.consumer_id;
    let other = harness.sign_in(OTHER, "tablet").await.session.consumer_id;
    set_email(&harness, other, EMAIL).await;
    assert_eq!(token.len(), 64, "256 bits");
    let stored: Vec<u8> =
        sqlx::query_scalar("SELECT token_hash FROM email_verifications WHERE consumer_id = $1")
            .bind(owner.uuid())
            .fetch_one(&harness.cx.pool)
            .await
            .unwrap();
    assert_eq!(stored, token_hash(&token));

    // Foreign, wrong, empty.
    assert_invalid(&harness, other, &token).await;
    let reversed: String = token.chars().rev().collect();
    assert_invalid(&harness, owner, &reversed).await;
    assert_invalid(&harness, owner, "").await;
    // Of another address.
    set_email(&harness, owner, "maya@example.org").await;
    assert_invalid(&harness, owner, &token).await;
    set_email(&harness, owner, EMAIL).await;
    verify_email(&harness.cx, owner, &token).await.unwrap();
    assert_invalid(&harness, other, &token).await;
    assert!(is_verified(&harness, owner).await && !is_verified(&harness, other).await);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_link_that_is_opened_again_succeeds_until_it_expires_or_the_address_changes() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let (signed_in, token) = consumer_with_link(&harness, &servers, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    let verify = || verify_email(&harness.cx, consumer, &token);
    for result in join_all((0..5).map(|_| verify())).await {
        assert!(result.unwrap().is_email_verified);
    }
    harness.advance(Duration::from_hours(23));
    assert!(verify().await.unwrap().is_email_verified);
    // It verifies no other address, and not the same one again.
    set_email(&harness, consumer, "maya@example.org").await;
    assert_invalid(&harness, consumer, &token).await;
    set_email(&harness, consumer, EMAIL).await;
    assert_invalid(&harness, consumer, &token).await;
    assert!(!is_verified(&harness, consumer).await);

    harness.advance(Duration::from_mins(2));
    request_email_verification(&harness.cx, consumer).await.unwrap();
    let token = next_token(&harness, &servers).await;
    verify_email(&harness.cx, consumer, &token).await.unwrap();
    harness.advance(Duration::from_hours(25));
    assert_invalid(&harness, consumer, &token).await;
    assert!(is_verified(&harness, consumer).await);
    harness.database.drop().await;
}

/// Changes the address as a release without verified addresses does.
async fn set_email_in_previous_release(harness: &Harness, consumer: ConsumerId, email: &str) {
    sqlx::query("UPDATE consumers SET email = $2 WHERE id = $1")
        .bind(consumer.uuid())
        .bind(email)
        .execute(&harness.cx.pool)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_address_that_the_previous_release_sets_is_not_verified() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let (signed_in, token) = consumer_with_link(&harness, &servers, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    verify_email(&harness.cx, consumer, &token).await.unwrap();

    set_email_in_previous_release(&harness, consumer, "eve@example.com").await;
    assert!(!is_verified(&harness, consumer).await);
    harness.advance(Duration::from_mins(2));
    let signed_in_again = harness.sign_in(PHONE, "tablet").await;
    assert!(!signed_in_again.profile.is_email_verified);
    assert_eq!(count_channels(&harness, consumer).await, 0);
    assert_invalid(&harness, consumer, &token).await;
    // It is verified with a link of its own.
    harness.advance(Duration::from_mins(2));
    request_email_verification(&harness.cx, consumer).await.unwrap();
    let token = next_token(&harness, &servers).await;
    verify_email(&harness.cx, consumer, &token).await.unwrap();
    assert!(is_verified(&harness, consumer).await);
    assert_eq!(count_channels(&harness, consumer).await, 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_token_expires_and_ends_with_the_account() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let (signed_in, token) = consumer_with_link(&harness, &servers, PHONE).await;
    let consumer = signed_in.session.consumer_id;
    harness.advance(Duration::from_hours(25));
    assert_invalid(&harness, consumer, &token).await;
    prune_tables(&Process::detached("accounts"), &harness.cx)
        .await
        .unwrap();
    assert_eq!(harness.count("email_verifications").await, 0);

    request_email_verification(&harness.cx, consumer).await.unwrap();
    let token = next_token(&harness, &servers).await;
    remove_consumer(&harness.cx, consumer, signed_in.session.id)
        .await
        .unwrap();
    assert_eq!(harness.count("email_verifications").await, 0);
    let again = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    assert_invalid(&harness, again, &token).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn a_corrected_address_gets_an_email_at_once_and_the_same_address_once_a_minute() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    let request = async || request_email_verification(&harness.cx, consumer).await.unwrap();
    set_email(&harness, consumer, "maya@exmaple.com").await;
    servers.run_workers(&harness).await;
    set_email(&harness, consumer, EMAIL).await;
    request().await;
    assert_eq!(harness.count("email_verifications").await, 2);
    let token = next_token(&harness, &servers).await;
    assert!(servers.mails().last().unwrap().contains(EMAIL));
    request().await;
    assert_eq!(harness.count("email_verifications").await, 2);
    harness.advance(Duration::from_mins(1));
    request().await;
    assert_eq!(harness.count("email_verifications").await, 3);
    verify_email(&harness.cx, consumer, &token).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn an_email_that_was_not_sent_because_the_address_changed_is_sent_again() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    set_email(&harness, consumer, EMAIL).await;
    set_email(&harness, consumer, "maya@example.org").await;
    servers.run_workers(&harness).await;
    set_email(&harness, consumer, EMAIL).await;
    let token = next_token(&harness, &servers).await;
    verify_email(&harness.cx, consumer, &token).await.unwrap();
    harness.database.drop().await;
}

#[tokio::test]
async fn links_are_limited_per_consumer_and_address() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let signed_in = harness.sign_in(PHONE, "phone").await;
    let consumer = signed_in.session.consumer_id;
    let request = async || request_email_verification(&harness.cx, consumer).await;
    assert!(matches!(
        request().await,
        Err(RequestEmailVerificationError::NoEmail)
    ));
    set_email(&harness, consumer, EMAIL).await;
    // Another address counts as well. The profile is changed in any case.
    set_email(&harness, consumer, "maya@example.org").await;
    for _ in 0..3 {
        harness.advance(Duration::from_mins(1));
        request().await.unwrap();
    }
    harness.advance(Duration::from_mins(1));
    assert!(matches!(
        request().await,
        Err(RequestEmailVerificationError::TooManyEmails { retry_after }) if retry_after == Duration::from_mins(56)
    ));

    // The address of another person gets five emails a day, whoever asks.
    let other = harness.sign_in(OTHER, "tablet").await.session.consumer_id;
    set_email(&harness, other, "MAYA@example.org").await;
    harness.advance(Duration::from_mins(1));
    let error = request_email_verification(&harness.cx, other).await.unwrap_err();
    let error = ServiceError::from(error);
    assert_eq!(
        (&*error.reason, &*error.message),
        (
            "TOO_MANY_EMAILS",
            "We've already sent you an email. Check your spam folder, or try again in 24 hours."
        )
    );
    harness.cx.notifications.has_email = false;
    let result = request_email_verification(&harness.cx, other).await;
    assert!(
        matches!(result, Err(RequestEmailVerificationError::Unavailable)),
        "{result:?}"
    );
    harness.database.drop().await;
}

/// Lets a new consumer request an email to an address, and be removed. Returns whether the email was queued.
async fn request_and_be_removed(harness: &Harness, phone: &str, email: &str) -> bool {
    let signed_in = harness.sign_in(phone, "phone").await;
    set_email(harness, signed_in.session.consumer_id, email).await;
    let is_queued = harness.count("email_verifications").await == 1;
    remove_consumer(&harness.cx, signed_in.session.consumer_id, signed_in.session.id)
        .await
        .unwrap();
    is_queued
}

#[tokio::test]
async fn a_removal_does_not_reset_the_limit_of_an_address() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let mut queued = Vec::new();
    for email in [EMAIL, "MAYA@example.com", EMAIL, EMAIL, EMAIL, EMAIL] {
        queued.push(request_and_be_removed(&harness, PHONE, email).await);
        harness.advance(Duration::from_mins(15));
    }
    assert_eq!(queued, [true, true, true, true, true, false]);
    assert!(request_and_be_removed(&harness, PHONE, "maya@example.org").await);
    let rows: Vec<String> = sqlx::query_scalar("SELECT row::text FROM anonymized_email_verifications AS row")
        .fetch_all(&harness.cx.pool)
        .await
        .unwrap();
    assert_eq!(rows.len(), 6);
    assert!(
        rows.iter().all(|row| !row.to_lowercase().contains("maya")),
        "{rows:?}"
    );

    harness.advance(Duration::from_mins(1));
    // A day after the first of five emails, the address can get another one.
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    set_email(&harness, consumer, EMAIL).await;
    let Err(RequestEmailVerificationError::TooManyEmails { retry_after }) =
        request_email_verification(&harness.cx, consumer).await
    else {
        panic!("expected a limit")
    };
    harness.advance(retry_after.saturating_sub(Duration::from_secs(1)));
    assert!(request_email_verification(&harness.cx, consumer).await.is_err());
    harness.advance(Duration::from_secs(1));
    request_email_verification(&harness.cx, consumer).await.unwrap();

    harness.advance(Duration::from_hours(25));
    prune_tables(&Process::detached("accounts"), &harness.cx)
        .await
        .unwrap();
    assert_eq!(harness.count("anonymized_email_verifications").await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn expired_links_do_not_count_before_they_are_deleted() {
    let (mut harness, servers) = (Harness::new().await, Servers::start().await);
    servers.configure(&mut harness);
    let consumer = harness.sign_in(PHONE, "phone").await.session.consumer_id;
    set_email(&harness, consumer, EMAIL).await;
    for _ in 0..4 {
        harness.advance(Duration::from_mins(1));
        request_email_verification(&harness.cx, consumer).await.unwrap();
    }
    harness.advance(Duration::from_hours(25));
    assert_eq!(harness.count("email_verifications").await, 5);
    request_email_verification(&harness.cx, consumer).await.unwrap();
    harness.database.drop().await;
}
