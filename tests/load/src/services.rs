//! gRPC clients of services, with the identity of the gateway.

use callers::Caller;
use kit::{
    caller::CallerKey,
    grpc::{ClientChannel, GrpcClient},
};
use proto::stores::v1::stores_client::StoresClient;
use secrecy::SecretString;
use url::Url;

use crate::environment::setting;

const MAX_RESPONSE_BYTES: usize = 16 << 20;

pub fn address_of(variable: &str) -> anyhow::Result<Url> {
    Ok(Url::parse(&format!("http://{}", setting(variable)?))?)
}

/// Returns a client of stores.
pub fn stores() -> anyhow::Result<StoresClient<ClientChannel>> {
    let address = address_of("STORES_LISTEN")?;
    let client = GrpcClient::new(gateway(), "stores", address.as_str(), key()?)?;
    Ok(StoresClient::new(client.as_service()).max_decoding_message_size(MAX_RESPONSE_BYTES))
}

/// Returns a token with which the gateway calls stores. It is valid for a minute.
pub fn token_for_stores() -> anyhow::Result<String> {
    Ok(key()?.sign(&gateway(), "stores")?)
}

fn gateway() -> Caller {
    Caller::from_service("gateway")
}

fn key() -> anyhow::Result<CallerKey> {
    CallerKey::new(&SecretString::from(setting("CALLER_SECRET")?))
}
