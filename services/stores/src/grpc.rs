//! The gRPC service: each method decodes, calls one operation and encodes.

use std::sync::Arc;

use callers::Caller;
use kit::grpc::{GrpcResult, into_grpc};
use proto::stores::v1::{self as pb, stores_server::Stores as StoresService};
use secrecy::SecretString;
use tonic::Request;
use types::ConsumerId;

use crate::{
    Stores,
    convert::{cart_lines, company, menu, pickup, request as decode, schedule, store, usual_item},
    domain::store_query::StoreFilter,
    ops::{
        add_usual_item::add_usual_item, authenticate_store::authenticate_store,
        delete_usual_item::delete_usual_item, favorite_store::favorite_store, get_company::get_company,
        get_item::get_item, get_modification::get_modification,
        get_modification_choice::get_modification_choice, get_pickup_options::get_pickup_options,
        get_store::get_store, get_store_picture::get_store_picture, list_categories::list_categories,
        list_closed_times::list_closed_times, list_locations::list_locations, list_menu::list_menu,
        list_stores::list_stores, list_top_ordered::list_top_ordered, list_upsell_items::list_upsell_items,
        list_usual_items::list_usual_items, map_stores::map_stores, move_reservation::move_reservation,
        pause_store::pause_store, release_capacity::release_capacity, reserve_capacity::reserve_capacity,
        resolve_lines::resolve_lines, search_stores::search_stores, set_availability::set_availability,
        unfavorite_store::unfavorite_store,
    },
};

#[derive(Debug)]
pub struct Grpc(Arc<Stores>);

impl Grpc {
    #[must_use]
    pub const fn new(cx: Arc<Stores>) -> Self {
        Self(cx)
    }
}

/// Returns the consumer of a call, if any: stores and menus are public.
fn optional_consumer<T>(request: &Request<T>) -> Option<ConsumerId> {
    Caller::of(request).ok()?.consumer().ok()
}

fn record_order_id(order_id: types::OrderId) {
    tracing::Span::current().record("aggregate_id", tracing::field::display(order_id));
}

#[tonic::async_trait]
impl StoresService for Grpc {
    async fn list_stores(
        &self,
        request: Request<pb::ListStoresRequest>,
    ) -> GrpcResult<pb::ListStoresResponse> {
        let caller = Caller::of(&request)?;
        let message = request.get_ref();
        let filter = if message.favorites_only {
            StoreFilter::FavoritesOf(caller.consumer()?)
        } else if message.company_id.is_empty() {
            StoreFilter::All
        } else {
            StoreFilter::Company(decode::company_id(&message.company_id)?)
        };
        let query = decode::list_query(message, caller.consumer().ok())?;
        into_grpc(list_stores(&self.0, filter, query).await.map(store::store_list))
    }

    async fn search_stores(
        &self,
        request: Request<pb::SearchStoresRequest>,
    ) -> GrpcResult<pb::ListStoresResponse> {
        let query = decode::search_query(request.get_ref(), optional_consumer(&request))?;
        into_grpc(
            search_stores(&self.0, &request.get_ref().term, query)
                .await
                .map(store::store_list),
        )
    }

    async fn map_stores(&self, request: Request<pb::MapStoresRequest>) -> GrpcResult<pb::MapStoresResponse> {
        let consumer_id = optional_consumer(&request);
        let message = request.into_inner();
        let center = decode::optional_position(message.center)?;
        let map = map_stores(
            &self.0,
            center,
            message.span_degrees,
            message.curbside_only,
            consumer_id,
        );
        into_grpc(map.await.map(store::store_map))
    }

    async fn get_store(&self, request: Request<pb::GetStoreRequest>) -> GrpcResult<pb::Store> {
        let consumer_id = optional_consumer(&request);
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        let position = decode::optional_position(request.get_ref().position)?;
        into_grpc(
            get_store(&self.0, store_id, position, consumer_id)
                .await
                .map(store::store),
        )
    }

    async fn get_store_picture(
        &self,
        request: Request<pb::GetStorePictureRequest>,
    ) -> GrpcResult<pb::StorePicture> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            get_store_picture(&self.0, store_id)
                .await
                .map(|svg| pb::StorePicture { svg }),
        )
    }

    async fn get_company(&self, request: Request<pb::GetCompanyRequest>) -> GrpcResult<pb::Company> {
        let company_id = decode::company_id(&request.get_ref().company_id)?;
        into_grpc(get_company(&self.0, company_id).await.map(company::company))
    }

    async fn list_locations(
        &self,
        request: Request<pb::ListLocationsRequest>,
    ) -> GrpcResult<pb::ListLocationsResponse> {
        into_grpc(
            list_locations(&self.0, &request.get_ref().company_name)
                .await
                .map(company::locations),
        )
    }

    async fn list_categories(
        &self,
        request: Request<pb::ListCategoriesRequest>,
    ) -> GrpcResult<pb::ListCategoriesResponse> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            list_categories(&self.0, store_id)
                .await
                .map(|store_menu| menu::category_list(&store_menu)),
        )
    }

    async fn list_menu(&self, request: Request<pb::ListMenuRequest>) -> GrpcResult<pb::ListMenuResponse> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        let category_id = decode::optional_category_id(&request.get_ref().category_id)?;
        into_grpc(
            list_menu(&self.0, store_id, category_id)
                .await
                .and_then(|store_menu| Ok(menu::menu(&store_menu, category_id)?)),
        )
    }

    async fn get_item(&self, request: Request<pb::GetItemRequest>) -> GrpcResult<pb::Item> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        let item_id = decode::item_id(&request.get_ref().item_id)?;
        into_grpc(
            get_item(&self.0, store_id, item_id)
                .await
                .map(|item| menu::item(&item)),
        )
    }

    async fn get_pickup_options(
        &self,
        request: Request<pb::GetPickupOptionsRequest>,
    ) -> GrpcResult<pb::PickupOptions> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            get_pickup_options(&self.0, store_id, request.get_ref().make_seconds)
                .await
                .map(|options| pickup::pickup_options(&options)),
        )
    }

    async fn resolve_lines(
        &self,
        request: Request<pb::ResolveLinesRequest>,
    ) -> GrpcResult<pb::ResolveLinesResponse> {
        Caller::of(&request)?.service(&["ordering", "gateway"])?;
        let command = cart_lines::resolve_lines(request.into_inner())?;
        into_grpc(
            resolve_lines(&self.0, command)
                .await
                .map(cart_lines::resolved_lines),
        )
    }

    async fn reserve_capacity(
        &self,
        request: Request<pb::ReserveCapacityRequest>,
    ) -> GrpcResult<pb::Reservation> {
        Caller::of(&request)?.service(&["ordering"])?;
        let command = pickup::reserve_capacity(request.get_ref())?;
        record_order_id(command.order_id);
        into_grpc(reserve_capacity(&self.0, command).await.map(pickup::reservation))
    }

    async fn release_capacity(
        &self,
        request: Request<pb::ReleaseCapacityRequest>,
    ) -> GrpcResult<pb::ReleaseCapacityResponse> {
        Caller::of(&request)?.service(&["ordering"])?;
        let order_id = decode::order_id(&request.get_ref().order_id)?;
        record_order_id(order_id);
        into_grpc(
            release_capacity(&self.0, order_id)
                .await
                .map(|released| pb::ReleaseCapacityResponse { released }),
        )
    }

    async fn move_reservation(
        &self,
        request: Request<pb::MoveReservationRequest>,
    ) -> GrpcResult<pb::Reservation> {
        Caller::of(&request)?.service(&["ordering"])?;
        let (order_id, ready_at) = pickup::move_reservation(request.get_ref())?;
        record_order_id(order_id);
        into_grpc(
            move_reservation(&self.0, order_id, ready_at)
                .await
                .map(pickup::reservation),
        )
    }

    async fn list_closed_times(
        &self,
        request: Request<pb::ListClosedTimesRequest>,
    ) -> GrpcResult<pb::ListClosedTimesResponse> {
        Caller::of(&request)?.service(&["ordering"])?;
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        let times = schedule::times(&request.get_ref().times)?;
        into_grpc(
            list_closed_times(&self.0, store_id, times)
                .await
                .map(|times| pickup::closed_times(&times)),
        )
    }

    async fn authenticate_store(
        &self,
        request: Request<pb::AuthenticateStoreRequest>,
    ) -> GrpcResult<pb::AuthenticateStoreResponse> {
        Caller::of(&request)?.service(&["gateway"])?;
        let secret = SecretString::from(request.into_inner().credential);
        into_grpc(
            authenticate_store(&self.0, &secret)
                .await
                .map(|credential| store::store_credential(&credential)),
        )
    }

    async fn pause_store(&self, request: Request<pb::PauseStoreRequest>) -> GrpcResult<pb::Store> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        Caller::of(&request)?.store(store_id)?;
        let pause = schedule::requested_pause(request.get_ref())?;
        into_grpc(pause_store(&self.0, store_id, pause).await.map(store::store))
    }

    async fn favorite_store(
        &self,
        request: Request<pb::FavoriteStoreRequest>,
    ) -> GrpcResult<pb::FavoriteStoreResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            favorite_store(&self.0, consumer_id, store_id)
                .await
                .map(|()| pb::FavoriteStoreResponse { favorite: true }),
        )
    }

    async fn unfavorite_store(
        &self,
        request: Request<pb::FavoriteStoreRequest>,
    ) -> GrpcResult<pb::FavoriteStoreResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            unfavorite_store(&self.0, consumer_id, store_id)
                .await
                .map(|()| pb::FavoriteStoreResponse { favorite: false }),
        )
    }

    async fn get_modification(
        &self,
        request: Request<pb::GetModificationRequest>,
    ) -> GrpcResult<pb::OfferedModification> {
        let message = request.get_ref();
        let store_id = decode::store_id(&message.store_id)?;
        let size_id = decode::size_id(&message.size_id)?;
        let modification_id = decode::modification_id(&message.modification_id)?;
        into_grpc(
            get_modification(&self.0, store_id, size_id, modification_id)
                .await
                .map(|offered| menu::offered_modification(&offered)),
        )
    }

    async fn get_modification_choice(
        &self,
        request: Request<pb::GetModificationChoiceRequest>,
    ) -> GrpcResult<pb::OfferedChoice> {
        let message = request.get_ref();
        let store_id = decode::store_id(&message.store_id)?;
        let size_id = decode::size_id(&message.size_id)?;
        let modification_id = decode::modification_id(&message.modification_id)?;
        let choice_id = decode::choice_id(&message.choice_id)?;
        into_grpc(
            get_modification_choice(&self.0, store_id, size_id, modification_id, choice_id)
                .await
                .map(|offered| menu::offered_choice(&offered, choice_id)),
        )
    }

    async fn list_top_ordered(
        &self,
        request: Request<pb::ListTopOrderedRequest>,
    ) -> GrpcResult<pb::ListTopOrderedResponse> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        into_grpc(
            list_top_ordered(&self.0, store_id)
                .await
                .and_then(|(store_menu, items)| {
                    let items = menu::menu_items(&store_menu, &items)?;
                    Ok(pb::ListTopOrderedResponse { items })
                }),
        )
    }

    async fn list_upsell_items(
        &self,
        request: Request<pb::ListUpsellItemsRequest>,
    ) -> GrpcResult<pb::ListUpsellItemsResponse> {
        let store_id = decode::store_id(&request.get_ref().store_id)?;
        let cart = decode::item_ids(&request.get_ref().item_ids)?;
        into_grpc(
            list_upsell_items(&self.0, store_id, &cart)
                .await
                .and_then(|(store_menu, items)| {
                    let items = menu::menu_items(&store_menu, &items)?;
                    Ok(pb::ListUpsellItemsResponse { items })
                }),
        )
    }

    async fn list_usual_items(
        &self,
        request: Request<pb::ListUsualItemsRequest>,
    ) -> GrpcResult<pb::ListUsualItemsResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let store_id = decode::optional_store_id(&request.get_ref().store_id)?;
        into_grpc(
            list_usual_items(&self.0, consumer_id, store_id)
                .await
                .map(usual_item::usual_item_list),
        )
    }

    async fn add_usual_item(&self, request: Request<pb::AddUsualItemRequest>) -> GrpcResult<pb::UsualItem> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let command = usual_item::add_usual_item(consumer_id, request.into_inner())?;
        into_grpc(add_usual_item(&self.0, command).await.map(usual_item::usual_item))
    }

    async fn delete_usual_item(
        &self,
        request: Request<pb::DeleteUsualItemRequest>,
    ) -> GrpcResult<pb::DeleteUsualItemResponse> {
        let consumer_id = Caller::of(&request)?.consumer()?;
        let id = decode::usual_item_id(&request.get_ref().usual_item_id)?;
        into_grpc(
            delete_usual_item(&self.0, consumer_id, id)
                .await
                .map(|()| pb::DeleteUsualItemResponse {}),
        )
    }

    async fn set_availability(
        &self,
        request: Request<pb::SetAvailabilityRequest>,
    ) -> GrpcResult<pb::SetAvailabilityResponse> {
        let message = request.get_ref();
        let store_id = decode::store_id(&message.store_id)?;
        Caller::of(&request)?.store(store_id)?;
        let subject = decode::sold_out_subject(message)?;
        let sold_out = message.sold_out;
        into_grpc(
            set_availability(&self.0, store_id, subject, sold_out)
                .await
                .map(|()| pb::SetAvailabilityResponse { sold_out }),
        )
    }
}
