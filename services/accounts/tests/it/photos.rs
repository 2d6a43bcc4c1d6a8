//! Photos of consumers, in a folder and in a bucket.

use std::{io::Cursor, time::Duration};

use accounts::{
    clients::photo_store::PhotoStore,
    domain::photo::InvalidPhoto,
    ops::{
        delete_photos::delete_photos,
        get_photo::{GetPhotoError, get_photo},
        remove_consumer::remove_consumer,
        remove_photo::{RemovePhotoError, remove_photo},
        set_photo::{SetPhotoError, set_photo},
    },
};
use kit::{ErrorCode, ServiceError, grpc::deadline::DEFAULT_TIMEOUT};
use tokio::time::timeout;
use types::ConsumerId;

use crate::{harness::Harness, s3_server::S3Server};

const PHONE: &str = "(415) 555-0123";

fn png(width: u32) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image::RgbImage::new(width, 480)
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

fn files(harness: &Harness) -> usize {
    std::fs::read_dir(&harness.photo_folder).map_or(0, Iterator::count)
}

async fn set(harness: &Harness, consumer: ConsumerId) -> String {
    let profile = set_photo(&harness.cx, consumer, png(640)).await.unwrap();
    profile.photo_id.unwrap().to_string()
}

#[tokio::test]
async fn a_new_photo_replaces_the_previous_one_and_its_file() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let first = set(&harness, consumer).await;
    let stored = get_photo(&harness.cx, consumer, &first).await.unwrap();
    assert_eq!(image::guess_format(&stored).unwrap(), image::ImageFormat::Jpeg);
    let second = set(&harness, consumer).await;
    assert_ne!(first, second);
    assert!(matches!(
        get_photo(&harness.cx, consumer, &first).await,
        Err(GetPhotoError::NotFound)
    ));
    get_photo(&harness.cx, consumer, &second).await.unwrap();
    assert_eq!((files(&harness), harness.count("photo_deletions").await), (1, 0));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_removed_photo_and_its_file_are_gone_and_removing_it_again_changes_nothing() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let other = harness.sign_in("4155550199", "").await.session.consumer_id;
    let (id, kept) = (set(&harness, consumer).await, set(&harness, other).await);
    for _ in 0..2 {
        let profile = remove_photo(&harness.cx, consumer).await.unwrap();
        assert_eq!(profile.photo_id, None);
        assert_eq!((files(&harness), harness.count("photo_deletions").await), (1, 0));
    }
    assert!(matches!(
        get_photo(&harness.cx, consumer, &id).await,
        Err(GetPhotoError::NotFound)
    ));
    get_photo(&harness.cx, other, &kept).await.unwrap();
    let unknown = ConsumerId::new(harness.cx.clock.now());
    assert!(matches!(
        remove_photo(&harness.cx, unknown).await,
        Err(RemovePhotoError::NotFound)
    ));
    harness.database.drop().await;
}

#[tokio::test]
async fn a_photo_is_only_returned_to_its_consumer() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let other = harness.sign_in("4155550199", "").await.session.consumer_id;
    let id = set(&harness, consumer).await;
    for (caller, id) in [
        (other, &*id),
        (consumer, "x"),
        (consumer, "../secret"),
        (consumer, ""),
    ] {
        assert!(matches!(
            get_photo(&harness.cx, caller, id).await,
            Err(GetPhotoError::NotFound)
        ));
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn a_rejected_photo_keeps_the_previous_one() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let id = set(&harness, consumer).await;
    for (upload, error) in [
        (b"not a photo".to_vec(), InvalidPhoto::Format),
        (png(640)[..100].to_vec(), InvalidPhoto::Unreadable),
        (png(10_000), InvalidPhoto::TooManyPixels),
    ] {
        let result = set_photo(&harness.cx, consumer, upload).await;
        assert!(
            matches!(result, Err(SetPhotoError::InvalidPhoto(found)) if found == error),
            "{error}"
        );
    }
    let error: ServiceError = set_photo(&harness.cx, consumer, png(10_000))
        .await
        .unwrap_err()
        .into();
    assert_eq!(
        (&*error.reason, &*error.message),
        (
            "PHOTO_DIMENSIONS_TOO_LARGE",
            "That photo's dimensions are too large. Please choose one with fewer pixels."
        )
    );
    get_photo(&harness.cx, consumer, &id).await.unwrap();
    assert_eq!(files(&harness), 1);
    harness.database.drop().await;
}

#[tokio::test]
async fn the_file_of_a_removed_consumer_is_deleted() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "").await.session;
    set(&harness, session.consumer_id).await;
    remove_consumer(&harness.cx, session.consumer_id, session.id)
        .await
        .unwrap();
    assert_eq!((files(&harness), harness.count("photo_deletions").await), (0, 0));
    harness.database.drop().await;
}

#[tokio::test]
async fn the_file_of_a_photo_that_is_set_during_the_removal_is_deleted() {
    let harness = Harness::new().await;
    let session = harness.sign_in(PHONE, "").await.session;
    set(&harness, session.consumer_id).await;
    // As a sign-in of the number does.
    let mut sign_in = kit::postgres::begin(&harness.cx.pool).await.unwrap();
    sqlx::query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind("+14155550123")
        .execute(&mut *sign_in)
        .await
        .unwrap();
    let upload = async {
        harness.database.wait_for_blocked(1).await;
        set(&harness, session.consumer_id).await;
        sign_in.commit().await.unwrap();
    };
    let (removed, ()) = tokio::join!(
        remove_consumer(&harness.cx, session.consumer_id, session.id),
        upload
    );
    removed.unwrap();
    assert_eq!((files(&harness), harness.count("photo_deletions").await), (0, 0));
    harness.database.drop().await;
}

#[tokio::test]
async fn the_file_of_an_upload_that_did_not_finish_is_deleted_later() {
    let harness = Harness::new().await;
    let unknown = ConsumerId::new(harness.cx.clock.now());
    assert!(matches!(
        set_photo(&harness.cx, unknown, png(640)).await,
        Err(SetPhotoError::NotFound)
    ));
    delete_photos(&harness.cx).await.unwrap();
    assert_eq!((files(&harness), harness.count("photo_deletions").await), (1, 1));
    harness.advance(Duration::from_hours(1));
    delete_photos(&harness.cx).await.unwrap();
    assert_eq!((files(&harness), harness.count("photo_deletions").await), (0, 0));
    harness.database.drop().await;
}

/// Returns the number of objects in a bucket.
async fn objects(bucket: &str) -> usize {
    let list = reqwest::get(bucket).await.unwrap().text().await.unwrap();
    list.matches("<Key>photos/").count()
}

/// Returns a harness with an empty bucket of the server, and the bucket's URL.
async fn with_bucket(server: &S3Server) -> (Harness, String) {
    let (bucket, settings) = server.create_bucket().await;
    let mut harness = Harness::new().await;
    harness.cx.photos = PhotoStore::from_config(&serde_json::from_value(settings).unwrap()).unwrap();
    (harness, bucket)
}

#[tokio::test]
async fn photos_are_stored_in_a_bucket_and_deleted_with_the_consumer() {
    let server = S3Server::start().await;
    let (harness, bucket) = with_bucket(&server).await;
    let signed_in = harness.sign_in(PHONE, "").await;
    let consumer = signed_in.session.consumer_id;
    let first = set(&harness, consumer).await;
    let second = set(&harness, consumer).await;
    assert_eq!(objects(&bucket).await, 1);
    assert!(get_photo(&harness.cx, consumer, &first).await.is_err());
    let stored = get_photo(&harness.cx, consumer, &second).await.unwrap();
    assert_eq!(image::guess_format(&stored).unwrap(), image::ImageFormat::Jpeg);
    remove_consumer(&harness.cx, consumer, signed_in.session.id)
        .await
        .unwrap();
    assert_eq!(objects(&bucket).await, 0);
    harness.database.drop().await;
}

#[tokio::test]
async fn a_consumer_is_removed_while_the_photo_store_does_not_respond() {
    let server = S3Server::start().await;
    let (harness, bucket) = with_bucket(&server).await;
    let signed_in = harness.sign_in(PHONE, "").await;
    let consumer = signed_in.session.consumer_id;
    set(&harness, consumer).await;
    server.freeze();
    let removal = remove_consumer(&harness.cx, consumer, signed_in.session.id);
    timeout(DEFAULT_TIMEOUT, removal).await.unwrap().unwrap();
    server.resume();
    delete_photos(&harness.cx).await.unwrap();
    assert_eq!(
        (objects(&bucket).await, harness.count("photo_deletions").await),
        (0, 0)
    );
    harness.database.drop().await;
}

#[tokio::test]
async fn photos_are_unavailable_while_the_photo_store_does_not_respond() {
    let server = S3Server::start().await;
    let (harness, _bucket) = with_bucket(&server).await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let id = set(&harness, consumer).await;
    server.freeze();
    let calls = async {
        tokio::join!(
            set_photo(&harness.cx, consumer, png(640)),
            get_photo(&harness.cx, consumer, &id)
        )
    };
    let (set_result, get_result) = timeout(DEFAULT_TIMEOUT, calls).await.unwrap();
    server.resume();
    let errors: [ServiceError; 2] = [set_result.unwrap_err().into(), get_result.unwrap_err().into()];
    for error in errors {
        assert_eq!(error.code, ErrorCode::Unavailable, "{error:?}");
    }
    harness.database.drop().await;
}

#[tokio::test]
async fn uploads_above_the_limit_are_rejected_until_others_are_decoded() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    // As by uploads that wait.
    let places = u32::try_from(accounts::MAX_PHOTO_UPLOADS).unwrap();
    let waiting = harness.cx.photo_uploads.try_acquire_many(places).unwrap();
    let rejected = set_photo(&harness.cx, consumer, png(640)).await;
    assert!(matches!(rejected, Err(SetPhotoError::Overloaded)), "{rejected:?}");
    drop(waiting);
    set(&harness, consumer).await;
    harness.database.drop().await;
}

#[tokio::test]
async fn a_canceled_upload_is_decoded_before_the_next_one() {
    let harness = Harness::new().await;
    let consumer = harness.sign_in(PHONE, "").await.session.consumer_id;
    let free = || {
        let (uploads, decoding) = (&harness.cx.photo_uploads, &harness.cx.photo_decoding);
        (uploads.available_permits(), decoding.available_permits())
    };
    let mut upload = Box::pin(set_photo(&harness.cx, consumer, png(8_000)));
    assert!(futures::poll!(&mut upload).is_pending());
    drop(upload);
    assert_eq!(free(), (accounts::MAX_PHOTO_UPLOADS - 1, 0));
    let decoded = async {
        while free() != (accounts::MAX_PHOTO_UPLOADS, 1) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(Duration::from_mins(1), decoded).await.unwrap();
    set(&harness, consumer).await;
    harness.database.drop().await;
}
