//! Files with the promo codes, reward tiers, offers, challenges, landing pages and messages of a company.

mod file;
mod validate;
mod validate_message;

use std::fmt;

use super::{
    challenge::ChallengeRules,
    landing_page::LandingPage,
    message_text::MessageText,
    promo::{Promo, PromoCompany},
};

/// The valid contents of a file.
#[derive(Debug)]
pub struct Catalog {
    /// Owner of the entries. A later version of the file replaces the entries of the same catalog.
    pub name: String,
    /// The company to whose stores the codes of promos and tiers are limited.
    pub company: Option<PromoCompany>,
    pub promos: Vec<Entry<CatalogPromo>>,
    pub tiers: Vec<Entry<CatalogTier>>,
    pub offers: Vec<Entry<CatalogOffer>>,
    pub challenges: Vec<Entry<ChallengeRules>>,
    pub landing_pages: Vec<Entry<CatalogLandingPage>>,
    pub messages: Vec<Entry<CatalogMessage>>,
}

/// An entry and the line of its id.
#[derive(Debug)]
pub struct Entry<T> {
    pub line: usize,
    pub value: T,
}

#[derive(Debug)]
pub struct CatalogPromo {
    pub promo: Promo,
    pub max_claims: Option<i64>,
}

#[derive(Debug)]
pub struct CatalogTier {
    pub points: i64,
    pub title: String,
    /// Cents that the reward takes off at most.
    pub amount: i64,
}

#[derive(Debug)]
pub struct CatalogOffer {
    pub id: String,
    pub title: String,
    pub body: String,
    pub terms: String,
    pub promo_code: Option<String>,
}

#[derive(Debug)]
pub struct CatalogLandingPage {
    /// Without the promo, which is in the database.
    pub page: LandingPage,
    pub promo_code: Option<String>,
}

#[derive(Debug)]
pub struct CatalogMessage {
    /// Kind of one of the [`BUILT_IN_TEXTS`](super::message_text::BUILT_IN_TEXTS).
    pub kind: String,
    /// Templates.
    pub text: MessageText,
}

/// Why a file is rejected, in one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for CatalogError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "line {}: {}", self.line, self.message)
    }
}

impl Catalog {
    /// Parses a file in TOML.
    ///
    /// # Errors
    /// All invalid values, by line. Errors of the syntax, and of missing and unknown fields, are returned one at a time.
    pub fn parse(text: &str) -> Result<Self, Vec<CatalogError>> {
        let file = file::File::parse(text).map_err(|error| vec![error])?;
        validate::validate(file, text)
    }

    #[must_use]
    pub const fn count_entries(&self) -> usize {
        self.promos.len()
            + self.tiers.len()
            + self.offers.len()
            + self.challenges.len()
            + self.landing_pages.len()
            + self.messages.len()
    }
}
