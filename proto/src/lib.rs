//! Contracts between processes: gRPC services and events, generated from `orderahead/`.
#![allow(
    missing_docs,
    clippy::all,
    clippy::pedantic,
    reason = "generated; the contracts are documented in their .proto files"
)]

/// Encoded file descriptor set of all services, for gRPC reflection.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));

pub mod events;
mod idempotency;
pub mod topology;

pub use idempotency::{is_idempotent, is_read};

pub mod values {
    pub mod v1 {
        tonic::include_proto!("orderahead.values.v1");
    }
}

pub mod accounts {
    pub mod v1 {
        tonic::include_proto!("orderahead.accounts.v1");
    }
}

pub mod stores {
    pub mod v1 {
        tonic::include_proto!("orderahead.stores.v1");
    }
}

pub mod ordering {
    pub mod v1 {
        tonic::include_proto!("orderahead.ordering.v1");
    }
}

pub mod payments {
    pub mod v1 {
        tonic::include_proto!("orderahead.payments.v1");
    }
}

pub mod giftcards {
    pub mod v1 {
        tonic::include_proto!("orderahead.giftcards.v1");
    }
}

pub mod rewards {
    pub mod v1 {
        tonic::include_proto!("orderahead.rewards.v1");
    }
}

pub mod operations {
    pub mod v1 {
        tonic::include_proto!("orderahead.operations.v1");
    }
}
