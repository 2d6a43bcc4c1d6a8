//! All routes of the sandbox.

use std::sync::Arc;

use axum::Router;
use axum::extract::{ConnectInfo, RawPathParams, Request, State};
use axum::http::{HeaderName, Method, Uri, header};
use axum::response::Response;
use axum::routing::{MethodRouter, delete as delete_, get as get_, post as post_};
use tower_http::cors::{Any, CorsLayer};

use crate::api_error::ApiError;
use crate::connection_reset::ConnectionReset;
use crate::http_exchange::{self, Operation};
use crate::request::Access::{self, Everyone, Servers};
use crate::resources::{
    charges, customers, disputes, events, payment_intents, payment_methods, refunds, setup_intents,
};
use crate::sandbox::Sandbox;
use crate::{admin, browser_files};

type Route = MethodRouter<Arc<Sandbox>>;

pub fn routes(sandbox: Arc<Sandbox>) -> Router {
    api_routes()
        .merge(browser_files::routes(&sandbox))
        .merge(admin::routes())
        .fallback(unknown_path)
        .with_state(sandbox)
}

/// The provider's API.
fn api_routes() -> Router<Arc<Sandbox>> {
    Router::new()
        .route(
            "/v1/customers",
            get(Servers, customers::list).merge(post(Servers, customers::create)),
        )
        .route(
            "/v1/customers/{id}",
            get(Servers, customers::retrieve)
                .merge(post(Servers, customers::update))
                .merge(delete(Servers, customers::delete)),
        )
        .route(
            "/v1/customers/{id}/payment_methods",
            get(Servers, payment_methods::list_of_customer),
        )
        .route(
            "/v1/payment_methods",
            get(Servers, payment_methods::list).merge(post(Everyone, payment_methods::create)),
        )
        .route(
            "/v1/payment_methods/{id}",
            get(Servers, payment_methods::retrieve).merge(post(Servers, payment_methods::update)),
        )
        .route(
            "/v1/payment_methods/{id}/attach",
            post(Servers, payment_methods::attach),
        )
        .route(
            "/v1/payment_methods/{id}/detach",
            post(Servers, payment_methods::detach),
        )
        .route(
            "/v1/setup_intents",
            get(Servers, setup_intents::list).merge(post(Servers, setup_intents::create)),
        )
        .route("/v1/setup_intents/{id}", get(Everyone, setup_intents::retrieve))
        .route(
            "/v1/setup_intents/{id}/confirm",
            post(Everyone, setup_intents::confirm),
        )
        .route(
            "/v1/setup_intents/{id}/cancel",
            post(Servers, setup_intents::cancel),
        )
        .route(
            "/v1/payment_intents",
            get(Servers, payment_intents::list).merge(post(Servers, payment_intents::create)),
        )
        .route(
            "/v1/payment_intents/search",
            get(Servers, payment_intents::search),
        )
        .route(
            "/v1/payment_intents/{id}",
            get(Everyone, payment_intents::retrieve).merge(post(Servers, payment_intents::update)),
        )
        .route(
            "/v1/payment_intents/{id}/confirm",
            post(Everyone, payment_intents::confirm),
        )
        .route(
            "/v1/payment_intents/{id}/capture",
            post(Servers, payment_intents::capture),
        )
        .route(
            "/v1/payment_intents/{id}/cancel",
            post(Servers, payment_intents::cancel),
        )
        .route("/v1/charges", get(Servers, charges::list))
        .route("/v1/charges/{id}", get(Servers, charges::retrieve))
        .route(
            "/v1/refunds",
            get(Servers, refunds::list).merge(post(Servers, refunds::create)),
        )
        .route("/v1/refunds/{id}", get(Servers, refunds::retrieve))
        .route("/v1/disputes", get(Servers, disputes::list))
        .route("/v1/disputes/{id}", get(Servers, disputes::retrieve))
        .route("/v1/events", get(Servers, events::list))
        .route("/v1/events/{id}", get(Servers, events::retrieve))
        .layer(allow_all_origins())
}

fn get(access: Access, operation: Operation) -> Route {
    get_(move |sandbox, connection, ids, request| run(sandbox, connection, ids, request, access, operation))
}

fn post(access: Access, operation: Operation) -> Route {
    post_(move |sandbox, connection, ids, request| run(sandbox, connection, ids, request, access, operation))
}

fn delete(access: Access, operation: Operation) -> Route {
    delete_(move |sandbox, connection, ids, request| {
        run(sandbox, connection, ids, request, access, operation)
    })
}

async fn run(
    sandbox: State<Arc<Sandbox>>,
    connection: ConnectInfo<ConnectionReset>,
    ids: RawPathParams,
    request: Request,
    access: Access,
    operation: Operation,
) -> Response {
    http_exchange::handle(sandbox, connection, ids, request, access, operation).await
}

/// Lets pages of all origins call the API with the publishable key. The API uses no cookies.
fn allow_all_origins() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            header::AUTHORIZATION,
            header::CONTENT_TYPE,
            HeaderName::from_static("idempotency-key"),
            HeaderName::from_static("stripe-version"),
        ])
        .expose_headers([HeaderName::from_static("request-id")])
}

async fn unknown_path(method: Method, uri: Uri) -> ApiError {
    ApiError::unknown_path(method.as_str(), uri.path())
}
