//! Imports of stores from CSV files.

use std::fmt::Write;

use proto::stores::v1::{self as pb, stores_server::Stores as _};
use stores::{
    domain::hours::WeeklyHours,
    ops::import_stores::{ImportOptions, ImportReport, import_stores},
};

use crate::harness::{Harness, ok, reason, request_from_service};

const SAMPLE: &str = include_str!("../../../../deploy/seed/stores-sample.csv");
/// The columns of the public list of US coffee stores.
const HEADER: &str =
    "store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude";
const COMPANY: &str = "Harbor & Pine";

async fn import(harness: &Harness, company: Option<&str>, file: &[u8]) -> anyhow::Result<ImportReport> {
    let options = ImportOptions {
        company: company.map(str::to_owned),
        hours: Some(WeeklyHours::parse_daily("05:00-21:00").unwrap()),
    };
    import_stores(&harness.cx, file, &options, |_| {}).await
}

async fn import_error(harness: &Harness, company: Option<&str>, file: &[u8]) -> String {
    import(harness, company, file).await.unwrap_err().to_string()
}

fn rejected(report: &ImportReport) -> Vec<(u64, &str)> {
    report
        .rejected
        .iter()
        .map(|row| (row.line, row.reason.as_str()))
        .collect()
}

fn valid_row(number: &str) -> String {
    format!(
        "{number},Elm,Licensed,\"1 Elm St, Lobby\",Reno,NV,US,89501,,GMT-08:00 America/Los_Angeles,-119.81,39.53\n"
    )
}

#[tokio::test]
async fn importing_the_sample_again_changes_nothing() {
    let harness = Harness::seeded().await;
    let first = import(&harness, None, SAMPLE.as_bytes()).await.unwrap();
    assert_eq!(
        first,
        ImportReport {
            added: 30,
            ..ImportReport::default()
        }
    );
    let checksum = async || -> String {
        sqlx::query_scalar("SELECT sum(hashtextextended(s::text, 0))::text FROM stores s")
            .fetch_one(&harness.database.pool)
            .await
            .unwrap()
    };
    let before = checksum().await;
    let second = import(&harness, None, SAMPLE.as_bytes()).await.unwrap();
    assert_eq!(
        second,
        ImportReport {
            unchanged: 30,
            ..ImportReport::default()
        }
    );
    assert_eq!(checksum().await, before);
    assert_eq!(
        harness
            .count(
                "SELECT count(*) FROM store_hours JOIN stores USING (store_id)
                 WHERE store_number LIKE 'sample-%' AND opens_minute = 300 AND closes_minute = 1260"
            )
            .await,
        210
    );
    assert_eq!(
        harness
            .count("SELECT count(DISTINCT company_id) FROM stores WHERE store_number LIKE 'sample-%'")
            .await,
        3
    );
    assert_eq!(
        harness
            .count("SELECT count(*) FROM stores WHERE store_number LIKE 'sample-%' AND curbside")
            .await,
        10
    );
    harness.close().await;
}

#[tokio::test]
async fn a_changed_row_updates_its_store() {
    let harness = Harness::seeded().await;
    import(&harness, None, SAMPLE.as_bytes()).await.unwrap();
    let store_id = harness.store("Café Alameda").await;
    let changed = SAMPLE.replace("Café Alameda", "Café Encinal");
    let report = import(&harness, None, changed.as_bytes()).await.unwrap();
    assert_eq!(
        report,
        ImportReport {
            updated: 1,
            unchanged: 29,
            ..ImportReport::default()
        }
    );
    assert_eq!(harness.store("Café Encinal").await, store_id);
    assert_eq!(
        harness
            .count("SELECT count(*) FROM stores WHERE search_text LIKE '%cafe encinal%'")
            .await,
        1
    );
    harness.close().await;
}

#[tokio::test]
async fn invalid_rows_are_reported_with_their_line_and_the_others_imported() {
    let harness = Harness::seeded().await;
    let mut file = format!("{HEADER}\n{}", valid_row("n-1")).into_bytes();
    file.extend(b"n-2,Elm,Licensed,1 Elm St,Reno,NV,US,89501,,GMT-08:00 America/Gotham,-119.81,39.53\n");
    file.extend(b"n-3,too,few\n");
    file.extend(
        b"n-4,\"two\nlines\",Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n",
    );
    file.extend(b"n-5,El\xff,Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n");
    file.extend(valid_row("n-1").into_bytes());
    file.extend(b"n-6,Elm,Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-219.81,39.53\n");
    file.extend(b"n-8,El\0m,Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n");
    let long_name = "x".repeat(121);
    file.extend(
        format!("n-9,{long_name},Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n")
            .into_bytes(),
    );
    file.extend(valid_row("n-7").trim_end().as_bytes());
    let report = import(&harness, Some(COMPANY), &file).await.unwrap();
    assert_eq!(report.added, 3);
    assert_eq!(
        rejected(&report),
        [
            (3, "time zone \"GMT-08:00 America/Gotham\" does not exist"),
            (4, "3 fields, expected 12"),
            (7, "field 2 is not UTF-8"),
            (8, "store_number n-1 is already on line 2"),
            (
                9,
                "invalid position: expected a latitude from -90 to 90 and a longitude from -180 to 180"
            ),
            (10, "name contains a NUL byte"),
            (11, "name is longer than 120 characters"),
        ]
    );
    harness.close().await;
}

#[tokio::test]
async fn a_store_without_hours_is_listed_and_takes_no_orders_until_its_staff_set_hours() {
    let harness = Harness::seeded().await;
    let options = ImportOptions {
        company: Some(COMPANY.to_owned()),
        hours: None,
    };
    let file = format!("{HEADER}\n{}", valid_row("n-1"));
    import_stores(&harness.cx, file.as_bytes(), &options, |_| {})
        .await
        .unwrap();
    let store_id = stores::domain::stable_id::store_id("n-1");
    let resolve = async || {
        let request = pb::ResolveLinesRequest {
            store_id: store_id.to_string(),
            ..Default::default()
        };
        harness
            .grpc
            .resolve_lines(request_from_service("ordering", request))
            .await
    };

    let store = harness.get_store(store_id).await;
    assert_eq!(
        (store.open_state(), &*store.hours_today, &*store.next_change_at),
        (pb::OpenState::Closed, "No opening hours listed", "")
    );
    assert_eq!(harness.pickup_times(store_id).await, Vec::<String>::new());
    assert_eq!(reason(resolve().await), "STORE_CLOSED");

    let all_day = (1..=7).map(|weekday| pb::DayHours {
        weekday,
        opens_minute: 0,
        closes_minute: 1440,
    });
    harness.set_week(store_id, all_day.collect()).await.unwrap();
    import_stores(&harness.cx, file.as_bytes(), &options, |_| {})
        .await
        .unwrap();
    assert_eq!(harness.get_store(store_id).await.hours_today, "Open 24 hours");
    assert_eq!(ok(resolve().await).problems, []);
    harness.close().await;
}

/// The tax rates, curbside pickup and baristas of the imported stores, by number.
async fn settings(harness: &Harness) -> Vec<(String, i64, bool, i32)> {
    sqlx::query_as(
        "SELECT store_number, tax_rate_ppm, curbside, baristas FROM stores WHERE store_number LIKE 'n-%'
         ORDER BY store_number",
    )
    .fetch_all(&harness.database.pool)
    .await
    .unwrap()
}

#[tokio::test]
async fn a_file_without_values_keeps_those_of_existing_stores() {
    let harness = Harness::seeded().await;
    let row = |number: &str, values: &str| format!("{}{values}\n", valid_row(number).trim_end());
    let columns = "tax_rate_ppm,curbside,baristas";
    let file = format!("{HEADER},{columns}\n{}", row("n-1", ",86250,true,3"));
    import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    let setting = |number: &str, tax, curbside, baristas| (number.to_owned(), tax, curbside, baristas);
    assert_eq!(settings(&harness).await, [setting("n-1", 86_250, true, 3)]);

    sqlx::query("UPDATE stores SET baristas = 4 WHERE store_number = 'n-1'")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let without = format!("{HEADER}\n{}{}", valid_row("n-1"), valid_row("n-2"));
    let empty = format!("{HEADER},{columns}\n{}{}", row("n-1", ",,,"), row("n-2", ",,,"));
    for (file, added, unchanged) in [(without, 1, 1), (empty, 0, 2)] {
        let report = import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
        assert_eq!((report.added, report.unchanged), (added, unchanged), "{report:?}");
        assert_eq!(
            settings(&harness).await,
            [setting("n-1", 86_250, true, 4), setting("n-2", 82_400, false, 2)]
        );
    }

    let file = format!("{HEADER},{columns}\n{}", row("n-1", ",86000,false,2"));
    import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    let moved = format!("{HEADER}\n{}", valid_row("n-2").replace(",NV,", ",CA,"));
    import(&harness, Some(COMPANY), moved.as_bytes()).await.unwrap();
    assert_eq!(
        settings(&harness).await,
        [setting("n-1", 86_000, false, 4), setting("n-2", 88_500, false, 2)],
        "staff set the baristas; a store that moved has the rate of its state"
    );
    harness.close().await;
}

#[tokio::test]
async fn a_photo_is_set_changed_and_removed_by_its_column() {
    let harness = Harness::seeded().await;
    let photos = async || -> Vec<(String, Option<String>)> {
        sqlx::query_as(
            "SELECT store_number, photo_url FROM stores WHERE store_number LIKE 'n-%' ORDER BY store_number",
        )
        .fetch_all(&harness.database.pool)
        .await
        .unwrap()
    };
    let with_photo = |number: &str, photo: &str| format!("{},{photo}\n", valid_row(number).trim_end());
    let file = |first: &str, second: &str| {
        format!(
            "{HEADER},photo\n{}{}{}",
            with_photo("n-1", first),
            with_photo("n-2", second),
            with_photo("n-3", "http://photos.example.com/c.jpg")
        )
    };
    let first = file(" https://photos.example.com/a.jpg ", "/photos/b.jpg");
    let report = import(&harness, Some(COMPANY), first.as_bytes()).await.unwrap();
    assert_eq!(report.added, 2);
    assert_eq!(
        rejected(&report),
        [(
            4,
            "photo \"http://photos.example.com/c.jpg\" is not an https URL or a path that begins with /"
        )]
    );
    let set = |number: &str, photo: &str| (number.to_owned(), Some(photo.to_owned()));
    let both = [
        set("n-1", "https://photos.example.com/a.jpg"),
        set("n-2", "/photos/b.jpg"),
    ];
    assert_eq!(photos().await, both);

    let without_column = format!("{HEADER}\n{}{}", valid_row("n-1"), valid_row("n-2"));
    let report = import(&harness, Some(COMPANY), without_column.as_bytes())
        .await
        .unwrap();
    assert_eq!((report.unchanged, photos().await), (2, both.to_vec()));

    let report = import(&harness, Some(COMPANY), file("/photos/a.jpg", "").as_bytes())
        .await
        .unwrap();
    assert_eq!(report.updated, 2);
    assert_eq!(
        photos().await,
        [set("n-1", "/photos/a.jpg"), ("n-2".to_owned(), None)]
    );
    harness.close().await;
}

#[tokio::test]
async fn a_row_that_only_the_database_rejects_does_not_stop_the_import() {
    let harness = Harness::seeded().await;
    sqlx::query("ALTER TABLE stores ADD CONSTRAINT no_third_store CHECK (store_number <> 'n-3')")
        .execute(&harness.database.pool)
        .await
        .unwrap();
    let rows: String = (1..=5).map(|number| valid_row(&format!("n-{number}"))).collect();
    let file = format!("{HEADER}\n{rows}n-6,too,few\n");
    let report = import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    assert_eq!((report.added, report.rejected.len()), (4, 2));
    assert_eq!(report.rejected[0].line, 4);
    assert!(
        report.rejected[0].reason.contains("no_third_store"),
        "{}",
        report.rejected[0].reason
    );
    assert_eq!(rejected(&report)[1], (7, "3 fields, expected 12"));
    assert_eq!(
        harness
            .count(
                "SELECT count(*) FROM store_hours JOIN stores USING (store_id) WHERE store_number LIKE 'n-%'"
            )
            .await,
        4 * 7
    );
    harness.close().await;
}

#[tokio::test]
async fn the_company_is_given_by_the_option_or_a_column() {
    let harness = Harness::seeded().await;
    let stores_of = async |company: &str| -> Vec<String> {
        sqlx::query_scalar(
            "SELECT store_number FROM stores JOIN companies USING (company_id)
             WHERE companies.name = $1 AND store_number LIKE 'n-%' ORDER BY store_number",
        )
        .bind(company)
        .fetch_all(&harness.database.pool)
        .await
        .unwrap()
    };
    let file = format!("{HEADER}\n{}", valid_row("n-1"));
    assert_eq!(
        import_error(&harness, None, file.as_bytes()).await,
        "the file has no column company: name the company with --company"
    );
    assert_eq!(
        import_error(&harness, Some("Acme"), file.as_bytes()).await,
        "company \"Acme\" does not exist"
    );
    import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    assert_eq!(stores_of(COMPANY).await, ["n-1"]);

    let company_id: types::CompanyId = sqlx::query_scalar("SELECT company_id FROM companies WHERE name = $1")
        .bind("Northlight Roasters")
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    let with_company = |number: &str, company: &str| format!("{},{company}\n", valid_row(number).trim_end());
    let file = format!(
        "{HEADER},company\n{}{}{}",
        with_company("n-2", ""),
        with_company("n-3", "Juniper Lane Coffee"),
        with_company("n-4", "Acme"),
    );
    let report = import(&harness, Some(&company_id.to_string()), file.as_bytes())
        .await
        .unwrap();
    assert_eq!(rejected(&report), [(4, "company \"Acme\" does not exist")]);
    assert_eq!(stores_of("Northlight Roasters").await, ["n-2"]);
    assert_eq!(stores_of("Juniper Lane Coffee").await, ["n-3"]);
    let report = import(&harness, None, file.as_bytes()).await.unwrap();
    assert_eq!(rejected(&report)[0], (2, "company is missing"));
    harness.close().await;
}

#[tokio::test]
async fn a_number_of_another_company_is_rejected_and_its_store_unchanged() {
    let harness = Harness::seeded().await;
    let file = |rows: &[String]| format!("{HEADER}\n{}", rows.concat());
    let stored = async || -> String {
        sqlx::query_scalar("SELECT s::text FROM stores s WHERE store_number = 'n-1'")
            .fetch_one(&harness.database.pool)
            .await
            .unwrap()
    };
    let first = file(&[valid_row("n-1")]);
    import(&harness, Some(COMPANY), first.as_bytes()).await.unwrap();
    let before = stored().await;

    let other = "Northlight Roasters";
    let moved = file(&[valid_row("n-1").replace("Elm", "Oak"), valid_row("n-2")]);
    let report = import(&harness, Some(other), moved.as_bytes()).await.unwrap();
    assert_eq!(
        rejected(&report),
        [(2, "store_number n-1 belongs to Harbor & Pine")]
    );
    assert_eq!((report.added, report.updated, report.unchanged), (1, 0, 0));
    assert_eq!(stored().await, before);
    harness.close().await;
}

#[tokio::test]
async fn a_file_with_other_columns_is_not_imported() {
    let harness = Harness::seeded().await;
    assert_eq!(
        import_error(&harness, Some(COMPANY), b"item,calories\nmuffin,300\n").await,
        "column store_number is missing in the first line"
    );
    assert!(import(&harness, Some(COMPANY), b"").await.is_err());
    harness.close().await;
}

#[tokio::test]
async fn an_import_needs_companies() {
    let harness = Harness::empty().await;
    assert_eq!(
        import_error(&harness, None, SAMPLE.as_bytes()).await,
        "there are no companies: run `stores seed` first"
    );
    harness.close().await;
}

#[tokio::test]
async fn twelve_thousand_rows_take_seconds() {
    let harness = Harness::seeded().await;
    let mut file = format!("{HEADER}\n");
    for n in 0..12_032 {
        let (longitude, latitude) = (
            -120.0 + f64::from(n % 500) / 10.0,
            30.0 + f64::from(n / 500) / 2.0,
        );
        let (town, digit) = (n % 700, n % 10);
        writeln!(
            file,
            "many-{n},Store {n},Licensed,{n} Main St,Town {town},TX,US,7870{digit},,GMT-06:00 America/Chicago,\
             {longitude:.2},{latitude:.2}"
        )
        .unwrap();
    }
    let started = tokio::time::Instant::now();
    let report = import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    assert_eq!(
        report,
        ImportReport {
            added: 12_032,
            ..ImportReport::default()
        }
    );
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    let again = import(&harness, Some(COMPANY), file.as_bytes()).await.unwrap();
    assert_eq!(
        again,
        ImportReport {
            unchanged: 12_032,
            ..ImportReport::default()
        }
    );
    harness.close().await;
}
