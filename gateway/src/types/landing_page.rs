//! Landing pages.

use kit::InternalError;
use proto::rewards::v1 as rewards;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::share_code::ShareCode;

/// Selects a landing page.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query, rename_all = "camelCase")]
#[serde(rename_all = "camelCase")]
pub(crate) struct LandingPageQuery {
    pub(crate) url_slug: String,
}

/// A landing page.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LandingPage {
    pub(crate) url_slug: String,
    pub(crate) hero: LandingPageHero,
    /// Paragraphs.
    pub(crate) copy: Vec<String>,
    pub(crate) call_to_action: CallToAction,
    #[schema(required)]
    pub(crate) promo: Option<LandingPagePromo>,
}

impl TryFrom<rewards::LandingPage> for LandingPage {
    type Error = InternalError;

    fn try_from(page: rewards::LandingPage) -> Result<Self, InternalError> {
        let missing = || InternalError::invariant_violated("landing page without hero or call to action");
        let hero = page.hero.ok_or_else(missing)?;
        let call_to_action = page.call_to_action.ok_or_else(missing)?;
        Ok(Self {
            url_slug: page.url_slug,
            hero: LandingPageHero {
                title: hero.title,
                subtitle: hero.subtitle,
                picture: hero.picture,
            },
            copy: page.copy,
            call_to_action: CallToAction {
                label: call_to_action.label,
                path: call_to_action.path,
            },
            promo: page.promo.map(LandingPagePromo::from),
        })
    }
}

/// The upper part of a landing page.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct LandingPageHero {
    pub(crate) title: String,
    pub(crate) subtitle: String,
    /// Name of a picture of the web app: `cup`, `beans`, `storefront`, `gift` or `friends`.
    pub(crate) picture: String,
}

/// A link to a screen of the web app.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CallToAction {
    pub(crate) label: String,
    /// Starts with a slash.
    pub(crate) path: String,
}

/// A promo code, in the form of the cart's promo (specification section 3).
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LandingPagePromo {
    pub(crate) code: String,
    /// `fixed` or `percent`.
    pub(crate) r#type: String,
    /// Cents, or parts per million of the subtotal.
    pub(crate) value: i64,
    /// Whether the code applies only to orders in the native app.
    pub(crate) is_app_only: bool,
}

impl From<rewards::LandingPagePromo> for LandingPagePromo {
    fn from(promo: rewards::LandingPagePromo) -> Self {
        Self {
            code: promo.code,
            r#type: promo.r#type,
            value: promo.value,
            is_app_only: promo.is_app_only,
        }
    }
}

/// The landing page for people who follow a share code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InactiveUsersPage {
    pub(crate) page: LandingPage,
    /// Who shares the code, and the reward.
    pub(crate) invitation: ShareCode,
}
