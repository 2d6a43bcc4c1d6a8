//! Encodes error details.

use jiff::Timestamp;
use proto::stores::v1::EtaChanged;

use super::instant;

/// Detail of `ETA_CHANGED` and `SLOT_UNAVAILABLE`: the earliest time the order could be ready.
pub(crate) fn eta_changed(ready_at: Option<Timestamp>) -> EtaChanged {
    EtaChanged {
        ready_at: instant(ready_at),
    }
}
