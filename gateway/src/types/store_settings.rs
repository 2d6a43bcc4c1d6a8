//! Pauses, and the availability of items, sizes and choices at a store.

use proto::stores::v1 as stores;
use proto::stores::v1::set_availability_request::Subject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::enums::PauseReason;

/// Pauses a store.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PauseStoreRequest {
    /// Consumers read a sentence about it; `other` if absent.
    pub(crate) reason: Option<PauseReason>,
    /// When the store accepts orders again, within 24 hours. If absent, when the staff resume it.
    #[schema(format = DateTime)]
    pub(crate) until: Option<String>,
}

/// The kind of a sold-out object.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AvailabilitySubject {
    /// In every size.
    Item,
    Size,
    /// For every item.
    Choice,
}

/// Marks an item, a size or a choice as sold out or available.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetAvailabilityRequest {
    pub(crate) subject: AvailabilitySubject,
    /// The id of the item, size or choice.
    pub(crate) id: String,
    pub(crate) sold_out: bool,
}

impl SetAvailabilityRequest {
    pub(crate) fn into_message(self, store_id: String) -> stores::SetAvailabilityRequest {
        let subject = match self.subject {
            AvailabilitySubject::Item => Subject::ItemId(self.id),
            AvailabilitySubject::Size => Subject::SizeId(self.id),
            AvailabilitySubject::Choice => Subject::ChoiceId(self.id),
        };
        stores::SetAvailabilityRequest {
            store_id,
            subject: Some(subject),
            sold_out: self.sold_out,
        }
    }
}

/// Whether the item, size or choice is sold out now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Availability {
    pub(crate) sold_out: bool,
}
