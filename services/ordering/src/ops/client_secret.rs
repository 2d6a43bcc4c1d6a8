use types::OrderId;

use crate::{
    Ordering,
    domain::{charge::Charge, order::OrderRecord},
};

/// Adds the client secret to an order that waits for the consumer's authentication. Without payments, or if the payment has just been
/// authenticated, the order has none.
pub(super) async fn with_client_secret(cx: &Ordering, record: OrderRecord) -> OrderRecord {
    if !record.placement.awaits_authentication {
        return record;
    }
    let mut record = record;
    record.order.client_secret = find_client_secret(cx, record.order.id).await;
    record
}

async fn find_client_secret(cx: &Ordering, order_id: OrderId) -> String {
    if let Some(secret) = cx.client_secrets.get(order_id) {
        return secret;
    }
    match cx.clients.payments.fetch_charge(order_id).await {
        Ok(Charge::RequiresAction { client_secret }) => {
            cx.client_secrets.insert(order_id, &client_secret);
            client_secret
        }
        Ok(_) => String::new(),
        Err(error) => {
            tracing::warn!(%order_id, %error, "client secret not found; the next call will retry");
            String::new()
        }
    }
}
