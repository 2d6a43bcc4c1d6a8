//! The calls: each decodes, calls one operation, encodes.

use std::sync::Arc;

use callers::Caller;
use kit::{ServiceError, grpc::GrpcResult};
use proto::stores::v1::{self, stores_server::Stores as Service};
use secrecy::SecretString;
use tonic::{Request, Response, Status};
use types::ConsumerId;

use crate::{
    Stores,
    convert::{lines, menu, request, store},
    ops::{self, list::Which},
};

/// Answers the calls.
#[derive(Debug)]
pub struct Grpc(Arc<Stores>);

impl Grpc {
    /// Answers with these stores.
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

/// The consumer on whose behalf a call is made, if any: stores and menus are shown to everybody.
fn consumer<T>(request: &Request<T>) -> Option<ConsumerId> {
    Caller::of(request).ok().and_then(|caller| caller.consumer().ok())
}

fn refuse(error: impl Into<ServiceError>) -> Status {
    error.into().into()
}

#[tonic::async_trait]
impl Service for Grpc {
    async fn list_stores(
        &self,
        request: Request<v1::ListStoresRequest>,
    ) -> GrpcResult<v1::ListStoresResponse> {
        let consumer = consumer(&request);
        let caller = Caller::of(&request)?.clone();
        let asked = request.into_inner();
        let which = if asked.favorites_only {
            Which::LikedBy(caller.consumer()?)
        } else if asked.company_id.is_empty() {
            Which::All
        } else {
            let unknown = "There is no such company.";
            Which::OfCompany(
                request::known_id(&asked.company_id, "COMPANY_UNKNOWN", unknown).map_err(refuse)?,
            )
        };
        let here = request::position(asked.position).map_err(refuse)?;
        let page = request::page(asked.page);
        let shown = ops::list::list(&self.0, which, here, asked.curbside_only, page, consumer)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::list(shown)))
    }

    async fn search_stores(
        &self,
        request: Request<v1::SearchStoresRequest>,
    ) -> GrpcResult<v1::ListStoresResponse> {
        let consumer = consumer(&request);
        let asked = request.into_inner();
        let here = request::position(asked.position).map_err(refuse)?;
        let page = request::page(asked.page);
        let shown = ops::search::search(&self.0, &asked.term, here, asked.curbside_only, page, consumer)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::list(shown)))
    }

    async fn map_stores(&self, request: Request<v1::MapStoresRequest>) -> GrpcResult<v1::MapStoresResponse> {
        let consumer = consumer(&request);
        let asked = request.into_inner();
        let center = request::position(asked.center).map_err(refuse)?;
        let map = ops::map::map(&self.0, center, asked.span_degrees, asked.curbside_only, consumer)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::map(map)))
    }

    async fn get_store(&self, request: Request<v1::GetStoreRequest>) -> GrpcResult<v1::Store> {
        let consumer = consumer(&request);
        let asked = request.into_inner();
        let id = request::store_id(&asked.store_id).map_err(refuse)?;
        let here = request::position(asked.position).map_err(refuse)?;
        let shown = ops::get_store::get_store(&self.0, id, here, consumer)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::store(shown)))
    }

    async fn list_categories(
        &self,
        request: Request<v1::ListCategoriesRequest>,
    ) -> GrpcResult<v1::ListCategoriesResponse> {
        let id = request::store_id(&request.get_ref().store_id).map_err(refuse)?;
        let offer = ops::menu::of_store(&self.0, id).await.map_err(refuse)?;
        Ok(Response::new(menu::categories(&offer)))
    }

    async fn list_menu(&self, request: Request<v1::ListMenuRequest>) -> GrpcResult<v1::ListMenuResponse> {
        let asked = request.into_inner();
        let id = request::store_id(&asked.store_id).map_err(refuse)?;
        let unknown = "The menu has no such category.";
        let category = (!asked.category_id.is_empty())
            .then(|| request::known_id(&asked.category_id, "CATEGORY_UNKNOWN", unknown))
            .transpose()
            .map_err(refuse)?;
        let offer = ops::menu::list_menu(&self.0, id, category)
            .await
            .map_err(refuse)?;
        Ok(Response::new(menu::menu(&offer, category)))
    }

    async fn get_item(&self, request: Request<v1::GetItemRequest>) -> GrpcResult<v1::Item> {
        let asked = request.into_inner();
        let id = request::store_id(&asked.store_id).map_err(refuse)?;
        let item =
            request::known_id(&asked.item_id, "ITEM_UNKNOWN", "This is not on the menu.").map_err(refuse)?;
        let offer = ops::menu::of_store(&self.0, id).await.map_err(refuse)?;
        let item = offer.item(item).map_err(refuse)?;
        Ok(Response::new(menu::item(&offer, item)))
    }

    async fn get_pickup_options(
        &self,
        request: Request<v1::GetPickupOptionsRequest>,
    ) -> GrpcResult<v1::PickupOptions> {
        let asked = request.into_inner();
        let id = request::store_id(&asked.store_id).map_err(refuse)?;
        let options = ops::pickup_options::pickup_options(&self.0, id, asked.make_seconds)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::pickup_options(&options)))
    }

    async fn resolve_lines(
        &self,
        request: Request<v1::ResolveLinesRequest>,
    ) -> GrpcResult<v1::ResolveLinesResponse> {
        Caller::of(&request)?.service(&["ordering", "gateway"])?;
        let asked = request.into_inner();
        let id = request::store_id(&asked.store_id).map_err(refuse)?;
        let pickup = request::wanted(&asked.pickup_at).map_err(refuse)?;
        let wanted: Vec<_> = asked.lines.into_iter().map(lines::line).collect();
        let till = ops::resolve_lines::till(&self.0, id).await.map_err(refuse)?;
        let resolution = till.resolve(&wanted, pickup).map_err(refuse)?;
        Ok(Response::new(lines::resolution(&till, &wanted, &resolution)))
    }

    async fn reserve_capacity(
        &self,
        request: Request<v1::ReserveCapacityRequest>,
    ) -> GrpcResult<v1::Reservation> {
        Caller::of(&request)?.service(&["ordering"])?;
        let asked = lines::reserve_capacity(request.get_ref()).map_err(refuse)?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(asked.order));
        let promise = ops::reserve::reserve(&self.0, asked).await.map_err(refuse)?;
        Ok(Response::new(store::reservation(
            asked.order.to_string(),
            promise,
        )))
    }

    async fn release_capacity(
        &self,
        request: Request<v1::ReleaseCapacityRequest>,
    ) -> GrpcResult<v1::ReleaseCapacityResponse> {
        Caller::of(&request)?.service(&["ordering"])?;
        let order = request::order_id(&request.get_ref().order_id).map_err(refuse)?;
        tracing::Span::current().record("aggregate_id", tracing::field::display(order));
        let released = ops::release::release_now(&self.0, order).await.map_err(refuse)?;
        Ok(Response::new(v1::ReleaseCapacityResponse { released }))
    }

    async fn authenticate_store(
        &self,
        request: Request<v1::AuthenticateStoreRequest>,
    ) -> GrpcResult<v1::AuthenticateStoreResponse> {
        Caller::of(&request)?.service(&["gateway"])?;
        let presented = SecretString::from(request.into_inner().credential);
        let credential = ops::authenticate::authenticate(&self.0, &presented)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::credential(&credential)))
    }

    async fn pause_store(&self, request: Request<v1::PauseStoreRequest>) -> GrpcResult<v1::Store> {
        let id = request::store_id(&request.get_ref().store_id).map_err(refuse)?;
        Caller::of(&request)?.store(id)?;
        let shown = ops::pause::pause(&self.0, id, request.get_ref().paused)
            .await
            .map_err(refuse)?;
        Ok(Response::new(store::store(shown)))
    }

    async fn favorite_store(
        &self,
        request: Request<v1::FavoriteStoreRequest>,
    ) -> GrpcResult<v1::FavoriteStoreResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = request::store_id(&request.get_ref().store_id).map_err(refuse)?;
        ops::favorite::favorite(&self.0, consumer, id)
            .await
            .map_err(refuse)?;
        Ok(Response::new(v1::FavoriteStoreResponse { favorite: true }))
    }

    async fn unfavorite_store(
        &self,
        request: Request<v1::FavoriteStoreRequest>,
    ) -> GrpcResult<v1::FavoriteStoreResponse> {
        let consumer = Caller::of(&request)?.consumer()?;
        let id = request::store_id(&request.get_ref().store_id).map_err(refuse)?;
        ops::favorite::unfavorite(&self.0, consumer, id)
            .await
            .map_err(refuse)?;
        Ok(Response::new(v1::FavoriteStoreResponse { favorite: false }))
    }
}
