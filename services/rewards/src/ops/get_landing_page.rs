use kit::{ErrorCode, InternalError, ServiceError};

use crate::{Rewards, db::landing_pages, domain::landing_page::LandingPage};

#[derive(Debug, thiserror::Error)]
pub enum GetLandingPageError {
    #[error("unknown landing page")]
    Unknown,
    #[error(transparent)]
    Internal(#[from] InternalError),
}
kit::impl_from_internal_errors!(GetLandingPageError);

impl From<GetLandingPageError> for ServiceError {
    fn from(error: GetLandingPageError) -> Self {
        match error {
            GetLandingPageError::Unknown => Self::new(
                ErrorCode::NotFound,
                "LANDING_PAGE_UNKNOWN",
                "We couldn't find that page.",
            ),
            GetLandingPageError::Internal(error) => error.into(),
        }
    }
}

/// Returns a landing page. Ignores the case of the slug.
///
/// # Errors
/// [`GetLandingPageError::Unknown`] if there is no page with this slug.
pub async fn get_landing_page(cx: &Rewards, url_slug: &str) -> Result<LandingPage, GetLandingPageError> {
    // Postgres rejects texts with NUL.
    if url_slug.contains('\0') {
        return Err(GetLandingPageError::Unknown);
    }
    let mut conn = cx.pool.acquire().await?;
    landing_pages::find(&mut conn, &url_slug.to_ascii_lowercase())
        .await?
        .ok_or(GetLandingPageError::Unknown)
}
