use crate::Payments;

/// Returns the key that authenticates the client's own calls to the provider.
pub fn get_publishable_key(cx: &Payments) -> String {
    cx.publishable_key.clone()
}
