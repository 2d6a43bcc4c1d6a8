use super::*;

fn row() -> ImportRow {
    ImportRow {
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
        ..ImportRow::default()
    }
}

fn error_after(change: fn(&mut ImportRow)) -> String {
    let mut row = row();
    change(&mut row);
    row.to_store().unwrap_err().to_string()
}

#[test]
fn a_row_becomes_a_store_without_the_values_of_optional_columns() {
    let store = row().to_store().unwrap();
    assert_eq!(
        (store.name.as_str(), store.postcode.as_str()),
        ("Elm Alabaster", "35007-4657")
    );
    assert_eq!(
        (store.phone.as_str(), store.time_zone.as_str()),
        ("(205) 564-2608", "America/Chicago")
    );
    assert_eq!(
        (store.curbside, store.baristas, store.tax_rate_ppm),
        (None, 2, None)
    );
    assert_eq!(store.mean_tax_rate_ppm, 92_900);
}

#[test]
fn optional_columns_replace_the_defaults() {
    let row = ImportRow {
        curbside: " True ".into(),
        baristas: "5".into(),
        tax_rate_ppm: "86250".into(),
        ..row()
    };
    let store = row.to_store().unwrap();
    assert_eq!(
        (store.curbside, store.baristas, store.tax_rate_ppm),
        (Some(true), 5, Some(86_250))
    );
}

#[test]
fn time_zones_are_known_by_name_whatever_the_offset() {
    let zone = |timezone: &str| {
        ImportRow {
            timezone: timezone.into(),
            ..row()
        }
        .to_store()
        .map(|store| store.time_zone)
    };
    for (text, name) in [
        ("GMT+000000 America/Phoenix", "America/Phoenix"),
        ("GMT-07:00 America/Chihuahua", "America/Chihuahua"),
        ("America/Indianapolis", "America/Indianapolis"),
    ] {
        assert_eq!(zone(text), Ok(name.to_owned()));
    }
    for text in ["GMT-05:00 America/Gotham", "", "GMT-05:00"] {
        assert_eq!(zone(text), Err(ImportRowError::TimeZone(text.into())));
    }
}

#[test]
fn the_error_names_the_invalid_column() {
    assert_eq!(
        error_after(|row| row.store_number = " ".into()),
        "store_number is missing"
    );
    assert_eq!(
        error_after(|row| row.name = "x".repeat(121)),
        "name is longer than 120 characters"
    );
    assert_eq!(
        error_after(|row| row.country = "CA".into()),
        "country is \"CA\", expected US"
    );
    assert_eq!(
        error_after(|row| row.state = "ZZ".into()),
        "state \"ZZ\" is not a US state"
    );
    assert_eq!(
        error_after(|row| row.postcode = "12".into()),
        "postcode \"12\" does not have 5 or 9 digits"
    );
    assert_eq!(
        error_after(|row| row.latitude = "north".into()),
        "latitude \"north\" is not a number"
    );
    assert_eq!(
        error_after(|row| row.latitude = "91".into()),
        "invalid position: expected a latitude from -90 to 90 and a longitude from -180 to 180"
    );
    assert_eq!(
        error_after(|row| row.curbside = "maybe".into()),
        "curbside \"maybe\" is not true or false"
    );
    assert_eq!(
        error_after(|row| row.baristas = "51".into()),
        "baristas \"51\" is not a number from 1 to 50"
    );
    assert_eq!(
        error_after(|row| row.tax_rate_ppm = "8.5%".into()),
        "tax_rate_ppm \"8.5%\" is not a number from 0 to 250000"
    );
    assert_eq!(
        error_after(|row| row.photo = Some("http://example.com/a.jpg".into())),
        "photo \"http://example.com/a.jpg\" is not an https URL or a path that begins with /"
    );
}

#[test]
fn a_nul_byte_is_invalid_in_every_text() {
    assert_eq!(
        error_after(|row| row.store_number.push('\0')),
        "store_number contains a NUL byte"
    );
    assert_eq!(error_after(|row| row.name.push('\0')), "name contains a NUL byte");
    assert_eq!(
        error_after(|row| row.street.push('\0')),
        "street contains a NUL byte"
    );
    assert_eq!(error_after(|row| row.city.push('\0')), "city contains a NUL byte");
}

#[test]
fn leading_zeros_lost_by_spreadsheets_are_restored() {
    for (text, postcode) in [
        ("21345678", "02134-5678"),
        ("021345678", "02134-5678"),
        ("02134-5678", "02134-5678"),
        ("2134", "02134"),
        ("02134 - 0", "02134"),
        ("", ""),
    ] {
        let row = ImportRow {
            postcode: text.into(),
            ..row()
        };
        assert_eq!(row.to_store().unwrap().postcode, postcode);
    }
}

#[test]
fn an_incomplete_phone_number_is_left_out() {
    let row = ImportRow {
        phone: "555".into(),
        ..row()
    };
    assert_eq!(row.to_store().unwrap().phone, "");
}
