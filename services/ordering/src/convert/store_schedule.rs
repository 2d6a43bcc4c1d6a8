use proto::stores::v1 as pb;

use crate::domain::store::{OpeningSpan, Pause, PauseReason, SpecialDay};

pub(super) fn pause(pause: Pause) -> pb::Pause {
    let reason = match pause.reason {
        PauseReason::Busy => pb::PauseReason::Busy,
        PauseReason::Equipment => pb::PauseReason::Equipment,
        PauseReason::Staffing => pb::PauseReason::Staffing,
        PauseReason::Supplies => pb::PauseReason::Supplies,
        PauseReason::Other => pb::PauseReason::Other,
    };
    pb::Pause {
        reason: reason.into(),
        until: pause.until,
        message: pause.message,
    }
}

/// Reads reasons that only a newer release knows as other reasons.
pub(super) fn pause_from_proto(pause: pb::Pause) -> Pause {
    let reason = match pause.reason() {
        pb::PauseReason::Busy => PauseReason::Busy,
        pb::PauseReason::Equipment => PauseReason::Equipment,
        pb::PauseReason::Staffing => PauseReason::Staffing,
        pb::PauseReason::Supplies => PauseReason::Supplies,
        pb::PauseReason::Other | pb::PauseReason::Unspecified => PauseReason::Other,
    };
    Pause {
        reason,
        until: pause.until,
        message: pause.message,
    }
}

pub(super) fn special_day(day: SpecialDay) -> pb::SpecialDay {
    let openings = day.openings.into_iter().map(|span| pb::OpeningSpan {
        opens_minute: span.opens_minute,
        closes_minute: span.closes_minute,
    });
    pb::SpecialDay {
        day: day.day,
        name: day.name,
        openings: openings.collect(),
    }
}

pub(super) fn special_day_from_proto(day: pb::SpecialDay) -> SpecialDay {
    let openings = day.openings.into_iter().map(|span| OpeningSpan {
        opens_minute: span.opens_minute,
        closes_minute: span.closes_minute,
    });
    SpecialDay {
        day: day.day,
        name: day.name,
        openings: openings.collect(),
    }
}
