//! Decodes fields of requests.

use jiff::Timestamp;
use kit::{ErrorCode, ServiceError, parse_id, parse_optional_id};
use proto::{stores::v1 as pb, values::v1 as values};
use types::{
    CategoryId, ChoiceId, CompanyId, ConsumerId, ItemId, ModificationId, OrderId, Page, SizeId, StoreId,
    UsualItemId,
};

use crate::domain::{
    geo::Position, pickup::RequestedPickup, sold_out::SoldOutSubject, store_query::StoreQuery,
};

const DEFAULT_PAGE_ITEMS: u32 = 20;

pub(crate) fn store_id(text: &str) -> Result<StoreId, ServiceError> {
    parse_id(text, "storeId")
}

pub(crate) fn company_id(text: &str) -> Result<CompanyId, ServiceError> {
    parse_id(text, "companyId")
}

/// Returns `None` for an empty text.
pub(crate) fn optional_category_id(text: &str) -> Result<Option<CategoryId>, ServiceError> {
    parse_optional_id(text, "categoryId")
}

pub(crate) fn item_id(text: &str) -> Result<ItemId, ServiceError> {
    parse_id(text, "itemId")
}

pub(crate) fn size_id(text: &str) -> Result<SizeId, ServiceError> {
    parse_id(text, "sizeId")
}

pub(crate) fn modification_id(text: &str) -> Result<ModificationId, ServiceError> {
    parse_id(text, "modificationId")
}

pub(crate) fn choice_id(text: &str) -> Result<ChoiceId, ServiceError> {
    parse_id(text, "choiceId")
}

pub(crate) fn usual_item_id(text: &str) -> Result<UsualItemId, ServiceError> {
    parse_id(text, "usualItemId")
}

pub(crate) fn item_ids(texts: &[String]) -> Result<Vec<ItemId>, ServiceError> {
    texts.iter().map(|text| parse_id(text, "itemIds")).collect()
}

/// Returns `None` for an empty text.
pub(crate) fn optional_store_id(text: &str) -> Result<Option<StoreId>, ServiceError> {
    parse_optional_id(text, "storeId")
}

pub(crate) fn sold_out_subject(request: &pb::SetAvailabilityRequest) -> Result<SoldOutSubject, ServiceError> {
    use pb::set_availability_request::Subject;
    match &request.subject {
        Some(Subject::ItemId(id)) => Ok(SoldOutSubject::Item(parse_id(id, "id")?)),
        Some(Subject::SizeId(id)) => Ok(SoldOutSubject::Size(parse_id(id, "id")?)),
        Some(Subject::ChoiceId(id)) => Ok(SoldOutSubject::Choice(parse_id(id, "id")?)),
        None => Err(ServiceError::new(
            ErrorCode::InvalidRequest,
            "SUBJECT_MISSING",
            "Name an item, a size or a choice.",
        )
        .with_field("subject")),
    }
}

pub(crate) fn order_id(text: &str) -> Result<OrderId, ServiceError> {
    parse_id(text, "orderId")
}

pub(crate) fn optional_position(
    position: Option<values::Position>,
) -> Result<Option<Position>, ServiceError> {
    position
        .map(|position| Position::new(position.latitude, position.longitude))
        .transpose()
        .map_err(|_| {
            ServiceError::new(
                ErrorCode::InvalidRequest,
                "POSITION_INVALID",
                "Latitude must be from -90 to 90, and longitude from -180 to 180.",
            )
            .with_field("position")
        })
}

fn page(page: Option<values::Page>) -> Page {
    let page = page.unwrap_or_default();
    Page::new(page.take, page.skip, DEFAULT_PAGE_ITEMS)
}

/// Decodes an RFC 3339 instant. Returns `None` for an empty text.
pub(super) fn optional_timestamp_field(
    field: &'static str,
    text: &str,
) -> Result<Option<Timestamp>, ServiceError> {
    (!text.is_empty())
        .then(|| required_timestamp_field(field, text))
        .transpose()
}

/// Decodes an RFC 3339 instant.
pub(super) fn required_timestamp_field(field: &'static str, text: &str) -> Result<Timestamp, ServiceError> {
    text.parse().map_err(|_| {
        ServiceError::new(
            ErrorCode::InvalidRequest,
            "TIME_INVALID",
            "Expected a time like 2026-11-20T17:30:00Z.",
        )
        .with_field(field)
    })
}

pub(super) fn requested_pickup(pickup_at: &str) -> Result<RequestedPickup, ServiceError> {
    let pickup_at = optional_timestamp_field("pickupAt", pickup_at)?;
    Ok(pickup_at.map_or(RequestedPickup::Asap, RequestedPickup::At))
}

pub(crate) fn list_query(
    request: &pb::ListStoresRequest,
    consumer_id: Option<ConsumerId>,
) -> Result<StoreQuery, ServiceError> {
    Ok(StoreQuery {
        position: optional_position(request.position)?,
        approximate_position: optional_position(request.approximate_position)?,
        curbside_only: request.curbside_only,
        page: page(request.page),
        consumer_id,
    })
}

pub(crate) fn search_query(
    request: &pb::SearchStoresRequest,
    consumer_id: Option<ConsumerId>,
) -> Result<StoreQuery, ServiceError> {
    Ok(StoreQuery {
        position: optional_position(request.position)?,
        approximate_position: optional_position(request.approximate_position)?,
        curbside_only: request.curbside_only,
        page: page(request.page),
        consumer_id,
    })
}
