//! The cacheable calls, and the data that their responses contain.

use std::future::Future;

use kit::grpc::ClientChannel;
use prost::Message;
use proto::stores::v1::stores_client::StoresClient;
use proto::stores::v1::{
    Company, GetCompanyRequest, GetItemRequest, GetModificationChoiceRequest, GetModificationRequest,
    GetStoreRequest, Item, ListCategoriesRequest, ListCategoriesResponse, ListLocationsRequest,
    ListLocationsResponse, ListMenuRequest, ListMenuResponse, ListStoresRequest, ListStoresResponse,
    ListTopOrderedRequest, ListTopOrderedResponse, ListUpsellItemsRequest, ListUpsellItemsResponse,
    MapStoresRequest, MapStoresResponse, OfferedChoice, OfferedModification, SearchStoresRequest, Store,
};
use tonic::{Response, Status};

use super::versions::Scope;

/// A request with the same response for all callers, apart from the favorites that stores adds for a consumer.
pub(crate) trait PublicRead: Message + Clone + 'static {
    type Response: Send;

    fn scope(&self) -> Scope<'_>;

    fn call(
        self,
        client: StoresClient<ClientChannel>,
    ) -> impl Future<Output = Result<Response<Self::Response>, Status>> + Send;
}

macro_rules! public_reads {
    ($($method:ident($request:ident) -> $response:ty, $scope:expr;)*) => {$(
        impl PublicRead for $request {
            type Response = $response;

            fn scope(&self) -> Scope<'_> {
                let scope: fn(&Self) -> Scope<'_> = $scope;
                scope(self)
            }

            async fn call(self, mut client: StoresClient<ClientChannel>) -> Result<Response<$response>, Status> {
                client.$method(self).await
            }
        }
    )*};
}

public_reads! {
    get_store(GetStoreRequest) -> Store, |request| Scope::Store(&request.store_id);
    list_stores(ListStoresRequest) -> ListStoresResponse, |_| Scope::StoreList;
    search_stores(SearchStoresRequest) -> ListStoresResponse, |_| Scope::StoreList;
    map_stores(MapStoresRequest) -> MapStoresResponse, |_| Scope::StoreList;
    get_company(GetCompanyRequest) -> Company, |_| Scope::StoreList;
    list_locations(ListLocationsRequest) -> ListLocationsResponse, |_| Scope::StoreList;
    list_categories(ListCategoriesRequest) -> ListCategoriesResponse, |request| Scope::Menu(&request.store_id);
    list_menu(ListMenuRequest) -> ListMenuResponse, |request| Scope::Menu(&request.store_id);
    get_item(GetItemRequest) -> Item, |request| Scope::Menu(&request.store_id);
    get_modification(GetModificationRequest) -> OfferedModification, |request| Scope::Menu(&request.store_id);
    get_modification_choice(GetModificationChoiceRequest) -> OfferedChoice, |request| Scope::Menu(&request.store_id);
    list_top_ordered(ListTopOrderedRequest) -> ListTopOrderedResponse, |request| Scope::Menu(&request.store_id);
    list_upsell_items(ListUpsellItemsRequest) -> ListUpsellItemsResponse, |request| Scope::Menu(&request.store_id);
}
