//! Times of day as people read them.

use jiff::civil::DateTime;

/// Formats "8:00 PM", or "midnight".
pub(super) fn format_time(time: DateTime) -> String {
    if (time.hour(), time.minute()) == (0, 0) {
        "midnight".to_owned()
    } else {
        time.strftime("%-I:%M %p").to_string()
    }
}
