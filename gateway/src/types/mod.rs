//! Request and response types of the REST API, with their conversions from and to the services' messages. The OpenAPI
//! document is generated from them, and the web app's types from the document.
//!
//! Names are camelCase, ids opaque strings, instants RFC 3339 UTC.

pub(crate) mod account;
pub(crate) mod art;
pub(crate) mod cart;
pub(crate) mod cart_options;
pub(crate) mod company;
pub(crate) mod company_gift_card;
pub(crate) mod counter;
pub(crate) mod enums;
pub(crate) mod failed_payment;
pub(crate) mod feedback;
pub(crate) mod gift_card;
pub(crate) mod inbox;
pub(crate) mod item;
pub(crate) mod landing_page;
pub(crate) mod menu;
pub(crate) mod money;
pub(crate) mod notifications;
pub(crate) mod offered_modification;
pub(crate) mod offers;
pub(crate) mod order;
pub(crate) mod order_timeline;
pub(crate) mod page;
pub(crate) mod payment;
pub(crate) mod payment_choice;
pub(crate) mod place_order;
pub(crate) mod purchase;
pub(crate) mod quote;
pub(crate) mod receipt;
pub(crate) mod repeated_order;
pub(crate) mod rewards;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod share_code;
pub(crate) mod staff;
pub(crate) mod store;
pub(crate) mod store_api;
pub(crate) mod store_figures;
pub(crate) mod store_menu;
pub(crate) mod store_order;
pub(crate) mod store_query;
pub(crate) mod store_schedule;
pub(crate) mod store_settings;
pub(crate) mod suggestions;
pub(crate) mod usual_item;
pub(crate) mod wallet;

use serde::Serialize;
use utoipa::ToSchema;

/// No data.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EmptyResponse {}

/// The build of the web app that this gateway serves.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Build {
    /// Hash of all files of the build.
    pub(crate) build_id: String,
}

/// Returns `None` for the empty string, with which protobuf encodes an absent field.
pub(crate) fn non_empty(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// Converts each message; fails on the first that cannot be converted.
pub(crate) fn try_convert_all<T, U: TryFrom<T>>(messages: Vec<T>) -> Result<Vec<U>, U::Error> {
    messages.into_iter().map(U::try_from).collect()
}

/// Converts each message.
pub(crate) fn convert_all<T, U: From<T>>(messages: Vec<T>) -> Vec<U> {
    messages.into_iter().map(U::from).collect()
}
