//! Consumers who receive gift cards.

use kit::{
    InternalError,
    grpc::{ClientChannel, GrpcClient},
};
use proto::accounts::v1::{
    FindRecipientRequest, accounts_client::AccountsClient, find_recipient_request::Address,
};
use types::ConsumerId;

use crate::domain::recipient::{Recipient, RecipientKind};

#[derive(Debug, Clone)]
pub(crate) struct Accounts(GrpcClient);

impl Accounts {
    pub(super) const fn new(client: GrpcClient) -> Self {
        Self(client)
    }

    fn connect(&self) -> AccountsClient<ClientChannel> {
        AccountsClient::new(self.0.as_service())
    }

    /// Returns the consumer who receives a card at an address, or `None` if there is none.
    pub(crate) async fn find_recipient(
        &self,
        recipient: &Recipient,
    ) -> Result<Option<ConsumerId>, InternalError> {
        let address = match recipient.kind {
            RecipientKind::Buyer => return Ok(None),
            RecipientKind::Phone => Address::Phone(recipient.address.clone()),
            RecipientKind::Email => Address::Email(recipient.address.clone()),
        };
        let request = FindRecipientRequest {
            address: Some(address),
        };
        let response = self.connect().find_recipient(request).await?.into_inner();
        match response.consumer_id.as_str() {
            "" => Ok(None),
            id => id.parse().map(Some).map_err(InternalError::invariant_violated),
        }
    }
}
