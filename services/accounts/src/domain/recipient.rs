//! Addresses to which gift cards are sent.

use std::fmt;

#[derive(Clone, PartialEq, Eq)]
pub enum RecipientAddress {
    /// In E.164.
    Phone(String),
    Email(String),
}

/// Omits the address, which is personal data.
impl fmt::Debug for RecipientAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Phone(_) => "Phone",
            Self::Email(_) => "Email",
        })
    }
}
