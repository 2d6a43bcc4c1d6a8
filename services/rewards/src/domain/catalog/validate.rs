//! Checks the values of a file and converts them.

use std::collections::BTreeSet;

use jiff::{Timestamp, civil::Weekday};
use toml::Spanned;
use types::{CompanyId, Money, text::is_control};

use super::{
    Catalog, CatalogError, CatalogLandingPage, CatalogOffer, CatalogPromo, CatalogTier, Entry,
    file::{ChallengeRow, File, LandingPageRow, OfferRow, PromoRow, TierRow, line_of},
};
use crate::domain::{
    challenge::ChallengeRules,
    landing_page::{LandingPage, PICTURES},
    points::is_reward_code,
    promo::{DiscountRule, Promo, PromoCompany},
};

const MAX_TITLE_CHARS: usize = 80;
const MAX_TEXT_CHARS: usize = 600;
const MAX_PARAGRAPHS: usize = 10;
const MAX_SLUG_CHARS: usize = 60;
const MIN_CODE_CHARS: usize = 3;
const MAX_CODE_CHARS: usize = 24;
/// Larger than any sensible value, and small enough that sums cannot overflow.
const MAX_NUMBER: i64 = 1_000_000_000;
const PPM_PER_PERCENT: i64 = 10_000;

pub(super) fn validate(file: File, text: &str) -> Result<Catalog, Vec<CatalogError>> {
    let mut check = Check {
        text,
        errors: Vec::new(),
        ids: BTreeSet::new(),
        codes: BTreeSet::new(),
    };
    let name = check.slug(file.catalog);
    let company = check.company(file.company_id, file.company_name);
    let promos = check.entries(
        file.promos,
        |row| row.code.clone(),
        |check, row| check.promo(row, company.clone()),
    );
    let tiers = check.entries(file.tiers, |row| to_text(&row.points), Check::tier);
    let offers = check.entries(file.offers, |row| row.id.clone(), Check::offer);
    let challenges = check.entries(file.challenges, |row| row.id.clone(), Check::challenge);
    let landing_pages = check.entries(file.landing_pages, |row| row.slug.clone(), Check::landing_page);
    let messages = check.entries(file.messages, |row| row.kind.clone(), Check::message);
    if !check.errors.is_empty() {
        check.errors.sort_by_key(|error| error.line);
        return Err(check.errors);
    }
    Ok(Catalog {
        name,
        company,
        promos,
        tiers,
        offers,
        challenges,
        landing_pages,
        messages,
    })
}

/// Collects the errors of a file. The methods return the value even if it is invalid, so that all errors are found.
pub(super) struct Check<'a> {
    text: &'a str,
    errors: Vec<CatalogError>,
    /// Ids so far, with the type of their entry.
    ids: BTreeSet<(&'static str, String)>,
    /// Promo codes of the file.
    codes: BTreeSet<String>,
}

impl Check<'_> {
    fn line<T>(&self, value: &Spanned<T>) -> usize {
        line_of(self.text, Some(value.span()))
    }

    pub(super) fn fail<T>(&mut self, value: &Spanned<T>, message: impl Into<String>) {
        let line = self.line(value);
        self.errors.push(CatalogError {
            line,
            message: message.into(),
        });
    }

    pub(super) const fn count_errors(&self) -> usize {
        self.errors.len()
    }

    fn entries<R, T>(
        &mut self,
        rows: Vec<R>,
        id: impl Fn(&R) -> Spanned<String>,
        convert: impl Fn(&mut Self, R) -> T,
    ) -> Vec<Entry<T>> {
        let mut entries = Vec::new();
        for row in rows {
            let id = id(&row);
            let line = self.line(&id);
            if !self
                .ids
                .insert((std::any::type_name::<T>(), id.get_ref().clone()))
            {
                self.fail(&id, format!("{} is in the file twice", id.get_ref()));
            }
            let value = convert(self, row);
            entries.push(Entry { line, value });
        }
        entries
    }

    fn company(
        &mut self,
        id: Option<Spanned<String>>,
        name: Option<Spanned<String>>,
    ) -> Option<PromoCompany> {
        match (id, name) {
            (Some(id), Some(name)) => {
                let company_id: Option<CompanyId> = id.get_ref().parse().ok();
                if company_id.is_none() {
                    self.fail(
                        &id,
                        "expected the id of a company, such as cmp_01h455vb4pex5vsknk084sn02q",
                    );
                }
                let name = self.title(name);
                company_id.map(|id| PromoCompany { id, name })
            }
            (Some(alone), None) => {
                self.fail(&alone, "company_id needs company_name");
                None
            }
            (None, Some(alone)) => {
                self.fail(&alone, "company_name needs company_id");
                None
            }
            (None, None) => None,
        }
    }

    fn promo(&mut self, row: PromoRow, company: Option<PromoCompany>) -> CatalogPromo {
        let starts_at = self.time(&row.starts);
        let ends_at = row.ends.as_ref().map(|ends| self.end(ends, starts_at));
        let is_first_app_order = self.first_app_order(&row);
        let max_claims_per_consumer = self.max_claims_per_consumer(&row);
        let promo = Promo {
            rule: self.discount_rule(&row),
            code: self.code(row.code),
            min_subtotal: Money::usd(row.minimum.map_or(0, |minimum| self.number(&minimum, 0))),
            company,
            once_per_consumer: row.once,
            max_claims_per_consumer,
            is_app_only: row.app_only,
            is_first_app_order,
            weekdays: row.weekdays.iter().filter_map(|day| self.weekday(day)).collect(),
            starts_at,
            ends_at,
            is_used_up: false,
            reward_points: None,
        };
        CatalogPromo {
            promo,
            max_claims: row.max_claims.map(|max_claims| self.number(&max_claims, 1)),
        }
    }

    fn first_app_order(&mut self, row: &PromoRow) -> bool {
        let Some(first_app_order) = row.first_app_order.as_ref().filter(|value| *value.get_ref()) else {
            return false;
        };
        if !row.app_only {
            self.fail(first_app_order, "first_app_order needs app_only = true");
        }
        true
    }

    fn max_claims_per_consumer(&mut self, row: &PromoRow) -> Option<i64> {
        let max_claims = row.max_claims_per_consumer.as_ref()?;
        if row.once {
            self.fail(max_claims, "a promo has either once or max_claims_per_consumer");
        }
        Some(self.number(max_claims, 1))
    }

    fn discount_rule(&mut self, row: &PromoRow) -> DiscountRule {
        match (&row.amount, &row.percent) {
            (Some(amount), None) => DiscountRule::Fixed(Money::usd(self.number(amount, 1))),
            (None, Some(percent)) => {
                if !(1..=100).contains(percent.get_ref()) {
                    self.fail(percent, "percent must be 1 to 100");
                }
                DiscountRule::Rate(percent.get_ref().saturating_mul(PPM_PER_PERCENT))
            }
            _ => {
                self.fail(&row.code, "a promo has either amount (cents) or percent");
                DiscountRule::Rate(PPM_PER_PERCENT)
            }
        }
    }

    fn code(&mut self, code: Spanned<String>) -> String {
        let length = code.get_ref().len();
        let is_valid = (MIN_CODE_CHARS..=MAX_CODE_CHARS).contains(&length)
            && code
                .get_ref()
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if !is_valid {
            let message = format!(
                "a code has {MIN_CODE_CHARS} to {MAX_CODE_CHARS} characters, A to Z in upper case and 0 to 9"
            );
            self.fail(&code, message);
        }
        if is_reward_code(code.get_ref()) {
            self.fail(&code, "REWARD with a number is the code of a reward tier");
        }
        self.codes.insert(code.get_ref().clone());
        code.into_inner()
    }

    fn weekday(&mut self, day: &Spanned<String>) -> Option<Weekday> {
        let weekday = match day.get_ref().as_str() {
            "monday" => Weekday::Monday,
            "tuesday" => Weekday::Tuesday,
            "wednesday" => Weekday::Wednesday,
            "thursday" => Weekday::Thursday,
            "friday" => Weekday::Friday,
            "saturday" => Weekday::Saturday,
            "sunday" => Weekday::Sunday,
            other => {
                self.fail(
                    day,
                    format!("unknown weekday {other:?}; expected monday to sunday"),
                );
                return None;
            }
        };
        Some(weekday)
    }

    fn tier(&mut self, row: TierRow) -> CatalogTier {
        CatalogTier {
            points: self.number(&row.points, 1),
            amount: self.number(&row.amount, 1),
            title: self.title(row.title),
        }
    }

    fn offer(&mut self, row: OfferRow) -> CatalogOffer {
        CatalogOffer {
            id: self.slug(row.id),
            title: self.title(row.title),
            body: self.paragraph(row.body),
            terms: row.terms.map_or_else(String::new, |terms| self.paragraph(terms)),
            promo_code: row.promo.map(|code| self.known_code(code)),
        }
    }

    fn challenge(&mut self, row: ChallengeRow) -> ChallengeRules {
        let starts_at = self.time(&row.starts);
        let goal = row.goal.get_ref().parse().unwrap_or_else(|error| {
            self.fail(&row.goal, format!("{error}"));
            crate::domain::challenge::ChallengeGoal::Orders
        });
        ChallengeRules {
            id: self.slug(row.id),
            title: self.title(row.title),
            body: self.paragraph(row.body),
            goal,
            target: self.number(&row.target, 1),
            points: self.number(&row.points, 1),
            starts_at,
            ends_at: self.end(&row.ends, starts_at),
        }
    }

    fn landing_page(&mut self, row: LandingPageRow) -> CatalogLandingPage {
        if !PICTURES.contains(&row.picture.get_ref().as_str()) {
            self.fail(
                &row.picture,
                format!("unknown picture; expected {}", PICTURES.join(", ")),
            );
        }
        if row.paragraphs.len() > MAX_PARAGRAPHS {
            self.fail(&row.slug, format!("a page has up to {MAX_PARAGRAPHS} paragraphs"));
        }
        let path = row.action_path.get_ref();
        // A second slash or a backslash would make browsers open another site.
        let is_outside = |rest: &str| rest.starts_with(['/', '\\']) || rest.contains(char::is_whitespace);
        if path.strip_prefix('/').is_none_or(is_outside) {
            self.fail(
                &row.action_path,
                "action_path must be a path of the app, such as /explore",
            );
        }
        let page = LandingPage {
            url_slug: self.slug(row.slug),
            title: self.title(row.title),
            subtitle: self.paragraph(row.subtitle),
            picture: row.picture.into_inner(),
            paragraphs: row
                .paragraphs
                .into_iter()
                .map(|paragraph| self.paragraph(paragraph))
                .collect(),
            action_label: self.title(row.action_label),
            action_path: row.action_path.into_inner(),
            promo: None,
        };
        CatalogLandingPage {
            page,
            promo_code: row.promo.map(|code| self.known_code(code)),
        }
    }

    fn known_code(&mut self, code: Spanned<String>) -> String {
        if !self.codes.contains(code.get_ref()) {
            self.fail(&code, format!("the file has no promo {}", code.get_ref()));
        }
        code.into_inner()
    }

    fn slug(&mut self, slug: Spanned<String>) -> String {
        let text = slug.get_ref();
        let is_valid = (1..=MAX_SLUG_CHARS).contains(&text.len())
            && text
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !is_valid {
            self.fail(
                &slug,
                format!("use up to {MAX_SLUG_CHARS} characters, a to z in lower case, 0 to 9 and dashes"),
            );
        }
        slug.into_inner()
    }

    pub(super) fn title(&mut self, title: Spanned<String>) -> String {
        self.text_up_to(title, MAX_TITLE_CHARS)
    }

    pub(super) fn paragraph(&mut self, text: Spanned<String>) -> String {
        self.text_up_to(text, MAX_TEXT_CHARS)
    }

    fn text_up_to(&mut self, text: Spanned<String>, max_chars: usize) -> String {
        let trimmed = text.get_ref().trim();
        let count = trimmed.chars().count();
        let has_control_characters = trimmed.contains(is_control);
        if !(1..=max_chars).contains(&count) {
            self.fail(&text, format!("use 1 to {max_chars} characters"));
        }
        if has_control_characters {
            self.fail(&text, "control characters are not allowed");
        }
        text.into_inner().trim().to_owned()
    }

    fn number(&mut self, number: &Spanned<i64>, min: i64) -> i64 {
        let value = *number.get_ref();
        if !(min..=MAX_NUMBER).contains(&value) {
            self.fail(number, format!("expected a number from {min} to {MAX_NUMBER}"));
        }
        value
    }

    fn time(&mut self, time: &Spanned<String>) -> Timestamp {
        time.get_ref().parse().unwrap_or_else(|_| {
            self.fail(time, "expected a time such as \"2026-01-31T08:00:00Z\"");
            Timestamp::UNIX_EPOCH
        })
    }

    fn end(&mut self, ends: &Spanned<String>, starts_at: Timestamp) -> Timestamp {
        let errors = self.count_errors();
        let ends_at = self.time(ends);
        if self.count_errors() == errors && ends_at <= starts_at {
            self.fail(ends, "ends must be after starts");
        }
        ends_at
    }
}

/// Returns a number as text at the same place.
fn to_text(number: &Spanned<i64>) -> Spanned<String> {
    Spanned::new(number.span(), number.get_ref().to_string())
}
