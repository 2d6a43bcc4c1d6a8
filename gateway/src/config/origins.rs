//! Origins in settings, for the content security policy.

/// Returns the origin of the URL of a setting.
pub(super) fn origin_of(setting: &str, url: &str) -> anyhow::Result<String> {
    let parsed = url::Url::parse(url)
        .map_err(|error| anyhow::anyhow!("bad configuration: {setting}: expected a URL: {error}"))?;
    Ok(parsed.origin().ascii_serialization())
}

/// Returns an entry of a list of origins. A URL with a path, or several values in one, would change the meaning of the policy.
pub(super) fn https_origin(setting: &str, entry: &str) -> anyhow::Result<String> {
    let origin = origin_of(setting, entry)?;
    anyhow::ensure!(
        origin == entry && origin.starts_with("https://"),
        "bad configuration: {setting}: expected origins such as https://photos.example.com, not {entry:?}"
    );
    Ok(origin)
}

/// Returns an entry of a list of origins, which may have a wildcard. Other characters would change the meaning of the policy.
pub(super) fn policy_origin(setting: &str, entry: &str) -> anyhow::Result<String> {
    let is_host = |host: &str| {
        !host.is_empty()
            && host
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "-.:*[]".contains(character))
    };
    let host = entry
        .strip_prefix("https://")
        .or_else(|| entry.strip_prefix("http://"));
    anyhow::ensure!(
        host.is_some_and(is_host),
        "bad configuration: {setting}: expected origins such as https://*.example.com, not {entry:?}"
    );
    Ok(entry.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_the_content_security_policy_is_an_origin() {
        for entry in [
            "https://*.js.stripe.com",
            "http://127.0.0.1:7090",
            "https://[::1]:8443",
        ] {
            assert_eq!(policy_origin("MAP_ORIGINS", entry).unwrap(), entry);
        }
        for entry in [
            "*",
            "https://",
            "https://a.example; script-src *",
            "https://a.example 'unsafe-inline'",
            "data:",
        ] {
            let error = policy_origin("MAP_ORIGINS", entry).unwrap_err().to_string();
            assert!(error.contains("MAP_ORIGINS"), "{error}");
        }
    }
}
