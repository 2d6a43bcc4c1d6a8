use super::get_landing_page::{GetLandingPageError, get_landing_page};
use crate::{
    Rewards,
    domain::landing_page::{INACTIVE_USERS_SLUG, LandingPage},
};

/// Returns the landing page for people who follow a share code.
///
/// # Errors
/// [`GetLandingPageError::Unknown`] if no catalog contains it.
pub async fn get_inactive_users_page(cx: &Rewards) -> Result<LandingPage, GetLandingPageError> {
    get_landing_page(cx, INACTIVE_USERS_SLUG).await
}
