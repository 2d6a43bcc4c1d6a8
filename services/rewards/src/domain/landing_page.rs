//! Landing pages.

use super::promo::DiscountRule;

/// Slug of the page for people who follow a share code.
pub const INACTIVE_USERS_SLUG: &str = "inactive-users";

/// Pictures that the web app draws.
pub const PICTURES: [&str; 5] = ["cup", "beans", "storefront", "gift", "friends"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingPage {
    pub url_slug: String,
    pub title: String,
    pub subtitle: String,
    /// One of [`PICTURES`].
    pub picture: String,
    pub paragraphs: Vec<String>,
    pub action_label: String,
    /// A path of the web app.
    pub action_path: String,
    pub promo: Option<LandingPagePromo>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingPagePromo {
    pub code: String,
    pub rule: DiscountRule,
    pub is_app_only: bool,
}
