//! Whether an intent is authenticated, and what the client has to do if it is not.

use serde_json::{Value, json};

use crate::objects::PaymentIntent;
use crate::request::RequestContext;
use crate::state::State;

/// Returns whether the consumer has authenticated the payment with this payment method.
pub fn is_authenticated(state: &State, intent: &PaymentIntent, payment_method: &str) -> bool {
    state
        .passed_authentications
        .get(&intent.id)
        .is_some_and(|passed| passed.payment_method == payment_method)
}

/// Returns the `next_action` of an intent: a redirect to the bank's page if the client sent a return URL, otherwise the
/// dialog of the provider's script.
pub fn next_action(client_secret: &str, return_url: Option<&str>, context: &RequestContext) -> Value {
    let url = format!(
        "{}/frames/authenticate?client_secret={client_secret}",
        context.origin
    );
    match return_url {
        Some(return_url) => {
            let encoded: String = url::form_urlencoded::byte_serialize(return_url.as_bytes()).collect();
            let url = format!("{url}&return_url={encoded}");
            json!({ "type": "redirect_to_url", "redirect_to_url": { "url": url, "return_url": return_url } })
        }
        None => json!({
            "type": "use_stripe_sdk",
            "use_stripe_sdk": { "type": "three_d_secure_redirect", "stripe_js": url },
        }),
    }
}
