//! Fault points: named places in the code where tests kill the process.
//!
//! The `fail` crate is not used: it has no action that ends the process, so each point would need a callback like the
//! function below, and every service a feature flag.

/// Aborts the process if the environment variable `FAULT_POINT` contains this name. If `FAULT_FILE` is set as well, the
/// file must exist and is removed, so that the restarted process passes the point. Debug builds only.
pub fn reach(name: &str) {
    if !cfg!(debug_assertions) || !std::env::var("FAULT_POINT").is_ok_and(|armed| armed == name) {
        return;
    }
    if let Some(file) = std::env::var_os("FAULT_FILE")
        && std::fs::remove_file(file).is_err()
    {
        return;
    }
    tracing::warn!(name, "aborted at a fault point");
    // Like a power failure: runs no destructors and flushes nothing.
    std::process::abort();
}
