//! Pages of lists.

use serde::Deserialize;
use types::limits::MAX_PAGE_ITEMS;
use utoipa::IntoParams;

/// Selects a page of a list.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PageQuery {
    /// Number of entries.
    pub(crate) take: Option<u32>,
    /// Number of entries to skip.
    pub(crate) skip: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("take can't be greater than {MAX_PAGE_ITEMS}.")]
pub(crate) struct PageTooLarge;

impl PageQuery {
    /// Returns the page as the services expect it, with `default_take` entries if the client gave no number.
    pub(crate) fn with_default(self, default_take: u32) -> Result<proto::values::v1::Page, PageTooLarge> {
        let take = self.take.unwrap_or(default_take);
        if take > MAX_PAGE_ITEMS {
            return Err(PageTooLarge);
        }
        Ok(proto::values::v1::Page {
            take,
            skip: self.skip.unwrap_or_default(),
        })
    }
}
