//! The example requests for integrators run against the system, and each has the status that the file states.

use std::{fs::File, path::Path, process::Command};

use serde_json::Value;
use types::StoreId;

use crate::harness::{STORE_CREDENTIAL, Stack, shared_stack};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/examples");

/// Method and expected status of a request.
type Expected = (String, u64);

/// Reads the requests of an HTTP file. Each has to state its status.
fn documented(file: &str) -> Vec<Expected> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join(file)).unwrap();
    let requests = text.split("\n###").skip(1);
    requests.map(documented_request).collect()
}

fn documented_request(request: &str) -> Expected {
    let method = request
        .lines()
        .find_map(|line| Some(line.split_once(" {{origin}}")?.0))
        .unwrap_or_else(|| panic!("no request: {request}"));
    let status = request
        .lines()
        .find_map(|line| line.strip_prefix("?? status == "))
        .unwrap_or_else(|| panic!("no status is stated: {request}"));
    (method.to_owned(), status.parse().unwrap())
}

/// Sends all requests of an HTTP file and returns the report of httpyac.
fn send(file: &str, settings: &[(&str, String)]) -> Value {
    // A file, because httpyac exits before it has written all of a long report to a pipe.
    let path = std::env::temp_dir().join(format!("{}.json", testing::unique_name()));
    // Installed by `deploy/dev/setup test`.
    let output = Command::new("node_modules/.bin/httpyac")
        .current_dir(FOLDER)
        .args(["send", file, "--all", "--bail", "--json", "--timeout", "20000"])
        .envs(settings.iter().map(|(name, value)| (name, value)))
        .stdout(File::create(&path).unwrap())
        .output()
        .unwrap();
    let report = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    serde_json::from_slice(&report)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

async fn place_of(stack: &Stack, store: StoreId) -> (f64, f64) {
    sqlx::query_as("SELECT latitude, longitude FROM stores WHERE store_id = $1")
        .bind(store.uuid())
        .fetch_one(&mut stack.database("stores").await)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_requests_place_an_order() {
    let stack = shared_stack().await;
    let store = stack.store();
    let (latitude, longitude) = place_of(stack, store.id).await;
    let settings = [
        ("ORIGIN", stack.origin()),
        (
            "SMS_FILE",
            stack.program("accounts").setting("SMS_FILE").to_owned(),
        ),
        ("DEV_STORE_CREDENTIAL", STORE_CREDENTIAL.clone()),
        ("LATITUDE", latitude.to_string()),
        ("LONGITUDE", longitude.to_string()),
    ];
    let report = tokio::task::spawn_blocking(move || send("order.http", &settings))
        .await
        .unwrap();

    let documented = documented("order.http");
    assert_eq!(
        report["summary"]["successRequests"],
        documented.len(),
        "{report:#}"
    );
    let sent: Vec<Expected> = report["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|request| {
            let method = request["response"]["request"]["method"].as_str().unwrap();
            (
                method.to_owned(),
                request["response"]["statusCode"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(sent, documented, "{report:#}");
    assert_eq!(
        store.queue().await.len(),
        1,
        "the order is in the queue of the store"
    );
}
