//! The build, read once at start.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::route::Routes;
use super::{headers, page};
use crate::config::{Front, Web};

/// The build and how it is sent.
#[derive(Debug)]
pub struct Site {
    pub(super) folder: PathBuf,
    pub(super) origin: String,
    /// The page before and after what is written into its head; none without a build.
    pub(super) page: Option<(String, String)>,
    /// Where it stands; none where the build does not say.
    pub(super) routes: Option<Routes>,
    pub(super) headers: http::HeaderMap,
    build_id: String,
}

impl Site {
    /// Reads the build. Without one the calls still answer.
    ///
    /// # Errors
    /// A bad setting, or a file that cannot be read.
    pub fn load(config: &Web, front: &Front) -> anyhow::Result<Self> {
        let folder = config.web_dist.clone();
        let html = std::fs::read_to_string(folder.join("index.html"));
        if let Err(error) = &html {
            tracing::warn!(folder = %folder.display(), %error, "no built web app (WEB_DIST); only the calls answer");
        }
        let html = html.ok();
        let build_id = if html.is_some() {
            hash(&folder)?
        } else {
            "none".to_owned()
        };
        let headers = headers::of(config, html.as_deref().unwrap_or_default())?;
        let routes = if html.is_some() {
            Routes::load(&folder)?
        } else {
            None
        };
        let page = html.map(|html| page::split(&html));
        let origin = front.origins().into_iter().next().unwrap_or_default();
        Ok(Self {
            folder,
            origin,
            page,
            routes,
            headers,
            build_id,
        })
    }

    /// Hash of every file of the build.
    #[must_use]
    pub fn build_id(&self) -> &str {
        &self.build_id
    }
}

/// Names and contents of all files, in order, so that the same build has the same id on every gateway.
fn hash(folder: &Path) -> anyhow::Result<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path())
            } else {
                files.push(entry.path())
            }
        }
    }
    files.sort();
    let mut whole = Sha256::new();
    for file in files {
        let name = file.strip_prefix(folder)?.to_string_lossy().into_owned();
        whole.update((name.len() as u64).to_be_bytes());
        whole.update(name);
        whole.update(Sha256::digest(std::fs::read(&file)?));
    }
    Ok(hex::encode(&whole.finalize()[..8]))
}
