//! Settings that a store changes itself.

use proto::stores::v1 as stores;
use proto::stores::v1::set_availability_request::Subject;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What can be sold out.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum AvailabilitySubject {
    /// In every size.
    Item,
    Size,
    /// For every item.
    Choice,
}

/// Marks something as sold out or available.
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

/// Whether something is sold out now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Availability {
    pub(crate) sold_out: bool,
}
