//! The store API: opening hours, special days and baristas.

use axum::extract::State;
use proto::ordering::v1 as ordering;
use proto::stores::v1 as stores;

use crate::context::CallContext;
use crate::error::ApiError;
use crate::extract::{Body, PathId, StoreCaller};
use crate::gateway::Gateway;
use crate::public_reads::StoreChange;
use crate::response::ApiResponse;
use crate::types::convert_all;
use crate::types::store_api::{ChangedSchedule, ScheduledOrderList};
use crate::types::store_schedule::{
    DeleteSpecialDayRequest, Schedule, SetBaristasRequest, SetWeeklyHoursRequest, SpecialDay,
};

/// Returns the opening hours, special days and baristas of a store.
#[utoipa::path(get, path = "/store-api/stores/{id}/schedule", tag = "store-api", params(("id" = String, Path)),
    responses((status = 200, body = ApiResponse<Schedule>)))]
pub(crate) async fn get_schedule(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
) -> Result<ApiResponse<Schedule>, ApiError> {
    let request = stores::GetScheduleRequest { store_id };
    let schedule = gateway
        .clients
        .store_settings(&context)
        .get_schedule(request)
        .await?;
    Ok(ApiResponse::new(schedule.into_inner().into()))
}

/// Replaces the opening hours of the week. Orders that are already scheduled stay; the response marks those outside the new
/// hours. Reasons of 422: `HOURS_INVALID`, `WEEK_INCOMPLETE`.
#[utoipa::path(post, path = "/store-api/stores/{id}/hours", tag = "store-api", params(("id" = String, Path)),
    request_body = SetWeeklyHoursRequest, responses((status = 200, body = ApiResponse<ChangedSchedule>)))]
pub(crate) async fn set_weekly_hours(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(request): Body<SetWeeklyHoursRequest>,
) -> Result<ApiResponse<ChangedSchedule>, ApiError> {
    let request = stores::SetWeeklyHoursRequest {
        store_id: store_id.clone(),
        week: convert_all(request.week),
    };
    let mut client = gateway.clients.store_settings(&context);
    let schedule = client.set_weekly_hours(request).await?.into_inner();
    Ok(with_scheduled_orders(&gateway, &context, store_id, schedule).await)
}

/// Sets special hours for a day, or closes the store on it. Orders that are already scheduled stay; the response
/// marks those outside the new hours. Reasons of 422: `HOURS_INVALID`, `DAY_INVALID`, `NAME_TOO_LONG`,
/// `TOO_MANY_SPECIAL_DAYS`.
#[utoipa::path(post, path = "/store-api/stores/{id}/special-day", tag = "store-api", params(("id" = String, Path)),
    request_body = SpecialDay, responses((status = 200, body = ApiResponse<ChangedSchedule>)))]
pub(crate) async fn set_special_day(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(special_day): Body<SpecialDay>,
) -> Result<ApiResponse<ChangedSchedule>, ApiError> {
    let request = stores::SetSpecialDayRequest {
        store_id: store_id.clone(),
        special_day: Some(special_day.into()),
    };
    let mut client = gateway.clients.store_settings(&context);
    let schedule = client.set_special_day(request).await?.into_inner();
    Ok(with_scheduled_orders(&gateway, &context, store_id, schedule).await)
}

/// Restores the regular hours of a day. Repeating a call changes nothing.
#[utoipa::path(post, path = "/store-api/stores/{id}/delete-special-day", tag = "store-api", params(("id" = String, Path)),
    request_body = DeleteSpecialDayRequest, responses((status = 200, body = ApiResponse<ChangedSchedule>)))]
pub(crate) async fn delete_special_day(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(request): Body<DeleteSpecialDayRequest>,
) -> Result<ApiResponse<ChangedSchedule>, ApiError> {
    let request = stores::DeleteSpecialDayRequest {
        store_id: store_id.clone(),
        day: request.day,
    };
    let mut client = gateway.clients.store_settings(&context);
    let schedule = client.delete_special_day(request).await?.into_inner();
    Ok(with_scheduled_orders(&gateway, &context, store_id, schedule).await)
}

/// Sets the number of baristas, which determines how many drinks the store can promise at a time. Reserved orders stay.
/// Reasons of 422: `BARISTAS_INVALID`, `DAY_INVALID`.
#[utoipa::path(post, path = "/store-api/stores/{id}/baristas", tag = "store-api", params(("id" = String, Path)),
    request_body = SetBaristasRequest, responses((status = 200, body = ApiResponse<Schedule>)))]
pub(crate) async fn set_baristas(
    State(gateway): State<Gateway>,
    StoreCaller(context): StoreCaller,
    PathId(store_id): PathId,
    Body(request): Body<SetBaristasRequest>,
) -> Result<ApiResponse<Schedule>, ApiError> {
    let request = stores::SetBaristasRequest {
        store_id: store_id.clone(),
        baristas: request.baristas,
        day: request.day.unwrap_or_default(),
    };
    let schedule = gateway
        .clients
        .store_settings(&context)
        .set_baristas(request)
        .await?;
    gateway
        .public_reads
        .invalidate_store(&store_id, StoreChange::Status);
    Ok(ApiResponse::new(schedule.into_inner().into()))
}

async fn with_scheduled_orders(
    gateway: &Gateway,
    context: &CallContext,
    store_id: String,
    schedule: stores::Schedule,
) -> ApiResponse<ChangedSchedule> {
    // So that the change is visible before its event arrives.
    gateway
        .public_reads
        .invalidate_store(&store_id, StoreChange::Status);
    let scheduled = list_scheduled_orders(gateway, context, store_id).await;
    let scheduled = scheduled
        .inspect_err(|error| tracing::warn!(reason = %error.error.reason, "scheduled orders not listed"))
        .ok();
    ApiResponse::new(ChangedSchedule {
        schedule: schedule.into(),
        scheduled,
    })
}

async fn list_scheduled_orders(
    gateway: &Gateway,
    context: &CallContext,
    store_id: String,
) -> Result<ScheduledOrderList, ApiError> {
    let request = ordering::ListScheduledOrdersRequest { store_id };
    let mut client = gateway.clients.ordering(context);
    let scheduled = client.list_scheduled_orders(request).await?;
    Ok(scheduled.into_inner().try_into()?)
}
