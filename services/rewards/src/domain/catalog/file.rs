//! The fields of a file.

use std::ops::Range;

use serde::Deserialize;
use toml::Spanned;

use super::CatalogError;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) catalog: Spanned<String>,
    /// Limits the codes of the file to the stores of this company. Needs `company_name`.
    pub(super) company_id: Option<Spanned<String>>,
    pub(super) company_name: Option<Spanned<String>>,
    #[serde(default, rename = "promo")]
    pub(super) promos: Vec<PromoRow>,
    #[serde(default, rename = "tier")]
    pub(super) tiers: Vec<TierRow>,
    #[serde(default, rename = "offer")]
    pub(super) offers: Vec<OfferRow>,
    #[serde(default, rename = "challenge")]
    pub(super) challenges: Vec<ChallengeRow>,
    #[serde(default, rename = "landing_page")]
    pub(super) landing_pages: Vec<LandingPageRow>,
    #[serde(default, rename = "message")]
    pub(super) messages: Vec<MessageRow>,
}

/// Either `amount` (cents) or `percent`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PromoRow {
    pub(super) code: Spanned<String>,
    pub(super) amount: Option<Spanned<i64>>,
    pub(super) percent: Option<Spanned<i64>>,
    /// Smallest subtotal, in cents.
    pub(super) minimum: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) once: bool,
    /// Claims of each consumer. Not with `once`.
    pub(super) max_claims_per_consumer: Option<Spanned<i64>>,
    #[serde(default)]
    pub(super) app_only: bool,
    /// Needs `app_only`.
    pub(super) first_app_order: Option<Spanned<bool>>,
    #[serde(default)]
    pub(super) weekdays: Vec<Spanned<String>>,
    pub(super) starts: Spanned<String>,
    pub(super) ends: Option<Spanned<String>>,
    pub(super) max_claims: Option<Spanned<i64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TierRow {
    pub(super) points: Spanned<i64>,
    pub(super) title: Spanned<String>,
    /// Cents.
    pub(super) amount: Spanned<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfferRow {
    pub(super) id: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) body: Spanned<String>,
    pub(super) terms: Option<Spanned<String>>,
    pub(super) promo: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChallengeRow {
    pub(super) id: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) body: Spanned<String>,
    pub(super) goal: Spanned<String>,
    pub(super) target: Spanned<i64>,
    pub(super) points: Spanned<i64>,
    pub(super) starts: Spanned<String>,
    pub(super) ends: Spanned<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LandingPageRow {
    pub(super) slug: Spanned<String>,
    pub(super) title: Spanned<String>,
    pub(super) subtitle: Spanned<String>,
    pub(super) picture: Spanned<String>,
    pub(super) paragraphs: Vec<Spanned<String>>,
    pub(super) action_label: Spanned<String>,
    pub(super) action_path: Spanned<String>,
    pub(super) promo: Option<Spanned<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MessageRow {
    pub(super) kind: Spanned<String>,
    /// Missing for sentences.
    pub(super) title: Option<Spanned<String>>,
    pub(super) body: Spanned<String>,
}

impl File {
    pub(super) fn parse(text: &str) -> Result<Self, CatalogError> {
        toml::from_str(text).map_err(|error| CatalogError {
            line: line_of(text, error.span()),
            message: error.message().to_owned(),
        })
    }
}

/// Returns the number of the line in which a span starts, or 1 without a span.
pub(super) fn line_of(text: &str, span: Option<Range<usize>>) -> usize {
    let start = span.map_or(0, |span| span.start);
    let before = text.get(..start).unwrap_or(text);
    before.matches('\n').count() + 1
}
