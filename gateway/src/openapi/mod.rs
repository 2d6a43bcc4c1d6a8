//! The document that the web app's types are generated from. Committed, and compared in a test.

mod limits;

use utoipa::PartialSchema;
use utoipa::ToSchema;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{ContentBuilder, InfoBuilder, OpenApi, Ref, RefOr, ResponseBuilder, Schema};

use crate::cookie;
use crate::envelope::ErrorResponse;
use crate::routes;
use crate::types::quote::QuoteData;

const DESCRIPTION: &str = "REST outside, gRPC inside. Every answer is an envelope: `success`, `data`, `errors`, and on a \
refusal `reason`. Money is whole minor units; instants are RFC 3339 UTC; ids are opaque. A state-changing call comes from \
an allowed origin and carries x-correlation-id.";

/// The document as committed.
///
/// # Errors
/// It cannot be written as JSON.
pub fn written() -> anyhow::Result<String> {
    Ok(document()?.to_pretty_json()? + "\n")
}

fn document() -> anyhow::Result<OpenApi> {
    let mut document = routes::document();
    document.info = InfoBuilder::new()
        .title("Order Ahead")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(DESCRIPTION))
        .build();
    let components = document.components.get_or_insert_default();
    components
        .schemas
        .insert(ErrorResponse::name().into_owned(), ErrorResponse::schema());
    components
        .schemas
        .insert(QuoteData::name().into_owned(), QuoteData::schema());
    for (name, schema) in &mut components.schemas {
        if let (Some(data), RefOr::T(Schema::Object(answer))) = (name.strip_prefix("ApiResponse_"), schema) {
            // Written out in place by the generator; named once is enough, here and in the generated types.
            answer
                .properties
                .insert("data".to_owned(), Ref::from_schema_name(data).into());
        }
    }
    let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(cookie::SESSION)));
    let credential = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
    components.security_schemes.insert("session".to_owned(), session);
    components
        .security_schemes
        .insert("storeCredential".to_owned(), credential);
    for (guard, table) in [
        (Some("session"), routes::consumer()),
        (Some("storeCredential"), routes::store()),
        (None, routes::open()),
        (None, routes::provider()),
    ] {
        for (call, _) in table {
            if let Some(operation) = operation(&mut document, call) {
                operation.security = Some(
                    guard
                        .map(|name| SecurityRequirement::new(name, [""; 0]))
                        .into_iter()
                        .collect(),
                );
                refusable(operation);
            }
        }
    }
    limits::add_to(&mut document)?;
    Ok(document)
}

fn operation<'a>(document: &'a mut OpenApi, call: &str) -> Option<&'a mut Operation> {
    let (method, path) = call.split_once(' ')?;
    let item = document.paths.paths.get_mut(path)?;
    if method == "GET" {
        item.get.as_mut()
    } else {
        item.post.as_mut()
    }
}

/// Whatever is not 200 is a refusal in the same shape.
fn refusable(operation: &mut Operation) {
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
    fn the_committed_document_is_what_we_answer() {
        let committed = include_str!("../../openapi.json");
        assert!(committed == written().unwrap(), "renew it: make openapi");
    }

    #[test]
    fn each_line_of_the_tables_is_what_its_handler_declares() {
        for table in [
            routes::open(),
            routes::consumer(),
            routes::store(),
            routes::provider(),
        ] {
            for (call, (_, paths, _)) in table {
                let (method, path) = call.split_once(' ').unwrap();
                let item = &paths.paths[path];
                assert!(
                    if method == "GET" {
                        item.get.is_some()
                    } else {
                        item.post.is_some()
                    },
                    "{call}"
                );
                assert_eq!(paths.paths.len(), 1, "{call}");
            }
        }
    }
}
