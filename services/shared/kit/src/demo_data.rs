//! Protects production from demo data.

use serde::Deserialize;

use crate::lifecycle::Process;

#[derive(Deserialize)]
struct Settings {
    #[serde(default)]
    allow_demo_data: bool,
}

/// # Errors
/// `ALLOW_DEMO_DATA` is not true. Demo data contains public phone numbers, PINs and gift cards with value.
pub fn require_allowed(process: &Process) -> anyhow::Result<()> {
    let settings: Settings = process.source.read()?;
    anyhow::ensure!(
        settings.allow_demo_data,
        "demo data has public phone numbers, PINs and gift cards: set ALLOW_DEMO_DATA=true in development only"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demo_data_needs_the_setting() {
        let mut process = Process::detached("test");
        process.source = process.source.with("allow_demo_data", "false");
        let error = require_allowed(&process).unwrap_err();
        assert!(error.to_string().contains("ALLOW_DEMO_DATA=true"), "{error}");
        process.source = process.source.with("allow_demo_data", "true");
        require_allowed(&process).unwrap();
    }
}
