//! A row of an import, made into a store or refused with a reason that the person who sent it understands.

use jiff::tz::TimeZone;
use serde::Deserialize;

use super::{
    geo::{NotOnEarth, Position},
    tax,
};

/// A row as it stands in the file: the columns of the public list of US coffee shops.
#[derive(Debug, Clone, Deserialize)]
pub struct Row {
    /// What the company calls the store; unique.
    pub store_number: String,
    /// Its name.
    pub name: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// State, two letters.
    pub state: String,
    /// Country; only US is taken.
    pub country: String,
    /// Five or nine digits, with or without a dash; may lack its leading zero.
    pub postcode: String,
    /// Telephone; may be missing.
    pub phone: String,
    /// `GMT-05:00 America/New_York`, or a bare name.
    pub timezone: String,
    /// Degrees east.
    pub longitude: String,
    /// Degrees north.
    pub latitude: String,
}

/// A store to be.
#[derive(Debug, Clone, PartialEq)]
pub struct NewStore {
    /// What the company calls it.
    pub number: String,
    /// Its name.
    pub name: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// State.
    pub region: String,
    /// Postcode, as the post writes it.
    pub postcode: String,
    /// Telephone, or nothing.
    pub phone: String,
    /// Where it stands.
    pub position: Position,
    /// IANA name of its clock.
    pub time_zone: String,
    /// Parts per million of what is taxed.
    pub tax_rate_ppm: i64,
    /// Whether it brings orders to the kerb.
    pub curbside: bool,
    /// How many make drinks at once.
    pub baristas: u32,
}

/// Why a row makes no store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRow {
    /// Something that every store has is missing.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A text that is too long to be what it should be.
    #[error("{0} is longer than {1} characters")]
    TooLong(&'static str, usize),
    /// A store elsewhere.
    #[error("country is {0:?}, expected US")]
    Country(String),
    /// No state whose tax is known.
    #[error("state {0:?} is not known")]
    State(String),
    /// No postcode.
    #[error("postcode {0:?} does not have 5 or 9 digits")]
    Postcode(String),
    /// No such clock.
    #[error("time zone {0:?} does not exist")]
    TimeZone(String),
    /// No coordinate.
    #[error("{0} {1:?} is not a number")]
    Coordinate(&'static str, String),
    /// No point on the earth.
    #[error("position is not on the earth: {0}")]
    Position(#[from] NotOnEarth),
}

/// How many make drinks where nobody says.
const USUAL_BARISTAS: u32 = 2;

impl Row {
    /// The store that this row describes.
    ///
    /// # Errors
    /// [`BadRow`], the first that is wrong.
    pub fn store(&self) -> Result<NewStore, BadRow> {
        let number = text("store_number", &self.store_number, 40)?;
        if self.country.trim() != "US" {
            return Err(BadRow::Country(self.country.clone()));
        }
        let region = self.state.trim().to_uppercase();
        let tax_rate_ppm = tax::rate_ppm(&region).ok_or_else(|| BadRow::State(self.state.clone()))?;
        Ok(NewStore {
            name: text("name", &self.name, 120)?,
            street: text("street", &self.street, 200)?,
            city: text("city", &self.city, 80)?,
            postcode: postcode(&self.postcode)?,
            phone: phone(&self.phone),
            position: Position::new(
                coordinate("latitude", &self.latitude)?,
                coordinate("longitude", &self.longitude)?,
            )?,
            time_zone: time_zone(&self.timezone)?,
            // Which stores have parking is not in the list: every third, by its number, and so the same each time.
            curbside: number.bytes().map(u32::from).sum::<u32>() % 3 == 0,
            baristas: USUAL_BARISTAS,
            number,
            region,
            tax_rate_ppm,
        })
    }
}

fn text(field: &'static str, value: &str, most: usize) -> Result<String, BadRow> {
    // Lists carry doubled blanks, and characters that another program could not read.
    let clean = value.replace(char::REPLACEMENT_CHARACTER, " ");
    let value = clean.split_whitespace().collect::<Vec<_>>().join(" ");
    if value.is_empty() {
        return Err(BadRow::Missing(field));
    }
    if value.chars().count() > most {
        Err(BadRow::TooLong(field, most))
    } else {
        Ok(value)
    }
}

/// Spreadsheets eat leading zeros: four digits are five, eight are nine. What follows a dash counts only if it is whole.
/// A missing postcode stays missing.
fn postcode(value: &str) -> Result<String, BadRow> {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let (zone, route) = match value.split_once('-') {
        Some((zone, route)) => (digits(zone), Some(digits(route)).filter(|route| route.len() == 4)),
        None => {
            let all = digits(value);
            let whole = if all.len() == 8 { format!("0{all}") } else { all };
            if whole.len() == 9 {
                (whole[..5].to_owned(), Some(whole[5..].to_owned()))
            } else {
                (whole, None)
            }
        }
    };
    match (zone.len(), route) {
        (0, None) if value.trim().is_empty() => Ok(String::new()),
        (4 | 5, Some(route)) => Ok(format!("{zone:0>5}-{route}")),
        (4 | 5, None) => Ok(format!("{zone:0>5}")),
        _ => Err(BadRow::Postcode(value.to_owned())),
    }
}

/// `(205) 564-2608` for any way of writing ten digits; nothing for what is no telephone number.
fn phone(value: &str) -> String {
    let digits: String = value.chars().filter(char::is_ascii_digit).collect();
    let ten = digits
        .strip_prefix('1')
        .filter(|rest| rest.len() == 10)
        .unwrap_or(&digits);
    if ten.len() == 10 {
        format!("({}) {}-{}", &ten[..3], &ten[3..6], &ten[6..])
    } else {
        String::new()
    }
}

/// The name counts, the offset written before it does not: some are wrong.
fn time_zone(value: &str) -> Result<String, BadRow> {
    let name = value.split_whitespace().last().unwrap_or_default();
    match TimeZone::get(name) {
        Ok(_) if name.contains('/') => Ok(name.to_owned()),
        _ => Err(BadRow::TimeZone(value.to_owned())),
    }
}

fn coordinate(field: &'static str, value: &str) -> Result<f64, BadRow> {
    value
        .trim()
        .parse()
        .map_err(|_| BadRow::Coordinate(field, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            store_number: "76795-96265".into(),
            name: "Elm  Alabaster ".into(),
            street: "250 S Colonial Dr".into(),
            city: "Alabaster".into(),
            state: "AL".into(),
            country: "US".into(),
            postcode: "350074657".into(),
            phone: "205-564-2608".into(),
            timezone: "GMT-06:00 America/Chicago".into(),
            longitude: "-86.81".into(),
            latitude: "33.23".into(),
        }
    }

    #[test]
    fn reads_a_row() {
        let store = row().store().unwrap();
        assert_eq!(
            (store.name.as_str(), store.postcode.as_str()),
            ("Elm Alabaster", "35007-4657")
        );
        assert_eq!(
            (store.phone.as_str(), store.time_zone.as_str()),
            ("(205) 564-2608", "America/Chicago")
        );
    }

    #[test]
    fn odd_zones_are_taken_by_name_and_invented_ones_refused() {
        let zone = |timezone: &str| {
            Row {
                timezone: timezone.into(),
                ..row()
            }
            .store()
            .map(|store| store.time_zone)
        };
        for (written, name) in [
            ("GMT+000000 America/Phoenix", "America/Phoenix"),
            ("GMT-07:00 America/Chihuahua", "America/Chihuahua"),
            ("America/Indianapolis", "America/Indianapolis"),
        ] {
            assert_eq!(zone(written), Ok(name.to_owned()));
        }
        for written in ["GMT-05:00 America/Gotham", "", "GMT-05:00"] {
            assert_eq!(zone(written), Err(BadRow::TimeZone(written.into())));
        }
    }

    #[test]
    fn says_what_is_wrong() {
        for (row, reason) in [
            (
                Row {
                    store_number: " ".into(),
                    ..row()
                },
                "store_number is missing",
            ),
            (
                Row {
                    name: "x".repeat(121),
                    ..row()
                },
                "name is longer than 120 characters",
            ),
            (
                Row {
                    country: "CA".into(),
                    ..row()
                },
                "country is \"CA\", expected US",
            ),
            (
                Row {
                    state: "ZZ".into(),
                    ..row()
                },
                "state \"ZZ\" is not known",
            ),
            (
                Row {
                    postcode: "12".into(),
                    ..row()
                },
                "postcode \"12\" does not have 5 or 9 digits",
            ),
            (
                Row {
                    latitude: "north".into(),
                    ..row()
                },
                "latitude \"north\" is not a number",
            ),
            (
                Row {
                    latitude: "91".into(),
                    ..row()
                },
                "position is not on the earth: expected a latitude of -90 to 90 and a longitude of -180 to 180",
            ),
        ] {
            assert_eq!(row.store().unwrap_err().to_string(), reason);
        }
    }

    #[test]
    fn mends_what_spreadsheets_broke() {
        for (written, postcode) in [
            ("21345678", "02134-5678"),
            ("021345678", "02134-5678"),
            ("02134-5678", "02134-5678"),
            ("2134", "02134"),
            ("02134 - 0", "02134"),
            ("", ""),
        ] {
            assert_eq!(
                Row {
                    postcode: written.into(),
                    ..row()
                }
                .store()
                .unwrap()
                .postcode,
                postcode
            );
        }
        assert_eq!(
            Row {
                phone: "555".into(),
                ..row()
            }
            .store()
            .unwrap()
            .phone,
            ""
        );
    }
}
