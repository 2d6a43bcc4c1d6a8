//! What the contract says, request by request and answer by answer. The web app's types are generated from these.
//!
//! Names are camelCase, ids opaque strings, instants RFC 3339 UTC, money whole minor units.

pub mod account;
pub mod art;
pub mod cart;
pub mod inbox;
pub mod item;
pub mod menu;
pub mod money;
pub mod order;
pub mod payment;
pub mod quote;
pub mod rewards;
pub mod store;
pub mod store_api;
pub mod store_query;
pub mod wallet;
pub mod words;

use ::types::limits::MAX_PAGE_ITEMS;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Nothing to say beyond that it is done.
#[derive(Debug, Serialize, ToSchema)]
pub struct EmptyResponse {}

/// The build of the web app that this gateway serves.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Build {
    /// Hash of every file of the build.
    pub build_id: String,
}

/// Which part of a list.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// Number of entries.
    pub take: Option<u32>,
    /// After how many.
    pub skip: Option<u32>,
}

/// More of a list was asked for at once than is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("take is at most {MAX_PAGE_ITEMS}.")]
pub struct PageTooLarge;

impl PageQuery {
    /// The page as the services take it; `usual` many where nothing was asked for.
    ///
    /// # Errors
    /// [`PageTooLarge`].
    pub fn or(self, usual: u32) -> Result<proto::values::v1::Page, PageTooLarge> {
        let take = self.take.unwrap_or(usual);
        if take > MAX_PAGE_ITEMS {
            return Err(PageTooLarge);
        }
        Ok(proto::values::v1::Page {
            take,
            skip: self.skip.unwrap_or_default(),
        })
    }
}

/// Protobuf has no absent text; the contract says null.
pub(crate) fn present(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
