//! The store of photo files: a folder, which replicas share, or a bucket of S3 or a compatible service.

use std::{path::PathBuf, sync::Arc, time::Duration};

use kit::{InternalError, ServiceError};
use object_store::{
    ClientOptions, Error, ObjectStore, ObjectStoreExt, aws::AmazonS3Builder, local::LocalFileSystem,
    path::Path,
};
use secrecy::ExposeSecret;
use uuid::Uuid;

use crate::config::PhotoConfig;

/// Shorter than the deadline of a call, so that the caller gets the error.
const TIMEOUT: Duration = Duration::from_secs(3);

const _: () = assert!(TIMEOUT.as_secs() < kit::grpc::deadline::DEFAULT_TIMEOUT.as_secs());

#[derive(Debug, Clone)]
pub struct PhotoStore {
    files: Arc<dyn ObjectStore>,
    prefix: Path,
}

impl PhotoStore {
    /// Creates the folder with the first photo.
    ///
    /// # Errors
    /// The path contains characters that are not supported.
    pub fn in_folder(folder: PathBuf) -> anyhow::Result<Self> {
        let prefix = std::path::absolute(folder)
            .map_err(anyhow::Error::from)
            .and_then(|folder| Ok(Path::from_absolute_path(folder)?))
            .map_err(|error| anyhow::anyhow!("bad configuration: PHOTO_FOLDER: expected a path: {error}"))?;
        Ok(Self {
            files: Arc::new(LocalFileSystem::new()),
            prefix,
        })
    }

    /// Returns the store of the settings: the bucket, or without one the folder.
    ///
    /// # Errors
    /// A setting is invalid.
    pub fn from_config(config: &PhotoConfig) -> anyhow::Result<Self> {
        match config.photo_bucket.as_deref().filter(|bucket| !bucket.is_empty()) {
            Some(bucket) => Self::in_bucket(bucket, config),
            None => Self::in_folder(config.photo_folder.clone()),
        }
    }

    fn in_bucket(bucket: &str, config: &PhotoConfig) -> anyhow::Result<Self> {
        kit::tls::install_provider();
        let mut builder = AmazonS3Builder::new()
            .with_bucket_name(bucket)
            .with_region(&config.photo_bucket_region)
            .with_client_options(ClientOptions::new().with_timeout(TIMEOUT).with_allow_http(true));
        if let Some(url) = config.photo_bucket_url.as_deref() {
            builder = builder.with_endpoint(url);
        }
        // Without a key, the credentials of the machine or the container are used.
        if let (Some(id), Some(key)) = (&config.photo_bucket_key_id, &config.photo_bucket_key) {
            builder = builder
                .with_access_key_id(id)
                .with_secret_access_key(key.expose_secret());
        }
        let files = builder
            .build()
            .map_err(|error| anyhow::anyhow!("bad configuration: PHOTO_BUCKET: {error}"))?;
        Ok(Self {
            files: Arc::new(files),
            prefix: Path::from("photos"),
        })
    }

    fn path(&self, id: Uuid) -> Path {
        self.prefix.clone().join(format!("{id}.jpg"))
    }

    pub(crate) async fn put(&self, id: Uuid, jpeg: Vec<u8>) -> Result<(), PhotoStoreError> {
        let path = self.path(id);
        within_timeout(self.files.put(&path, jpeg.into())).await?;
        Ok(())
    }

    /// Returns `None` if there is no such file.
    pub(crate) async fn get(&self, id: Uuid) -> Result<Option<Vec<u8>>, PhotoStoreError> {
        let path = self.path(id);
        let read = within_timeout(async { self.files.get(&path).await?.bytes().await });
        match read.await {
            Ok(file) => Ok(Some(file.to_vec())),
            Err(PhotoStoreError::Store(Error::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Deleting a file that does not exist is no error.
    pub(crate) async fn delete(&self, id: Uuid) -> Result<(), PhotoStoreError> {
        let path = self.path(id);
        match within_timeout(self.files.delete(&path)).await {
            Ok(()) | Err(PhotoStoreError::Store(Error::NotFound { .. })) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum PhotoStoreError {
    #[error("photo store: {0}")]
    Store(#[from] Error),
    #[error("photo store: no response in {TIMEOUT:?}")]
    Timeout,
}

impl From<PhotoStoreError> for InternalError {
    fn from(error: PhotoStoreError) -> Self {
        anyhow::Error::new(error).into()
    }
}

impl From<PhotoStoreError> for ServiceError {
    fn from(error: PhotoStoreError) -> Self {
        tracing::warn!(%error, "photo store unavailable");
        Self::unavailable()
    }
}

async fn within_timeout<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, PhotoStoreError> {
    match tokio::time::timeout(TIMEOUT, call).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(PhotoStoreError::Timeout),
    }
}
