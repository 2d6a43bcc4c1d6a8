//! All routes of the gateway, grouped by who may call them.

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use crate::extract::MAX_UPLOAD_BYTES;
use crate::gateway::Gateway;
use crate::middleware::{
    admission, conditional, operator_key, origin, request_body, session, store_credential,
};

mod authentication;
mod build;
mod carts;
mod companies;
mod company_gift_cards;
mod counter_payments;
mod failed_payments;
mod favorites;
mod gift_cards;
mod hand_over;
mod inbox;
mod items;
mod landing_pages;
mod live;
mod menus;
mod notifications;
mod offers;
mod operators;
mod order_feedback;
mod order_history;
mod order_pickup;
mod orders;
mod payment_methods;
mod photos;
mod profile;
mod provider_script;
mod receipts;
mod removal;
mod rewards;
mod sessions;
mod settings;
mod share_codes;
mod staff;
mod store_changes;
mod store_figures;
mod store_live;
mod store_orders;
mod store_pictures;
mod store_schedule;
mod store_settings;
mod stores;
mod suggestions;
mod user_feedback;
mod usual_items;
mod wallet;
mod webhooks;

/// Maximum size of a request body. A cart with 50 customized lines has about 20 kB.
const MAX_BODY_BYTES: usize = 128 * 1024;

/// Routes with their method and path.
type Routes = Vec<(&'static str, UtoipaMethodRouter<Gateway>)>;

/// A test compares each method and path with those that the handler declares.
macro_rules! routes {
    ($($route:literal => $($handler:ident)::+;)*) => {
        vec![$(($route, utoipa_axum::routes!($($handler)::+))),*]
    };
}

/// Callable without authentication.
pub(crate) fn public_routes() -> Routes {
    routes! {
        "POST /api/consumer/authentication/login" => authentication::login;
        "POST /api/consumer/authentication/verify" => authentication::verify;
        "POST /api/consumer/authentication/exchange-hand-over-code" => hand_over::exchange_hand_over_code;
        "GET /api/consumer/stores/list" => stores::list_stores;
        "GET /api/consumer/stores/map" => stores::map_stores;
        "GET /api/consumer/stores/search" => stores::search_stores;
        "GET /api/consumer/store/card" => stores::get_store_card;
        "GET /api/consumer/store/info" => stores::get_store;
        "GET /api/consumer/store/company-info" => companies::get_company;
        "GET /api/consumer/company/stores" => companies::list_company_stores;
        "GET /api/consumer/store/locations" => companies::list_locations;
        "GET /api/consumer/store/photo" => store_pictures::get_store_picture;
        "GET /api/consumer/store/status" => stores::get_store_status;
        "GET /api/consumer/store/events" => store_changes::follow_store;
        "GET /api/consumer/store/pickup-options" => stores::get_pickup_options;
        "GET /api/consumer/store/menu/categories" => menus::list_categories;
        "GET /api/consumer/store/menu" => menus::list_menu;
        "GET /api/consumer/item/details" => items::get_item;
        "GET /api/consumer/item/sizes" => items::list_sizes;
        "GET /api/consumer/item/modifications" => items::list_modifications;
        "GET /api/consumer/order/complete" => receipts::get_receipt;
        "GET /api/consumer/item/modification" => items::get_modification;
        "GET /api/consumer/item/modification-choice" => items::get_modification_choice;
        "GET /api/consumer/store/top-ordered" => suggestions::list_top_ordered;
        "GET /api/consumer/store/upsell-items" => suggestions::list_upsell_items;
        "GET /api/consumer/store/cart-options" => carts::get_cart_options;
        "GET /api/consumer/share-code" => share_codes::get_share_code;
        "GET /api/consumer/landing-page/" => landing_pages::get_landing_page;
        "GET /api/consumer/landing-page/inactive-users/" => landing_pages::get_inactive_users_page;
        "GET /api/build" => build::get_build;
        "POST /store-api/staff/sign-in" => staff::sign_in_staff;
    }
}

/// Callable by signed-in consumers.
pub(crate) fn consumer_routes() -> Routes {
    routes! {
        "POST /api/consumer/authentication/logout" => authentication::logout;
        "GET /api/consumer/user/profile" => profile::get_profile;
        "GET /api/consumer/user/info" => profile::get_user_info;
        "POST /api/consumer/user/name" => profile::set_name;
        "POST /api/consumer/user/request-email-verification" => profile::request_email_verification;
        "POST /api/consumer/user/verify-email" => profile::verify_email;
        "GET /api/consumer/user/my-joe" => profile::get_my_joe;
        "GET /api/consumer/user/sessions" => sessions::list_sessions;
        "POST /api/consumer/authentication/create-hand-over-code" => hand_over::create_hand_over_code;
        "GET /api/consumer/user/journey-step" => hand_over::get_journey_step;
        "GET /api/consumer/user/settings" => settings::get_settings;
        "POST /api/consumer/user/save-settings" => settings::save_settings;
        "POST /api/consumer/user/save-push-subscription" => notifications::save_push_subscription;
        "POST /api/consumer/user/remove" => removal::remove_consumer;
        "GET /api/consumer/user/profile-photo" => photos::get_photo;
        "POST /api/consumer/user/remove-photo" => photos::remove_photo;
        "POST /api/consumer/user/end-session" => sessions::end_session;
        "POST /api/consumer/user/forget-device" => sessions::forget_device;
        "POST /api/consumer/store/favorite" => favorites::favorite_store;
        "POST /api/consumer/store/unfavorite" => favorites::unfavorite_store;
        "GET /api/consumer/store/usual-items" => usual_items::list_usual_items;
        "POST /api/consumer/item/add-usual-item" => usual_items::add_usual_item;
        "POST /api/consumer/item/delete-usual-item" => usual_items::delete_usual_item;
        "POST /api/consumer/order/pricing" => orders::price_order;
        "POST /api/consumer/order/create" => orders::place_order;
        "POST /api/consumer/order/cancel" => orders::cancel_order;
        "GET /api/consumer/order/status" => order_history::get_order;
        "GET /api/consumer/order/active" => order_history::get_active_order;
        "GET /api/consumer/order/active-orders" => order_history::list_active_orders;
        "GET /api/consumer/user/orders" => order_history::list_orders;
        "GET /api/consumer/order/repeat" => order_history::repeat_order;
        "GET /api/consumer/order/events" => live::follow_orders;
        "POST /api/consumer/order/user-arrived" => order_pickup::user_arrived;
        "GET /api/consumer/user/cart" => carts::get_cart;
        "GET /api/consumer/cart/data" => carts::get_cart_data;
        "POST /api/consumer/user/save-cart" => carts::save_cart;
        "POST /api/consumer/analytics/order-feedback" => order_feedback::send_order_feedback;
        "POST /api/consumer/analytics/user-feedback" => user_feedback::send_user_feedback;
        "GET /api/consumer/payments/list" => payment_methods::list_payment_methods;
        "GET /api/consumer/payment" => payment_methods::get_payment_method;
        "POST /api/consumer/payment/add-card" => payment_methods::add_card;
        "POST /api/consumer/payment/delete" => payment_methods::delete_payment_method;
        "POST /api/consumer/payment/set-default" => payment_methods::set_default_payment_method;
        "POST /api/consumer/payment/unset-default" => payment_methods::unset_default_payment_method;
        "POST /api/consumer/payment/save" => payment_methods::save_payment_method;
        "GET /api/consumer/payment/add-bank/" => payment_methods::create_bank_session;
        "POST /api/consumer/user/bank-account" => payment_methods::add_bank_account;
        "GET /api/consumer/payment/failed-payments" => failed_payments::list_failed_payments;
        "POST /api/consumer/payment/update-failed-payments" => failed_payments::recover_failed_payments;
        "POST /api/stripe/card/secret" => payment_methods::create_setup_intent;
        "GET /api/stripe/script" => provider_script::get_provider_script;
        "GET /api/consumer/user/wallet" => wallet::get_wallet;
        "GET /api/consumer/user/transaction-history" => wallet::list_transactions;
        "GET /api/consumer/user/wallet/add-funds" => wallet::get_add_funds_options;
        "POST /api/consumer/payment/upload" => wallet::add_funds;
        "POST /api/consumer/user/settings/autoReload" => wallet::set_auto_reload;
        "GET /api/consumer/user/pin" => wallet::create_counter_pin;
        "GET /api/consumer/payments/loyalty-cards" => wallet::list_loyalty_cards;
        "POST /api/consumer/gift-card" => gift_cards::buy_gift_card;
        "POST /api/consumer/user/gift-card" => gift_cards::redeem_gift_card;
        "POST /api/consumer/gift-card/link-gift-card" => gift_cards::link_gift_card;
        "GET /api/consumer/gift-card/deals" => gift_cards::list_gift_card_deals;
        "POST /api/consumer/company-gift-card/purchase" => company_gift_cards::purchase_company_gift_card;
        "POST /api/consumer/company-gift-card/activate" => company_gift_cards::activate_company_gift_card;
        "POST /api/consumer/company-gift-card/deactivate" => company_gift_cards::deactivate_company_gift_card;
        "GET /api/consumer/company-gift-card/details" => company_gift_cards::get_company_gift_card;
        "GET /api/consumer/company-gift-card/history" => company_gift_cards::list_company_gift_card_history;
        "GET /api/consumer/company-gift-card/orders" => company_gift_cards::list_company_gift_card_orders;
        "GET /api/consumer/company-gift-card/uploads" => company_gift_cards::list_company_gift_card_uploads;
        "GET /api/consumer/user/points" => rewards::get_points;
        "GET /api/consumer/user/rewards" => rewards::list_point_entries;
        "GET /api/consumer/user/offers" => offers::list_offers;
        "GET /api/consumer/user/offer" => offers::get_offer;
        "POST /api/consumer/user/challenges/claim" => offers::claim_challenge;
        "GET /api/consumer/inbox/list" => inbox::list_inbox;
        "POST /api/consumer/inbox/mark-as-seen" => inbox::mark_inbox_as_seen;
        "POST /api/consumer/inbox/remove" => inbox::remove_from_inbox;
    }
}

/// Callable by signed-in consumers, with bodies of up to [`MAX_UPLOAD_BYTES`].
pub(crate) fn upload_routes() -> Routes {
    routes! {
        "POST /api/consumer/user/photo" => photos::set_photo;
    }
}

/// Callable by store systems with their credential, and by signed-in staff.
pub(crate) fn store_routes() -> Routes {
    routes! {
        "POST /store-api/staff/sign-out" => staff::sign_out_staff;
        "GET /store-api/staff/session" => staff::get_staff_session;
        "GET /store-api/queue" => store_orders::list_queue;
        "GET /store-api/queue/events" => store_live::follow_queue;
        "GET /store-api/orders/{id}" => store_orders::get_store_order;
        "POST /store-api/orders/{id}/accept" => store_orders::accept_order;
        "POST /store-api/orders/{id}/start" => store_orders::start_order;
        "POST /store-api/orders/{id}/ready" => store_orders::mark_ready;
        "POST /store-api/orders/{id}/complete" => store_orders::complete_order;
        "POST /store-api/orders/{id}/reject" => store_orders::reject_order;
        "POST /store-api/orders/{id}/delay" => store_orders::delay_order;
        "POST /store-api/stores/{id}/pause" => store_orders::pause_store;
        "POST /store-api/stores/{id}/resume" => store_orders::resume_store;
        "POST /store-api/orders/{id}/reschedule" => store_orders::reschedule_order;
        "GET /store-api/stores/{id}/scheduled-orders" => store_orders::list_scheduled_orders;
        "GET /store-api/stores/{id}/menu" => store_settings::get_store_menu;
        "POST /store-api/stores/{id}/counter-payments" => counter_payments::redeem_counter_pin;
        "POST /store-api/stores/{id}/availability" => store_settings::set_availability;
        "GET /store-api/stores/{id}/schedule" => store_schedule::get_schedule;
        "POST /store-api/stores/{id}/hours" => store_schedule::set_weekly_hours;
        "POST /store-api/stores/{id}/special-day" => store_schedule::set_special_day;
        "POST /store-api/stores/{id}/delete-special-day" => store_schedule::delete_special_day;
        "POST /store-api/stores/{id}/baristas" => store_schedule::set_baristas;
        "GET /store-api/stores/{id}/load" => store_figures::get_load;
        "GET /store-api/stores/{id}/summary" => store_figures::get_store_summary;
    }
}

/// Callable by operators with their keys.
pub(crate) fn operator_routes() -> Routes {
    routes! {
        "GET /store-api/operator/orders/{id}/timeline" => operators::get_order_timeline;
    }
}

/// Callable by mail programs and other sites with a signed token, which accounts checks.
pub(crate) fn signed_routes() -> Routes {
    routes! {
        "POST /api/consumer/user/stop-notifications" => notifications::stop_notifications;
    }
}

/// Callable by the payment provider. Payments checks the signature.
pub(crate) fn provider_routes() -> Routes {
    routes! {
        "POST /webhooks/payments" => webhooks::receive_provider_event;
    }
}

/// Returns the routes with their middleware.
pub(crate) fn router(gateway: &Gateway) -> OpenApiRouter<Gateway> {
    let require_session = from_fn_with_state(gateway.clone(), session::require_session);
    let require_credential = from_fn_with_state(gateway.clone(), store_credential::require_credential);
    let require_operator = from_fn_with_state(gateway.clone(), operator_key::require_operator);
    let limit_requests = from_fn_with_state(gateway.admission.clone(), admission::limit_requests);
    let limit_uploads = from_fn_with_state(gateway.admission.clone(), admission::limit_uploads);
    let read_request_body = from_fn_with_state(gateway.clone(), request_body::read_request_body);
    let read_upload_body = from_fn_with_state(gateway.clone(), request_body::read_upload_body);
    let require_origin = from_fn_with_state(gateway.clone(), origin::require_allowed_origin);
    // The session is checked first, so that only signed-in consumers can send large bodies.
    let upload_routes = into_router(upload_routes())
        .layer(limit_requests.clone())
        .layer(read_upload_body)
        .layer(limit_uploads)
        .layer(require_session.clone())
        .layer(require_origin.clone())
        .layer(DefaultBodyLimit::max(MAX_UPLOAD_BYTES));
    // The layer added last runs first: the origin is checked before the session.
    let app_routes = into_router(public_routes())
        .layer(from_fn(conditional::return_not_modified))
        .merge(into_router(consumer_routes()).layer(require_session))
        .layer(require_origin);
    app_routes
        .merge(into_router(store_routes()).layer(require_credential))
        .merge(into_router(operator_routes()).layer(require_operator))
        .merge(into_router(signed_routes()))
        .merge(into_router(provider_routes()))
        .layer(limit_requests)
        .layer(read_request_body)
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .merge(upload_routes)
}

fn into_router(routes: Routes) -> OpenApiRouter<Gateway> {
    routes
        .into_iter()
        .fold(OpenApiRouter::new(), |router, (_, route)| router.routes(route))
}

/// Returns the document that the handlers declare.
pub(crate) fn openapi() -> utoipa::openapi::OpenApi {
    let routes = [
        public_routes(),
        consumer_routes(),
        upload_routes(),
        store_routes(),
        operator_routes(),
        signed_routes(),
        provider_routes(),
    ];
    into_router(routes.into_iter().flatten().collect()).into_openapi()
}
