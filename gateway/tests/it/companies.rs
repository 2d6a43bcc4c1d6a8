//! Companies and their stores, the pictures of stores, and lists that start near the client's address.

use proto::stores::v1::{
    Company, GetCompanyRequest, GetStorePictureRequest, ListLocationsRequest, ListLocationsResponse,
    ListStoresRequest, ListStoresResponse, Location, SearchStoresRequest, Store, StorePicture,
};
use proto::values::v1::Position;
use serde_json::{Value, json};

use crate::fake_services::FakeServices;
use crate::fixtures::store;
use crate::harness::{Gateway, WithSession, accept_all_sessions, new_token, status_and_body};

/// A file with `203.0.113.0/24` in Seattle and `198.51.100.0/24` without a position.
const GEOIP: (&str, &str) = (
    "GEOIP_FILE",
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/cities.mmdb"),
);
const SEATTLE: Position = Position {
    latitude: 47.6,
    longitude: -122.3,
};

async fn get(gateway: &Gateway, path: &str) -> (u16, Value) {
    let path = format!("/api/consumer/{path}");
    status_and_body(gateway.get(&path).send().await.unwrap()).await
}

/// Sends a request from a client with this address.
async fn get_from(gateway: &Gateway, address: &str, path: &str) -> u16 {
    let request = gateway.client.get(format!("{}{path}", gateway.url));
    let response = request.header("x-forwarded-for", address).send().await.unwrap();
    response.status().as_u16()
}

fn reply_with_stores(services: &FakeServices) {
    services.on("ListStores", |request: ListStoresRequest| {
        let company_id = request.company_id;
        Ok(ListStoresResponse {
            stores: vec![Store {
                company_id,
                ..store()
            }],
        })
    });
    services.on("SearchStores", |_: SearchStoresRequest| {
        Ok(ListStoresResponse::default())
    });
}

#[tokio::test]
async fn a_company_and_its_cities_are_returned() {
    let services = FakeServices::start().await;
    services.on("GetCompany", |request: GetCompanyRequest| {
        Ok(Company {
            company_id: request.company_id,
            name: "Juniper Lane Coffee".into(),
            description: "Our own roasts.".into(),
            store_count: 12,
        })
    });
    services.on("ListLocations", |_: ListLocationsRequest| {
        Ok(ListLocationsResponse {
            company_id: "com_1".into(),
            locations: vec![Location {
                city: "Seattle".into(),
                region: "WA".into(),
                store_count: 3,
            }],
        })
    });
    let gateway = Gateway::start(&services).await;

    let (status, body) = get(&gateway, "store/company-info?companyId=com_1").await;
    assert_eq!(status, 200);
    assert_eq!(
        body["data"],
        json!({
            "companyId": "com_1", "name": "Juniper Lane Coffee", "description": "Our own roasts.", "storeCount": 12
        })
    );
    let (status, body) = get(&gateway, "store/locations?companyName=Juniper%20Lane%20Coffee").await;
    assert_eq!(status, 200);
    let seattle = json!({"city": "Seattle", "region": "WA", "storeCount": 3});
    assert_eq!(
        body["data"],
        json!({"companyId": "com_1", "locations": [seattle]})
    );
    let request: ListLocationsRequest = services.calls("ListLocations")[0].decode();
    assert_eq!(request.company_name, "Juniper Lane Coffee");

    let too_long = format!("store/locations?companyName={}", "a".repeat(1000));
    let (status, body) = get(&gateway, &too_long).await;
    assert_eq!((status, &body["reason"]), (400, &json!("MALFORMED_QUERY")));
    assert_eq!(services.calls("ListLocations").len(), 1);
}

#[tokio::test]
async fn the_stores_of_a_company_are_filtered_and_paged() {
    let services = FakeServices::start().await;
    reply_with_stores(&services);
    let gateway = Gateway::start(&services).await;

    let path = "company/stores?companyId=com_1&lat=34.1&lon=-118.2&curb=true&take=5&skip=10";
    let (status, body) = get(&gateway, path).await;
    assert_eq!(
        (status, &body["data"]["stores"][0]["companyId"]),
        (200, &json!("com_1"))
    );
    let request: ListStoresRequest = services.calls("ListStores")[0].decode();
    assert_eq!(request.company_id, "com_1");
    assert_eq!(
        request.position,
        Some(Position {
            latitude: 34.1,
            longitude: -118.2
        })
    );
    assert!(request.curbside_only && !request.favorites_only);
    let page = request.page.unwrap();
    assert_eq!((page.take, page.skip), (5, 10));
}

#[tokio::test]
async fn an_empty_company_id_does_not_list_the_stores_of_all_companies() {
    let services = FakeServices::start().await;
    reply_with_stores(&services);
    let gateway = Gateway::start(&services).await;

    let (status, body) = get(&gateway, "company/stores?companyId=").await;
    assert_eq!((status, &body["reason"]), (404, &json!("COMPANY_UNKNOWN")));
    assert!(services.calls("ListStores").is_empty());
}

#[tokio::test]
async fn a_picture_is_an_svg_that_cannot_run_scripts_and_is_revalidated_by_etag() {
    const PATH: &str = "/api/consumer/store/photo?storeId=str_1";
    let services = FakeServices::start().await;
    services.on("GetStorePicture", |request: GetStorePictureRequest| {
        Ok(StorePicture {
            svg: format!("<svg id=\"{}\"/>", request.store_id),
        })
    });
    let gateway = Gateway::start(&services).await;

    let response = gateway.get(PATH).send().await.unwrap();
    assert_eq!(response.status(), 200);
    let headers = response.headers().clone();
    assert_eq!(headers["content-type"], "image/svg+xml");
    assert_eq!(headers["cache-control"], "public, max-age=604800");
    assert_eq!(headers["content-security-policy"], "default-src 'none'");
    assert_eq!(response.text().await.unwrap(), "<svg id=\"str_1\"/>");

    let request = gateway.get(PATH).header("if-none-match", &headers["etag"]);
    let revalidated = request.send().await.unwrap();
    assert_eq!(revalidated.status(), 304);
}

#[tokio::test]
async fn lists_without_a_position_start_near_the_clients_address() {
    let services = FakeServices::start().await;
    reply_with_stores(&services);
    let gateway = Gateway::start_with(&services, &[GEOIP]).await;

    for path in [
        "/api/consumer/stores/list",
        "/api/consumer/company/stores?companyId=com_1",
    ] {
        assert_eq!(get_from(&gateway, "203.0.113.77", path).await, 200);
    }
    let search = "/api/consumer/stores/search?term=latte";
    assert_eq!(get_from(&gateway, "203.0.113.77", search).await, 200);
    let lists = services.calls("ListStores");
    assert_eq!(lists.len(), 2);
    for call in lists {
        let request: ListStoresRequest = call.decode();
        assert_eq!(
            (request.position, request.approximate_position),
            (None, Some(SEATTLE))
        );
    }
    let request: SearchStoresRequest = services.calls("SearchStores")[0].decode();
    assert_eq!(
        (request.position, request.approximate_position),
        (None, Some(SEATTLE))
    );
}

#[tokio::test]
async fn a_requested_position_or_an_unknown_address_has_no_approximate_position() {
    let services = FakeServices::start().await;
    reply_with_stores(&services);
    let gateway = Gateway::start_with(&services, &[GEOIP]).await;

    let positioned = "/api/consumer/stores/list?lat=34.1&lon=-118.2";
    assert_eq!(get_from(&gateway, "203.0.113.77", positioned).await, 200);
    let unpositioned = "/api/consumer/stores/list";
    assert_eq!(get_from(&gateway, "198.51.100.1", unpositioned).await, 200);
    let lists = services.calls("ListStores");
    assert_eq!(lists.len(), 2);
    for call in lists {
        let request: ListStoresRequest = call.decode();
        assert_eq!(request.approximate_position, None);
    }
}

#[tokio::test]
async fn clients_of_one_area_share_a_cached_list_and_other_areas_do_not() {
    const PATH: &str = "/api/consumer/stores/list";
    let services = FakeServices::start().await;
    reply_with_stores(&services);
    let settings = [GEOIP, ("PUBLIC_READ_MAX_AGE_MS", "600000")];
    let gateway = Gateway::start_with(&services, &settings).await;

    get_from(&gateway, "203.0.113.1", PATH).await;
    get_from(&gateway, "203.0.113.200", PATH).await;
    assert_eq!(services.calls("ListStores").len(), 1);
    get_from(&gateway, "198.51.100.1", PATH).await;
    assert_eq!(services.calls("ListStores").len(), 2);
}

#[tokio::test]
async fn a_signed_in_consumer_gets_the_stores_of_a_company_with_favorites() {
    let services = FakeServices::start().await;
    accept_all_sessions(&services);
    reply_with_stores(&services);
    let gateway = Gateway::start(&services).await;

    let path = "/api/consumer/company/stores?companyId=com_1";
    let response = gateway.get(path).with_session(&new_token()).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert!(services.calls("ListStores")[0].caller.consumer().is_ok());
}
