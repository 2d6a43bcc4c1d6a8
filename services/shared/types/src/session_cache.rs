//! Format of the session cache in Redis. The gateway caches sessions there; accounts writes tombstones over them.

use std::{fmt::Write, time::Duration};

/// Time for which the gateway caches a session.
pub const SESSION_CACHE_TTL: Duration = Duration::from_mins(1);

/// Lifetime of a tombstone: longer than a cached session and a lookup in progress can last.
pub const SESSION_TOMBSTONE_TTL: Duration = Duration::from_mins(3);

/// Value of a session that has ended.
pub const SESSION_TOMBSTONE: &str = "ended";

/// Returns the key of a session. Contains the SHA-256 of the token, because the token itself must not be in the cache.
#[must_use]
pub fn session_cache_key(token_hash: &[u8]) -> String {
    let mut key = "session:".to_owned();
    for byte in token_hash {
        // Writing to a string cannot fail.
        let _ = write!(key, "{byte:02x}");
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_contains_the_hash_in_hexadecimal() {
        assert_eq!(session_cache_key(&[0x0a, 0xff]), "session:0aff");
    }
}
