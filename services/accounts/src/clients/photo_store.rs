//! The store of photo files: a folder, which replicas share.

use std::{path::PathBuf, sync::Arc, time::Duration};

use kit::InternalError;
use object_store::{Error, ObjectStore, ObjectStoreExt, local::LocalFileSystem, path::Path};
use uuid::Uuid;

const TIMEOUT: Duration = Duration::from_secs(5);

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

    fn path(&self, id: Uuid) -> Path {
        self.prefix.clone().join(format!("{id}.jpg"))
    }

    pub(crate) async fn put(&self, id: Uuid, jpeg: Vec<u8>) -> Result<(), InternalError> {
        let path = self.path(id);
        within_timeout(self.files.put(&path, jpeg.into())).await?;
        Ok(())
    }

    /// Returns `None` if there is no such file.
    pub(crate) async fn get(&self, id: Uuid) -> Result<Option<Vec<u8>>, InternalError> {
        let path = self.path(id);
        let read = within_timeout(async { self.files.get(&path).await?.bytes().await });
        match read.await {
            Ok(file) => Ok(Some(file.to_vec())),
            Err(StoreError::Store(Error::NotFound { .. })) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deleting a file that does not exist is no error.
    pub(crate) async fn delete(&self, id: Uuid) -> Result<(), InternalError> {
        let path = self.path(id);
        match within_timeout(self.files.delete(&path)).await {
            Ok(()) | Err(StoreError::Store(Error::NotFound { .. })) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum StoreError {
    #[error("photo store: {0}")]
    Store(#[from] Error),
    #[error("photo store: no response in {TIMEOUT:?}")]
    Timeout,
}

impl From<StoreError> for InternalError {
    fn from(error: StoreError) -> Self {
        anyhow::Error::new(error).into()
    }
}

async fn within_timeout<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, StoreError> {
    match tokio::time::timeout(TIMEOUT, call).await {
        Ok(result) => Ok(result?),
        Err(_) => Err(StoreError::Timeout),
    }
}
