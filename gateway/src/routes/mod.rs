//! Every call that the gateway answers, by who may make it. A route stands in exactly one of these tables.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::gateway::Gateway;
use crate::{conditional, origin, session, store_credential};

mod authentication;
mod build;
mod carts;
mod events;
mod favorites;
mod inbox;
mod items;
mod menus;
mod order_history;
mod order_pickup;
mod orders;
mod payment_methods;
mod profile;
mod rewards;
mod store_orders;
mod stores;
mod wallet;
mod webhooks;

/// The largest body of a call. A cart of 50 customised lines has about 20 kB.
const BODY_BYTES: usize = 128 * 1024;

/// Routes with their method and path, as written in the table.
pub(crate) type Table = Vec<(&'static str, UtoipaMethodRouter<Gateway>)>;

/// Writes a table: what is called, and what answers. A test compares each line with what its handler declares.
macro_rules! table {
    ($($call:literal => $($part:ident)::+;)*) => {
        vec![$(($call, utoipa_axum::routes!($($part)::+))),*]
    };
}

/// Answers anybody.
pub(crate) fn open() -> Table {
    table! {
        "POST /api/consumer/authentication/login" => authentication::login;
        "POST /api/consumer/authentication/verify" => authentication::verify;
        "GET /api/consumer/stores/list" => stores::list_stores;
        "GET /api/consumer/stores/map" => stores::map_stores;
        "GET /api/consumer/stores/search" => stores::search_stores;
        "GET /api/consumer/store/card" => stores::get_store_card;
        "GET /api/consumer/store/info" => stores::get_store;
        "GET /api/consumer/store/status" => stores::get_store_status;
        "GET /api/consumer/store/pickup-options" => stores::get_pickup_options;
        "GET /api/consumer/store/menu/categories" => menus::list_categories;
        "GET /api/consumer/store/menu" => menus::list_menu;
        "GET /api/consumer/item/details" => items::get_item;
        "GET /api/consumer/item/sizes" => items::list_sizes;
        "GET /api/consumer/item/modifications" => items::list_modifications;
        "GET /api/build" => build::get_build;
    }
}

/// Answers signed-in consumers.
pub(crate) fn consumer() -> Table {
    table! {
        "POST /api/consumer/authentication/logout" => authentication::logout;
        "GET /api/consumer/user/profile" => profile::get_profile;
        "GET /api/consumer/user/info" => profile::get_user_info;
        "POST /api/consumer/user/name" => profile::set_name;
        "GET /api/consumer/user/my-joe" => profile::get_my_joe;
        "POST /api/consumer/store/favorite" => favorites::favorite_store;
        "POST /api/consumer/store/unfavorite" => favorites::unfavorite_store;
        "POST /api/consumer/order/pricing" => orders::price_order;
        "POST /api/consumer/order/create" => orders::place_order;
        "POST /api/consumer/order/cancel" => orders::cancel_order;
        "GET /api/consumer/order/status" => order_history::get_order;
        "GET /api/consumer/order/active" => order_history::get_active_order;
        "GET /api/consumer/order/active-orders" => order_history::list_active_orders;
        "GET /api/consumer/user/orders" => order_history::list_orders;
        "GET /api/consumer/order/repeat" => order_history::repeat_order;
        "GET /api/consumer/order/events" => events::follow_orders;
        "POST /api/consumer/order/user-arrived" => order_pickup::user_arrived;
        "GET /api/consumer/user/cart" => carts::get_cart;
        "POST /api/consumer/user/save-cart" => carts::save_cart;
        "GET /api/consumer/payments/list" => payment_methods::list_payment_methods;
        "GET /api/consumer/payment" => payment_methods::get_payment_method;
        "POST /api/consumer/payment/add-card" => payment_methods::add_card;
        "POST /api/consumer/payment/delete" => payment_methods::delete_payment_method;
        "POST /api/consumer/payment/set-default" => payment_methods::set_default_payment_method;
        "POST /api/consumer/payment/unset-default" => payment_methods::unset_default_payment_method;
        "POST /api/stripe/card/secret" => payment_methods::create_card_secret;
        "GET /api/consumer/user/wallet" => wallet::get_wallet;
        "GET /api/consumer/user/transaction-history" => wallet::list_transactions;
        "GET /api/consumer/user/points" => rewards::get_points;
        "GET /api/consumer/user/rewards" => rewards::list_point_entries;
        "GET /api/consumer/inbox/list" => inbox::list_inbox;
        "POST /api/consumer/inbox/mark-as-seen" => inbox::mark_inbox_as_seen;
        "POST /api/consumer/inbox/remove" => inbox::remove_from_inbox;
    }
}

/// Answers stores' own systems, by their credential.
pub(crate) fn store() -> Table {
    table! {
        "GET /store-api/queue" => store_orders::list_queue;
        "POST /store-api/orders/{id}/accept" => store_orders::accept_order;
        "POST /store-api/orders/{id}/start" => store_orders::start_order;
        "POST /store-api/orders/{id}/ready" => store_orders::mark_ready;
        "POST /store-api/orders/{id}/complete" => store_orders::complete_order;
        "POST /store-api/orders/{id}/reject" => store_orders::reject_order;
        "POST /store-api/stores/{id}/pause" => store_orders::pause_store;
        "POST /store-api/stores/{id}/resume" => store_orders::resume_store;
    }
}

/// Answers the payment provider, whose signature payments checks.
pub(crate) fn provider() -> Table {
    table! {
        "POST /webhooks/payments" => webhooks::receive_provider_event;
    }
}

/// All of them behind their guards.
pub(crate) fn router(gateway: &Gateway) -> OpenApiRouter<Gateway> {
    let session = from_fn_with_state(gateway.clone(), session::require);
    let credential = from_fn_with_state(gateway.clone(), store_credential::require);
    let own_pages = from_fn_with_state(gateway.clone(), origin::require);
    // The last layer added is asked first: whose page it is comes before whose session.
    let app = gather(open())
        .layer(from_fn(conditional::answer))
        .merge(gather(consumer()).layer(session))
        .layer(own_pages);
    app.merge(gather(store()).layer(credential))
        .merge(gather(provider()))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}

fn gather(table: Table) -> OpenApiRouter<Gateway> {
    table
        .into_iter()
        .fold(OpenApiRouter::new(), |router, (_, route)| router.routes(route))
}

/// The document alone, without a gateway.
pub(crate) fn document() -> utoipa::openapi::OpenApi {
    let tables = [open(), consumer(), store(), provider()];
    tables
        .into_iter()
        .fold(OpenApiRouter::new(), |router, table| router.merge(gather(table)))
        .into_openapi()
}
