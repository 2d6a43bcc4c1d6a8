//! Names of stores and companies.

use kit::{
    ErrorCode, InternalError, ServiceError,
    grpc::{ClientChannel, GrpcClient},
};
use proto::stores::v1::{GetCompanyRequest, GetStoreRequest, stores_client::StoresClient};
use tonic::Status;
use types::{CompanyId, StoreId};

#[derive(Debug, Clone)]
pub(crate) struct Stores(GrpcClient);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) name: String,
    pub(crate) company_id: CompanyId,
}

impl Stores {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> StoresClient<ClientChannel> {
        StoresClient::new(self.0.as_service())
    }

    /// Returns `None` if the store does not exist.
    pub(crate) async fn find_store(&self, store_id: StoreId) -> Result<Option<Store>, InternalError> {
        let request = GetStoreRequest {
            store_id: store_id.to_string(),
            position: None,
        };
        let Some(store) = found(self.connect().get_store(request).await)? else {
            return Ok(None);
        };
        Ok(Some(Store {
            name: store.name,
            company_id: store
                .company_id
                .parse()
                .map_err(InternalError::invariant_violated)?,
        }))
    }

    /// Returns the name of a company, or `None` if it does not exist.
    pub(crate) async fn find_company(&self, company_id: CompanyId) -> Result<Option<String>, InternalError> {
        let request = GetCompanyRequest {
            company_id: company_id.to_string(),
        };
        let company = found(self.connect().get_company(request).await)?;
        Ok(company.map(|company| company.name))
    }
}

fn found<T>(response: Result<tonic::Response<T>, Status>) -> Result<Option<T>, InternalError> {
    match response {
        Ok(response) => Ok(Some(response.into_inner())),
        Err(status) if ServiceError::from_status(&status).code == ErrorCode::NotFound => Ok(None),
        Err(status) => Err(status.into()),
    }
}
