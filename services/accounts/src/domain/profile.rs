use jiff::Timestamp;
use types::ConsumerId;
use uuid::Uuid;

#[derive(Debug, Clone)]
pub struct Profile {
    pub id: ConsumerId,
    /// E.164.
    pub phone: String,
    /// Empty if not given, like the names.
    pub email: String,
    pub is_email_verified: bool,
    pub first_name: String,
    pub last_name: String,
    pub share_code: String,
    pub photo_id: Option<Uuid>,
    pub created_at: Timestamp,
}

/// Command to change the name, as typed.
#[derive(Debug, Clone)]
pub struct SetName {
    pub first_name: String,
    /// Optional: may be empty.
    pub last_name: String,
    /// `None` keeps the current email.
    pub email: Option<String>,
}
