//! Named places where tests kill the process, as a power cut would. Debug builds only.

/// Kills the process with SIGKILL if `FAULT_POINT` names this place and, where `FAULT_FILE` is set, that file is there
/// (it is removed first, so that the restarted process gets past).
pub fn reach(place: &str) {
    if cfg!(debug_assertions) && std::env::var("FAULT_POINT").is_ok_and(|wanted| wanted == place) {
        if let Some(file) = std::env::var_os("FAULT_FILE")
            && std::fs::remove_file(file).is_err()
        {
            return;
        }
        tracing::warn!(place, "killed by a fault point");
        let own = std::process::id().to_string();
        let _killed = std::process::Command::new("kill").args(["-9", &own]).status();
        std::process::abort();
    }
}
