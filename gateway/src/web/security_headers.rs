//! Security headers: pages run only our scripts and the payment provider's, and API responses are never rendered.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{
    CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::{Digest, Sha256};

use crate::config::{HttpConfig, ProviderConfig, WebConfig};

const API_CONTENT_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// Returns the headers of every response that does not set them itself.
pub(crate) fn default_headers(http: &HttpConfig) -> HeaderMap {
    let mut headers = HeaderMap::from_iter([
        (
            CONTENT_SECURITY_POLICY,
            HeaderValue::from_static(API_CONTENT_POLICY),
        ),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (
            REFERRER_POLICY,
            HeaderValue::from_static("strict-origin-when-cross-origin"),
        ),
    ]);
    if http.is_https() {
        let one_year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(STRICT_TRANSPORT_SECURITY, one_year);
    }
    headers
}

/// Returns the headers of the page and of files, in addition to [`default_headers`].
pub(super) fn page_headers(
    web: &WebConfig,
    provider: &ProviderConfig,
    html: &str,
) -> anyhow::Result<HeaderMap> {
    let provider_origins = provider.origins()?;
    let origins = Origins {
        provider: provider_origins.join(" "),
        map: web.map_origins()?.join(" "),
        photos: web.store_photo_origins()?.join(" "),
        reports: web.report_origins()?.join(" "),
    };
    let content_policy = content_policy(&origins, html);
    let quoted_origins = provider_origins
        .iter()
        .fold(String::new(), |list, origin| list + " \"" + origin + "\"");
    let permissions = format!("camera=(), microphone=(), geolocation=(self), payment=(self{quoted_origins})");
    Ok(HeaderMap::from_iter([
        (CONTENT_SECURITY_POLICY, HeaderValue::try_from(content_policy)?),
        (
            HeaderName::from_static("permissions-policy"),
            HeaderValue::try_from(permissions)?,
        ),
    ]))
}

/// The configured origins, separated by spaces.
struct Origins {
    provider: String,
    map: String,
    photos: String,
    reports: String,
}

fn content_policy(origins: &Origins, html: &str) -> String {
    let Origins {
        provider,
        map,
        photos,
        reports,
    } = origins;
    let script_hashes: Vec<String> = inline_scripts(html)
        .map(|script| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script))))
        .collect();
    let rules = [
        "default-src 'self'".to_owned(),
        format!("script-src 'self' {provider} {}", script_hashes.join(" ")),
        // Components and the provider's card element set styles from scripts.
        "style-src 'self' 'unsafe-inline'".to_owned(),
        format!("img-src 'self' data: blob: {map} {photos}"),
        "font-src 'self' data:".to_owned(),
        format!("connect-src 'self' {provider} {map} {reports}"),
        format!("frame-src 'self' {provider}"),
        // The map renders in a worker.
        "worker-src 'self' blob:".to_owned(),
        "object-src 'none'".to_owned(),
        "base-uri 'self'".to_owned(),
        "form-action 'self'".to_owned(),
        "frame-ancestors 'self'".to_owned(),
    ];
    rules
        .map(|rule| rule.split_whitespace().collect::<Vec<_>>().join(" "))
        .join("; ")
}

/// Returns the inline scripts of the build. The policy allows them by their hash, and no others.
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
    fn only_inline_scripts_are_found() {
        let html =
            r#"<script>theme()</script><script type="module" src="/assets/a.js"></script><script></script>"#;
        assert_eq!(inline_scripts(html).collect::<Vec<_>>(), ["theme()"]);
    }
}
