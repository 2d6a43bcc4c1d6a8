//! TLS of HTTP clients.

/// Makes ring the TLS library of this process. Call it before the first `reqwest::Client` is created, which panics otherwise.
/// Does nothing if a library is installed.
pub fn install_provider() {
    let _installed_before = rustls::crypto::ring::default_provider().install_default();
}
