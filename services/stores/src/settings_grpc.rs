//! The gRPC service of the settings of a store.

use std::sync::Arc;

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::stores::v1::{self as pb, store_settings_server::StoreSettings};
use tonic::{Request, Status};
use types::StoreId;

use crate::{
    Stores,
    convert::{request as decode, schedule, store_menu},
    ops::{
        delete_special_day::delete_special_day, get_load::get_load, get_schedule::get_schedule,
        get_store_menu::get_store_menu, set_baristas::set_baristas, set_special_day::set_special_day,
        set_weekly_hours::set_weekly_hours,
    },
};

#[derive(Debug)]
pub struct SettingsGrpc(Arc<Stores>);

impl SettingsGrpc {
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

/// Returns the store if the caller is that store.
fn own_store<T>(request: &Request<T>, store_id: &str) -> Result<StoreId, Status> {
    let store_id = decode::store_id(store_id)?;
    Caller::of(request)?.store(store_id)?;
    Ok(store_id)
}

#[tonic::async_trait]
impl StoreSettings for SettingsGrpc {
    async fn get_schedule(&self, request: Request<pb::GetScheduleRequest>) -> GrpcResult<pb::Schedule> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        into_grpc(
            get_schedule(&self.0, store_id)
                .await
                .map(|changed| schedule::schedule(&changed)),
        )
    }

    async fn set_weekly_hours(
        &self,
        request: Request<pb::SetWeeklyHoursRequest>,
    ) -> GrpcResult<pb::Schedule> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        let openings = schedule::openings(&request.get_ref().week)?;
        into_grpc(
            set_weekly_hours(&self.0, store_id, openings)
                .await
                .map(|changed| schedule::schedule(&changed)),
        )
    }

    async fn set_special_day(&self, request: Request<pb::SetSpecialDayRequest>) -> GrpcResult<pb::Schedule> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        let draft = schedule::special_day_draft(request.into_inner().special_day)?;
        into_grpc(
            set_special_day(&self.0, store_id, draft)
                .await
                .map(|changed| schedule::schedule(&changed)),
        )
    }

    async fn delete_special_day(
        &self,
        request: Request<pb::DeleteSpecialDayRequest>,
    ) -> GrpcResult<pb::Schedule> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        let day = schedule::day(&request.get_ref().day)?;
        into_grpc(
            delete_special_day(&self.0, store_id, day)
                .await
                .map(|changed| schedule::schedule(&changed)),
        )
    }

    async fn set_baristas(&self, request: Request<pb::SetBaristasRequest>) -> GrpcResult<pb::Schedule> {
        own_store(&request, &request.get_ref().store_id)?;
        let draft = schedule::baristas_draft(request.get_ref())?;
        into_grpc(
            set_baristas(&self.0, draft)
                .await
                .map(|changed| schedule::schedule(&changed)),
        )
    }

    async fn get_store_menu(&self, request: Request<pb::GetStoreMenuRequest>) -> GrpcResult<pb::StoreMenu> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        into_grpc(
            get_store_menu(&self.0, store_id)
                .await
                .map(|menu| store_menu::store_menu(&menu)),
        )
    }

    async fn get_load(&self, request: Request<pb::GetLoadRequest>) -> GrpcResult<pb::Load> {
        let store_id = own_store(&request, &request.get_ref().store_id)?;
        into_grpc(
            get_load(&self.0, store_id)
                .await
                .map(|slots| schedule::load(&slots)),
        )
    }
}
