//! Encodes error details.

use jiff::Timestamp;
use proto::stores::v1 as pb;

use super::values::optional_timestamp;

/// Encodes the detail of `ETA_CHANGED` and `SLOT_UNAVAILABLE`. `earliest_at` is the earliest time that the store can
/// meet.
pub(crate) fn eta_changed(earliest_at: Option<Timestamp>) -> pb::EtaChanged {
    pb::EtaChanged {
        ready_at: optional_timestamp(earliest_at),
    }
}
