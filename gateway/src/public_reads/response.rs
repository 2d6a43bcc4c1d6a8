//! A response that is the same for all consumers, as it is sent.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use brotli::enc::BrotliEncoderParams;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use kit::InternalError;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::response::{ApiResponse, entity_tag};

/// Smaller bodies are sent as they are.
const MIN_COMPRESSED_BYTES: usize = 256;
/// A compromise between size and time, as for all other responses.
const BROTLI_QUALITY: i32 = 4;

/// A response that is the same for all consumers. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct PublicResponse(Arc<Encoded>);

#[derive(Debug)]
struct Encoded {
    json: Bytes,
    tag: HeaderValue,
    /// Each is created when a client that accepts it sends the first request.
    brotli: OnceLock<Option<Bytes>>,
    gzip: OnceLock<Option<Bytes>>,
}

impl PublicResponse {
    pub(crate) fn encode(data: impl Serialize) -> Result<Self, InternalError> {
        let json = serde_json::to_vec(&ApiResponse::new(data)).map_err(InternalError::invariant_violated)?;
        Ok(Self(Arc::new(Encoded {
            tag: entity_tag(&json),
            json: json.into(),
            brotli: OnceLock::new(),
            gzip: OnceLock::new(),
        })))
    }

    /// Decodes the data again.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, InternalError> {
        #[derive(Deserialize)]
        struct Envelope<T> {
            data: T,
        }
        let envelope: Envelope<T> =
            serde_json::from_slice(&self.0.json).map_err(InternalError::invariant_violated)?;
        Ok(envelope.data)
    }

    /// Returns the approximate size in memory.
    pub(super) fn size(&self) -> usize {
        // Compressed bodies are created later. Together they have less than half of the size.
        self.0.json.len() * 3 / 2
    }

    /// Returns the body in an encoding that the client accepts, with the name of the encoding.
    fn body(&self, accepted: &str) -> (Bytes, Option<&'static str>) {
        let encoded = &*self.0;
        if encoded.json.len() >= MIN_COMPRESSED_BYTES {
            let brotli = || encoded.brotli.get_or_init(|| compress_brotli(&encoded.json).ok());
            let gzip = || encoded.gzip.get_or_init(|| compress_gzip(&encoded.json).ok());
            if accepts_encoding(accepted, "br")
                && let Some(body) = brotli()
            {
                return (body.clone(), Some("br"));
            }
            if accepts_encoding(accepted, "gzip")
                && let Some(body) = gzip()
            {
                return (body.clone(), Some("gzip"));
            }
        }
        (encoded.json.clone(), None)
    }

    /// Replaces the body of a public response with a compressed one if the client accepts that.
    pub(crate) fn compress(response: &mut Response, accept_encoding: Option<&HeaderValue>) {
        let public = response.extensions_mut().remove::<Self>();
        let accepted = accept_encoding.and_then(|value| value.to_str().ok());
        if let (Some(public), Some(accepted)) = (public, accepted)
            && let (body, Some(encoding)) = public.body(accepted)
        {
            *response.body_mut() = Body::from(body);
            let encoding = HeaderValue::from_static(encoding);
            response.headers_mut().insert(CONTENT_ENCODING, encoding);
        }
    }
}

impl IntoResponse for PublicResponse {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.0.json.clone()));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // Clients revalidate, because a store may pause or sell out at any time.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, no-cache"));
        headers.insert(VARY, HeaderValue::from_static("cookie, accept-encoding"));
        headers.insert(ETAG, self.0.tag.clone());
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns whether the list of `Accept-Encoding` contains the encoding, and not with weight zero.
fn accepts_encoding(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|entry| {
        let (name, weight) = entry.split_once(';').unwrap_or((entry, ""));
        let weight = weight.trim().strip_prefix("q=").unwrap_or("1");
        name.trim().eq_ignore_ascii_case(encoding) && weight.parse::<f32>().is_ok_and(|weight| weight > 0.0)
    })
}

fn compress_brotli(body: &[u8]) -> io::Result<Bytes> {
    let parameters = BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*body, &mut compressed, &parameters)?;
    Ok(compressed.into())
}

fn compress_gzip(body: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body)?;
    Ok(encoder.finish()?.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_is_accepted_unless_its_weight_is_zero() {
        let accepts = |header| accepts_encoding(header, "br");
        assert!(accepts("gzip, deflate, br") && accepts("BR;q=0.5") && accepts("br ; q=1"));
        assert!(!accepts("gzip") && !accepts("br;q=0") && !accepts("br;q=0.0, gzip") && !accepts(""));
    }
}
