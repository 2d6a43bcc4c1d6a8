//! The built web app, read once at startup.

use std::path::{Path, PathBuf};

use http::HeaderMap;
use sha2::{Digest, Sha256};

use super::app_routes::AppRoutes;
use super::page_template::PageTemplate;
use super::pages::Pages;
use super::security_headers::page_headers;
use crate::config::{HttpConfig, ProviderConfig, WebConfig};

/// Build id without a build.
const NO_BUILD: &str = "none";

#[derive(Debug)]
pub(crate) struct Site {
    pub(super) folder: PathBuf,
    /// Folder of the previous build.
    pub(super) previous_folder: Option<PathBuf>,
    /// Canonical origin of the app.
    pub(super) origin: String,
    /// `None` without a build.
    pub(super) page: Option<PageTemplate>,
    /// `None` if the build has no list of routes.
    pub(super) routes: Option<AppRoutes>,
    pub(super) pages: Pages,
    /// The settings of the app as JSON.
    pub(super) app_config: String,
    /// Headers of the page and of all files.
    pub(super) headers: HeaderMap,
    build_id: String,
}

impl Site {
    /// Reads the build. Without one, the gateway serves the API only.
    pub(crate) fn load(
        web: &WebConfig,
        provider: &ProviderConfig,
        http: &HttpConfig,
    ) -> anyhow::Result<Self> {
        let folder = web.web_dist.clone();
        let html = std::fs::read_to_string(folder.join("index.html"));
        if let Err(error) = &html {
            tracing::warn!(folder = %folder.display(), %error, "no built web app (WEB_DIST); serving the API only");
        }
        let html = html.ok();
        let headers = page_headers(web, provider, html.as_deref().unwrap_or_default())?;
        let (build_id, routes, pages) = if html.is_some() {
            (
                hash_of_files(&folder)?,
                AppRoutes::load(&folder)?,
                Pages::load(&folder)?,
            )
        } else {
            (NO_BUILD.to_owned(), None, Pages::default())
        };
        Ok(Self {
            folder,
            previous_folder: web
                .previous_web_dist
                .clone()
                .filter(|folder| !folder.as_os_str().is_empty()),
            origin: http.public_origin.first().cloned().unwrap_or_default(),
            page: html.map(|html| PageTemplate::new(&html)),
            routes,
            pages,
            app_config: serde_json::to_string(&web.app_config())?,
            headers,
            build_id,
        })
    }

    /// Returns the hash of all files of the build.
    pub(crate) fn build_id(&self) -> &str {
        &self.build_id
    }
}

/// Hashes names and contents in a fixed order, so that a build has the same id on every gateway.
fn hash_of_files(folder: &Path) -> anyhow::Result<String> {
    let mut hash = Sha256::new();
    for file in files_of(folder)? {
        let name = file.strip_prefix(folder)?.to_string_lossy().into_owned();
        hash.update((name.len() as u64).to_be_bytes());
        hash.update(name);
        hash.update(Sha256::digest(std::fs::read(&file)?));
    }
    Ok(hex::encode(&hash.finalize()[..8]))
}

fn files_of(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}
