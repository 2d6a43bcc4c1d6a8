//! The OpenAPI document. It is committed, and the web app's types are generated from it.

mod limits;

use utoipa::PartialSchema;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{
    Components, ContentBuilder, InfoBuilder, OpenApi, Ref, RefOr, ResponseBuilder, Schema,
};

use crate::cookie;
use crate::error::ErrorResponse;
use crate::routes;
use crate::types::quote::QuoteData;

const DESCRIPTION: &str = "Every response is an envelope: `success`, `data`, `errors`, and for errors `reason`. Amounts are \
integers in minor units, instants are RFC 3339 UTC, ids are opaque strings. State-changing calls must come from an allowed \
origin and have the header `x-correlation-id`. Calls of the store API authenticate with a store credential instead, or with the \
session cookie of the store's staff, and only calls with the cookie need an allowed origin. Operators authenticate with their \
keys.";

const SESSION_SCHEME: &str = "session";
const CREDENTIAL_SCHEME: &str = "storeCredential";
const STAFF_SCHEME: &str = "staffSession";
const OPERATOR_SCHEME: &str = "operatorKey";

/// Returns the document as it is committed.
pub(crate) fn to_json() -> anyhow::Result<String> {
    Ok(document()?.to_pretty_json()? + "\n")
}

fn document() -> anyhow::Result<OpenApi> {
    let mut document = routes::openapi();
    document.info = InfoBuilder::new()
        .title("Order Ahead")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .build();
    let components = document.components.get_or_insert_default();
    add_error_schemas(components);
    reference_data_of_envelopes(components);
    add_security_schemes(components);
    for (schemes, routes) in [
        (&[][..], routes::public_routes()),
        (&[SESSION_SCHEME], routes::consumer_routes()),
        (&[SESSION_SCHEME], routes::upload_routes()),
        (&[CREDENTIAL_SCHEME, STAFF_SCHEME], routes::store_routes()),
        (&[OPERATOR_SCHEME], routes::operator_routes()),
        (&[], routes::signed_routes()),
        (&[], routes::provider_routes()),
    ] {
        for (route, _) in routes {
            if let Some(operation) = find_operation(&mut document, route) {
                let requirements = schemes
                    .iter()
                    .map(|name| SecurityRequirement::new(*name, [""; 0]));
                operation.security = Some(requirements.collect());
                add_error_response(operation);
            }
        }
    }
    limits::add_to(&mut document)?;
    Ok(document)
}

fn add_error_schemas(components: &mut Components) {
    let schemas = [
        (ErrorResponse::name(), ErrorResponse::schema()),
        (QuoteData::name(), QuoteData::schema()),
    ];
    for (name, schema) in schemas {
        components.schemas.insert(name.into_owned(), schema);
    }
}

/// Replaces the inlined schemas of `data` with references, so that the generated types are named.
fn reference_data_of_envelopes(components: &mut Components) {
    for (name, schema) in &mut components.schemas {
        if let (Some(data), RefOr::T(Schema::Object(envelope))) = (name.strip_prefix("ApiResponse_"), schema)
        {
            let reference = Ref::from_schema_name(data);
            envelope.properties.insert("data".to_owned(), reference.into());
        }
    }
}

fn add_security_schemes(components: &mut Components) {
    let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(cookie::SESSION)));
    let credential = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let staff = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(cookie::STAFF)));
    let operator = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    let schemes = [
        (SESSION_SCHEME, session),
        (CREDENTIAL_SCHEME, credential),
        (STAFF_SCHEME, staff),
        (OPERATOR_SCHEME, operator),
    ];
    for (name, scheme) in schemes {
        components.security_schemes.insert(name.to_owned(), scheme);
    }
}

fn find_operation<'a>(document: &'a mut OpenApi, route: &str) -> Option<&'a mut Operation> {
    let (method, path) = route.split_once(' ')?;
    let item = document.paths.paths.get_mut(path)?;
    if method == "GET" {
        item.get.as_mut()
    } else {
        item.post.as_mut()
    }
}

fn add_error_response(operation: &mut Operation) {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name(ErrorResponse::name())))
        .build();
    let response = ResponseBuilder::new()
        .description("Error")
        .content("application/json", content)
        .build();
    operation
        .responses
        .responses
        .insert("default".to_owned(), RefOr::T(response));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_document_is_current() {
        let committed = include_str!("../../openapi.json");
        assert!(committed == to_json().unwrap(), "run `make openapi`");
    }

    #[test]
    fn each_route_is_the_one_that_its_handler_declares() {
        let routes = [
            routes::public_routes(),
            routes::consumer_routes(),
            routes::upload_routes(),
            routes::store_routes(),
            routes::operator_routes(),
            routes::signed_routes(),
            routes::provider_routes(),
        ];
        for (route, (_, paths, _)) in routes.into_iter().flatten() {
            let (method, path) = route.split_once(' ').unwrap();
            let item = &paths.paths[path];
            let is_declared = if method == "GET" {
                item.get.is_some()
            } else {
                item.post.is_some()
            };
            assert!(is_declared, "{route}");
            assert_eq!(paths.paths.len(), 1, "{route}");
        }
    }
}
