//! What a browser may do with what we answer: on our pages run our scripts and the card provider's, elsewhere nothing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

use crate::config::{Front, Web};

const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// The headers of every answer that brings none of its own: data is taken for what it says it is, and for no page.
pub(crate) fn of_data(front: &Front) -> Vec<(HeaderName, HeaderValue)> {
    let mut headers = vec![
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOTHING)),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (
            REFERRER_POLICY,
            HeaderValue::from_static("strict-origin-when-cross-origin"),
        ),
    ];
    if front.secure() {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.push((STRICT_TRANSPORT_SECURITY, year));
    }
    headers
}

/// The headers of every page and file, beside [`of_data`].
///
/// # Errors
/// A bad setting.
pub(super) fn of(config: &Web, html: &str) -> anyhow::Result<HeaderMap> {
    let provider = config.provider_sources()?.join(" ");
    let map = config.map_sources().join(" ");
    let inline =
        inline_scripts(html).map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script))));
    let inline = inline.collect::<Vec<_>>().join(" ");
    let policy = [
        "default-src 'self'".to_owned(),
        format!("script-src 'self' {provider} {inline}"),
        // Styles of components and of the provider's element are set from scripts.
        "style-src 'self' 'unsafe-inline'".to_owned(),
        format!("img-src 'self' data: blob: {map}"),
        "font-src 'self' data:".to_owned(),
        format!("connect-src 'self' {provider} {map}"),
        format!("frame-src 'self' {provider}"),
        // The map draws in a worker.
        "worker-src 'self' blob:".to_owned(),
        "object-src 'none'".to_owned(),
        "base-uri 'self'".to_owned(),
        "form-action 'self'".to_owned(),
        "frame-ancestors 'self'".to_owned(),
    ];
    let policy = policy.map(|rule| rule.trim_end().to_owned()).join("; ");
    let quoted = config
        .provider_sources()?
        .into_iter()
        .map(|origin| format!(" \"{origin}\""))
        .collect::<String>();
    let mut headers = HeaderMap::new();
    let mut set = |name: &'static str, value: String| -> anyhow::Result<()> {
        headers.insert(HeaderName::from_static(name), HeaderValue::try_from(value)?);
        Ok(())
    };
    set("content-security-policy", policy)?;
    set(
        "permissions-policy",
        format!("camera=(), microphone=(), geolocation=(self), payment=(self{quoted})"),
    )?;
    Ok(headers)
}

/// Scripts written into the page by the build: named by their hash, so that no other one runs.
fn inline_scripts(html: &str) -> impl Iterator<Item = &str> {
    html.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (script, _) = rest.split_once("</script>")?;
        (!attributes.contains("src=") && !script.is_empty()).then_some(script)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_scripts_that_stand_in_the_page() {
        let html =
            r#"<script>theme()</script><script type="module" src="/assets/a.js"></script><script></script>"#;
        assert_eq!(inline_scripts(html).collect::<Vec<_>>(), ["theme()"]);
    }
}
