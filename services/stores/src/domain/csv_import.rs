//! Rows of a CSV import: validation and conversion to stores.

use std::{ops::RangeInclusive, str::FromStr};

use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer};

use super::{
    geo::{InvalidCoordinates, Position},
    photo::{InvalidPhoto, PhotoChange},
    store_name::clean_name,
    tax,
};

/// Columns that the header must contain. The other columns of [`ImportRow`] are optional.
pub(crate) const REQUIRED_COLUMNS: [&str; 11] = [
    "store_number",
    "name",
    "street",
    "city",
    "state",
    "country",
    "postcode",
    "phone",
    "timezone",
    "longitude",
    "latitude",
];
/// Id or name of the company that runs the store.
pub(crate) const COMPANY_COLUMN: &str = "company";

const DEFAULT_BARISTAS: u32 = 2;
const BARISTAS: RangeInclusive<u32> = 1..=50;
const TAX_RATE_PPM: RangeInclusive<i64> = 0..=250_000;

/// A row of the file. Other columns are ignored.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct ImportRow {
    pub(crate) store_number: String,
    pub(crate) name: String,
    pub(crate) street: String,
    pub(crate) city: String,
    /// Two letters.
    pub(crate) state: String,
    pub(crate) country: String,
    /// Five or nine digits, with or without a dash. A leading zero may be missing.
    pub(crate) postcode: String,
    /// May be empty.
    pub(crate) phone: String,
    /// `GMT-05:00 America/New_York`, or only the name.
    pub(crate) timezone: String,
    pub(crate) longitude: String,
    pub(crate) latitude: String,
    /// Id or name. Empty for the company of the option `--company`.
    #[serde(default)]
    pub(crate) company: String,
    /// `true` or `false`. Empty: an existing store keeps its value, a new one has none.
    #[serde(default)]
    pub(crate) curbside: String,
    /// Of a new store; empty for [`DEFAULT_BARISTAS`].
    #[serde(default)]
    pub(crate) baristas: String,
    /// Empty: an existing store keeps its rate unless it moved to another state, a new one has the mean rate of the state.
    #[serde(default)]
    pub(crate) tax_rate_ppm: String,
    /// Address of a photo; empty for the drawn picture. Absent without the column: stores keep their photos.
    #[serde(default, deserialize_with = "column_value")]
    pub(crate) photo: Option<String>,
}

/// Returns an empty value as such, so that it differs from a missing column.
fn column_value<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    String::deserialize(deserializer).map(Some)
}

/// A store to be written, without its company and hours.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStore {
    /// The company's number of the store. Unique.
    pub(crate) number: String,
    pub(crate) name: String,
    pub(crate) street: String,
    pub(crate) city: String,
    /// The state, two letters.
    pub(crate) region: String,
    /// Five digits, or five and four with a dash; empty if unknown.
    pub(crate) postcode: String,
    /// Empty if unknown.
    pub(crate) phone: String,
    pub(crate) position: Position,
    /// IANA name.
    pub(crate) time_zone: String,
    /// Parts per million of the taxable amount. If absent, an existing store keeps its rate.
    pub(crate) tax_rate_ppm: Option<i64>,
    /// The mean rate of the state, for a store without another rate.
    pub(crate) mean_tax_rate_ppm: i64,
    /// If absent, an existing store keeps its value.
    pub(crate) curbside: Option<bool>,
    /// Applies only to a new store, because the staff of an existing one may have changed it.
    pub(crate) baristas: u32,
    pub(crate) photo: PhotoChange,
}

/// The reason for which a row is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ImportRowError {
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    #[error("{0} contains a NUL byte")]
    NulByte(&'static str),
    #[error("country is {0:?}, expected US")]
    Country(String),
    #[error("state {0:?} is not a US state")]
    State(String),
    #[error("postcode {0:?} does not have 5 or 9 digits")]
    Postcode(String),
    #[error("time zone {0:?} does not exist")]
    TimeZone(String),
    #[error("{0} {1:?} is not a number")]
    NotANumber(&'static str, String),
    #[error("{0} {1:?} is not a number from {2} to {3}")]
    OutOfRange(&'static str, String, i64, i64),
    #[error("invalid position: {0}")]
    Position(#[from] InvalidCoordinates),
    #[error("curbside {0:?} is not true or false")]
    Curbside(String),
    #[error("photo {0:?} {1}")]
    Photo(String, InvalidPhoto),
}

impl ImportRow {
    /// Returns the store, or the first error found.
    pub(crate) fn to_store(&self) -> Result<NewStore, ImportRowError> {
        let number = clean_text("store_number", &self.store_number, 40)?;
        if self.country.trim() != "US" {
            return Err(ImportRowError::Country(self.country.clone()));
        }
        let region = self.state.trim().to_uppercase();
        let mean_tax_rate_ppm =
            tax::mean_rate_ppm(&region).ok_or_else(|| ImportRowError::State(self.state.clone()))?;
        let street = clean_text("street", &self.street, 200)?;
        Ok(NewStore {
            name: clean_name(&clean_text("name", &self.name, 120)?, &street),
            street,
            city: clean_text("city", &self.city, 80)?,
            postcode: normalize_postcode(&self.postcode)?,
            phone: normalize_phone(&self.phone),
            position: Position::new(
                parse_coordinate("latitude", &self.latitude)?,
                parse_coordinate("longitude", &self.longitude)?,
            )?,
            time_zone: parse_time_zone(&self.timezone)?,
            tax_rate_ppm: parse_optional("tax_rate_ppm", &self.tax_rate_ppm, &TAX_RATE_PPM)?,
            mean_tax_rate_ppm,
            curbside: parse_curbside(&self.curbside)?,
            baristas: parse_optional("baristas", &self.baristas, &BARISTAS)?.unwrap_or(DEFAULT_BARISTAS),
            photo: parse_photo(self.photo.as_deref())?,
            number,
            region,
        })
    }
}

/// Joins words with single spaces. Removes replacement characters, which another program wrote for bytes that it could
/// not decode.
fn clean_text(field: &'static str, value: &str, max_chars: usize) -> Result<String, ImportRowError> {
    if value.contains('\0') {
        return Err(ImportRowError::NulByte(field));
    }
    let decoded = value.replace(char::REPLACEMENT_CHARACTER, " ");
    let text = decoded.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        return Err(ImportRowError::Missing(field));
    }
    if text.chars().count() > max_chars {
        Err(ImportRowError::TooLong(field, max_chars))
    } else {
        Ok(text)
    }
}

/// Formats `12345` or `12345-6789`. Restores a leading zero that a spreadsheet removed: four digits become five, eight
/// become nine. Digits after a dash are dropped unless there are four.
fn normalize_postcode(value: &str) -> Result<String, ImportRowError> {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let (zone, route) = match value.split_once('-') {
        Some((zone, route)) => (digits(zone), Some(digits(route)).filter(|route| route.len() == 4)),
        None => {
            let all = digits(value);
            let complete = if all.len() == 8 { format!("0{all}") } else { all };
            if complete.len() == 9 {
                (complete[..5].to_owned(), Some(complete[5..].to_owned()))
            } else {
                (complete, None)
            }
        }
    };
    match (zone.len(), route) {
        (0, None) if value.trim().is_empty() => Ok(String::new()),
        (4 | 5, Some(route)) => Ok(format!("{zone:0>5}-{route}")),
        (4 | 5, None) => Ok(format!("{zone:0>5}")),
        _ => Err(ImportRowError::Postcode(value.to_owned())),
    }
}

/// Formats `(205) 564-2608`. Returns an empty text unless there are ten digits.
fn normalize_phone(value: &str) -> String {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let number = digits
        .strip_prefix('1')
        .filter(|number| number.len() == 10)
        .unwrap_or(&digits);
    if number.len() == 10 {
        format!("({}) {}-{}", &number[..3], &number[3..6], &number[6..])
    } else {
        String::new()
    }
}

/// Returns the IANA name. Ignores the offset before it, which is wrong in some files.
fn parse_time_zone(value: &str) -> Result<String, ImportRowError> {
    let name = value.split_whitespace().last().unwrap_or_default();
    match TimeZone::get(name) {
        Ok(_) if name.contains('/') => Ok(name.to_owned()),
        _ => Err(ImportRowError::TimeZone(value.to_owned())),
    }
}

fn parse_coordinate(field: &'static str, value: &str) -> Result<f64, ImportRowError> {
    value
        .trim()
        .parse()
        .map_err(|_| ImportRowError::NotANumber(field, value.to_owned()))
}

fn parse_curbside(value: &str) -> Result<Option<bool>, ImportRowError> {
    match value.trim().to_ascii_lowercase().as_str() {
        "" => Ok(None),
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        _ => Err(ImportRowError::Curbside(value.to_owned())),
    }
}

fn parse_photo(value: Option<&str>) -> Result<PhotoChange, ImportRowError> {
    let Some(value) = value else {
        return Ok(PhotoChange::Keep);
    };
    value
        .trim()
        .parse()
        .map_err(|error| ImportRowError::Photo(value.to_owned(), error))
}

fn parse_optional<N>(
    field: &'static str,
    value: &str,
    range: &RangeInclusive<N>,
) -> Result<Option<N>, ImportRowError>
where
    N: FromStr + PartialOrd + Copy + Into<i64>,
{
    let value = value.trim();
    if value.is_empty() {
        return Ok(None);
    }
    match value.parse() {
        Ok(number) if range.contains(&number) => Ok(Some(number)),
        _ => Err(ImportRowError::OutOfRange(
            field,
            value.to_owned(),
            (*range.start()).into(),
            (*range.end()).into(),
        )),
    }
}

#[cfg(test)]
mod tests;
