//! Photos of stores, which replace the drawn pictures.

use std::str::FromStr;

use url::Url;

/// As in the constraint `stores_photo_valid`.
const MAX_PHOTO_URL_CHARS: usize = 500;
/// Stands for the address of the gateway while a path is parsed.
const GATEWAY: &str = "https://gateway.invalid";

/// What an import does with the photo of a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PhotoChange {
    Keep,
    /// The store gets its drawn picture.
    Remove,
    /// An https URL, or a path of the gateway.
    Set(String),
}

impl PhotoChange {
    #[must_use]
    pub(crate) fn url(&self) -> Option<&str> {
        match self {
            Self::Set(url) => Some(url),
            Self::Keep | Self::Remove => None,
        }
    }
}

/// Why an address of a photo is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InvalidPhoto {
    #[error("is not an https URL or a path that begins with /")]
    Address,
    #[error("is longer than {MAX_PHOTO_URL_CHARS} characters")]
    TooLong,
}

impl FromStr for PhotoChange {
    type Err = InvalidPhoto;

    /// Parses an https URL without user name, or an absolute path. An empty text removes the photo.
    fn from_str(text: &str) -> Result<Self, InvalidPhoto> {
        if text.is_empty() {
            return Ok(Self::Remove);
        }
        let url = if text.starts_with('/') {
            parse_path(text)
        } else {
            Url::parse(text).ok().filter(is_public)
        };
        let url = url.ok_or(InvalidPhoto::Address)?;
        let address = if text.starts_with('/') {
            url[url::Position::BeforePath..].to_owned()
        } else {
            url.into()
        };
        if address.len() > MAX_PHOTO_URL_CHARS {
            Err(InvalidPhoto::TooLong)
        } else {
            Ok(Self::Set(address))
        }
    }
}

/// Returns the path as a URL of the gateway, or `None` if it leads to another host, as `//host` and `/\\host` do.
fn parse_path(text: &str) -> Option<Url> {
    let gateway = Url::parse(GATEWAY).ok()?;
    let url = gateway.join(text).ok()?;
    let is_path = url.path() != "/" && !url.path().starts_with("//");
    (url.origin() == gateway.origin() && is_path).then_some(url)
}

fn is_public(url: &Url) -> bool {
    url.scheme() == "https" && url.username().is_empty() && url.password().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<PhotoChange, InvalidPhoto> {
        text.parse()
    }

    #[test]
    fn a_photo_is_an_https_url_or_a_path_of_the_gateway() {
        for (text, url) in [
            (
                "https://photos.example.com/a.jpg?w=640",
                "https://photos.example.com/a.jpg?w=640",
            ),
            (
                "https://photos.example.com/my shop.jpg",
                "https://photos.example.com/my%20shop.jpg",
            ),
            ("/photos/a.jpg", "/photos/a.jpg"),
            ("/photos/../a b.jpg", "/a%20b.jpg"),
        ] {
            assert_eq!(parse(text), Ok(PhotoChange::Set(url.to_owned())), "{text}");
        }
        assert_eq!(parse(""), Ok(PhotoChange::Remove));
        for text in [
            "http://photos.example.com/a.jpg",
            "javascript:alert(1)",
            "data:image/png;base64,AA==",
            "https://user:word@photos.example.com/a.jpg",
            "//photos.example.com/a.jpg",
            "/\\photos.example.com/a.jpg",
            "/..//photos.example.com/a.jpg",
            "photos/a.jpg",
            "/",
            "https://",
        ] {
            assert_eq!(parse(text), Err(InvalidPhoto::Address), "{text}");
        }
        let long = format!("/{}", "x".repeat(500));
        assert_eq!(parse(&long), Err(InvalidPhoto::TooLong));
    }
}
