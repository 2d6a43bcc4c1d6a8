//! Stores from a file: all that can be read, each once, and a reason for the rest.

use stores::{
    domain::hours::Week,
    ops::import::{Report, import, parse_hours},
};

use crate::harness::Harness;

const SAMPLE: &str = include_str!("../../../../deploy/seed/stores-sample.csv");
const HEADER: &str =
    "store_number,name,ownership,street,city,state,country,postcode,phone,timezone,longitude,latitude";

fn usual() -> Week {
    parse_hours("05:00-21:00").unwrap()
}

async fn load(harness: &Harness, text: &[u8]) -> anyhow::Result<Report> {
    import(&harness.cx, text, &usual(), |_| {}).await
}

#[tokio::test]
async fn the_sample_is_loaded_once() {
    let harness = Harness::seeded().await;
    let first = load(&harness, SAMPLE.as_bytes()).await.unwrap();
    assert_eq!(
        first,
        Report {
            new: 30,
            ..Report::default()
        }
    );
    let rows = "SELECT sum(hashtextextended(s::text, 0))::text FROM stores s";
    let before: String = sqlx::query_scalar(rows)
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    let again = load(&harness, SAMPLE.as_bytes()).await.unwrap();
    assert_eq!(
        again,
        Report {
            unchanged: 30,
            ..Report::default()
        }
    );
    let after: String = sqlx::query_scalar(rows)
        .fetch_one(&harness.database.pool)
        .await
        .unwrap();
    assert_eq!(before, after);
    assert_eq!(harness.count("SELECT count(*) FROM store_hours JOIN stores USING (store_id) WHERE store_number LIKE 'sample-%' AND opens_minute = 300 AND closes_minute = 1260").await, 210);
    assert_eq!(
        harness
            .count("SELECT count(DISTINCT company_id) FROM stores WHERE store_number LIKE 'sample-%'")
            .await,
        3
    );
    harness.close().await;
}

#[tokio::test]
async fn a_changed_row_is_brought_up_to_date_and_keeps_its_id() {
    let harness = Harness::seeded().await;
    load(&harness, SAMPLE.as_bytes()).await.unwrap();
    let id = harness.store("Café Alameda").await;
    let report = load(
        &harness,
        SAMPLE.replace("Café Alameda", "Café Encinal").as_bytes(),
    )
    .await
    .unwrap();
    assert_eq!(
        report,
        Report {
            changed: 1,
            unchanged: 29,
            ..Report::default()
        }
    );
    assert_eq!(harness.store("Café Encinal").await, id);
    assert_eq!(
        harness
            .count("SELECT count(*) FROM stores WHERE search_text LIKE '%cafe encinal%'")
            .await,
        1
    );
    harness.close().await;
}

#[tokio::test]
async fn a_bad_row_is_told_with_its_line_and_the_rest_is_loaded() {
    let harness = Harness::seeded().await;
    let good = |number: &str| {
        format!(
            "{number},Elm,Licensed,\"1 Elm St, Lobby\",Reno,NV,US,89501,,GMT-08:00 America/Los_Angeles,-119.81,39.53\n"
        )
    };
    let mut file = format!("{HEADER}\n{}", good("n-1")).into_bytes();
    file.extend(b"n-2,Elm,Licensed,1 Elm St,Reno,NV,US,89501,,GMT-08:00 America/Gotham,-119.81,39.53\n");
    file.extend(b"n-3,too,few\n");
    file.extend(
        b"n-4,\"two\nlines\",Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n",
    );
    file.extend(b"n-5,El\xff,Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-119.81,39.53\n");
    file.extend(good("n-1").into_bytes());
    file.extend(b"n-6,Elm,Licensed,1 Elm St,Reno,NV,US,89501,,America/Los_Angeles,-219.81,39.53\n");
    file.extend(good("n-7").trim_end().as_bytes());
    let report = load(&harness, &file).await.unwrap();
    assert_eq!(report.new, 3);
    let refused: Vec<_> = report
        .refused
        .iter()
        .map(|(line, reason)| (*line, reason.as_str()))
        .collect();
    assert_eq!(
        refused,
        [
            (3, "time zone \"GMT-08:00 America/Gotham\" does not exist"),
            (4, "3 fields, expected 12"),
            (7, "field 2 is not UTF-8"),
            (8, "store_number n-1 was on line 2 already"),
            (
                9,
                "position is not on the earth: expected a latitude of -90 to 90 and a longitude of -180 to 180"
            ),
        ]
    );
    harness.close().await;
}

#[tokio::test]
async fn a_file_of_another_kind_is_refused_whole() {
    let harness = Harness::seeded().await;
    let error = load(&harness, b"item,calories\nmuffin,300\n")
        .await
        .unwrap_err()
        .to_string();
    assert_eq!(error, "column store_number is missing in the first line");
    assert!(load(&harness, b"").await.is_err());
    harness.close().await;
}

#[tokio::test]
async fn without_companies_there_is_nobody_to_give_stores_to() {
    let harness = Harness::empty().await;
    let error = load(&harness, SAMPLE.as_bytes()).await.unwrap_err().to_string();
    assert_eq!(error, "there is no company yet: run `stores seed` first");
    harness.close().await;
}

#[tokio::test]
async fn twelve_thousand_rows_take_seconds() {
    let harness = Harness::seeded().await;
    let mut file = format!("{HEADER}\n");
    for n in 0..12_032 {
        let (east, north) = (
            -120.0 + f64::from(n % 500) / 10.0,
            30.0 + f64::from(n / 500) / 2.0,
        );
        file.push_str(&format!("many-{n},Store {n},Licensed,{n} Main St,Town {},TX,US,7870{},,GMT-06:00 America/Chicago,{east:.2},{north:.2}\n", n % 700, n % 10));
    }
    let started = tokio::time::Instant::now();
    let report = load(&harness, file.as_bytes()).await.unwrap();
    assert_eq!(
        report,
        Report {
            new: 12_032,
            ..Report::default()
        }
    );
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    let again = load(&harness, file.as_bytes()).await.unwrap();
    assert_eq!(
        again,
        Report {
            unchanged: 12_032,
            ..Report::default()
        }
    );
    harness.close().await;
}
