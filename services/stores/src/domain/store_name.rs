//! Names of imported stores, without the codes that chains write into them.

/// Words before a number that belongs to the name: "Highway 1604".
const ROAD_WORDS: [&str; 12] = [
    "hwy", "highway", "route", "rt", "rte", "sr", "us", "fm", "cr", "road", "loop", "pier",
];
/// Notes for the staff of the chain.
const NOTES: [&str; 7] = [
    "(new store)",
    "(temp)",
    "(closed)",
    "(relocation)",
    "(b&n)",
    "onhold",
    "on hold",
];
/// Characters that are left over at the ends of a name.
const SEPARATORS: [char; 7] = ['-', '–', ',', '@', '&', '.', ' '];

/// Removes store numbers ("T-2276", "#2654", "ST-1459OnHOLD", a number of four digits at the end) and notes. Returns the street if
/// no word is left.
pub(crate) fn clean_name(name: &str, street: &str) -> String {
    let without_notes = NOTES
        .iter()
        .fold(name.to_owned(), |text, note| remove_ignoring_case(&text, note));
    let without_numbers = remove_hash_numbers(&without_notes);
    let mut words: Vec<&str> = without_numbers
        .split_whitespace()
        .filter(|word| !is_chain_code(word))
        .map(without_attached_code)
        .collect();
    if ends_with_store_number(&words) {
        words.pop();
    }
    let text = words.join(" ");
    // A dot at the end may belong to an abbreviation: "18th St."
    let text = text.trim_start_matches(SEPARATORS);
    let trimmed = text.trim_end_matches(SEPARATORS);
    let text = if text.trim_end_matches('.') == trimmed {
        text
    } else {
        trimmed
    };
    if text.chars().any(char::is_alphabetic) {
        text.to_owned()
    } else {
        street.to_owned()
    }
}

fn remove_ignoring_case(text: &str, note: &str) -> String {
    let lower = text.to_ascii_lowercase();
    match lower.find(note) {
        Some(start) => format!("{} {}", &text[..start], &text[start + note.len()..]),
        None => text.to_owned(),
    }
}

/// Removes "#2654" and "# 34".
fn remove_hash_numbers(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('#') {
        cleaned.push_str(before);
        let digits = after
            .trim_start_matches(' ')
            .trim_start_matches(|c: char| c.is_ascii_digit());
        let has_digits = after
            .trim_start_matches(' ')
            .starts_with(|c: char| c.is_ascii_digit());
        cleaned.push_str(if has_digits { " " } else { "#" });
        rest = if has_digits { digits } else { after };
        // "#137-Allendale" leaves a word of its own.
        if has_digits && rest.starts_with('-') {
            cleaned.push_str("- ");
            rest = &rest[1..];
        }
    }
    cleaned.push_str(rest);
    cleaned
}

/// "T-2276", "T1234.", "ST-1459OnHOLD", and "ST-" of a name that was cut.
fn is_chain_code(word: &str) -> bool {
    if word.starts_with("ST-") {
        return true;
    }
    let Some(number) = word.strip_prefix('T') else {
        return false;
    };
    count_digits(number.strip_prefix('-').unwrap_or(number)) >= 3
}

/// Removes a code that follows a word without a space: `TopangaT-2143`, `SpringsST1501`.
fn without_attached_code(word: &str) -> &str {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.len() - name.len() < 4 {
        return word;
    }
    let name = name.trim_end_matches('-');
    let name = name
        .strip_suffix("ST")
        .or_else(|| name.strip_suffix('T'))
        .unwrap_or(word);
    if name.ends_with(char::is_lowercase) {
        name
    } else {
        word
    }
}

fn count_digits(text: &str) -> usize {
    text.chars().take_while(char::is_ascii_digit).count()
}

/// Returns whether the last word is a number of four digits that no road precedes: "Publix Winter Park 1488".
fn ends_with_store_number(words: &[&str]) -> bool {
    let [.., previous, last] = words else { return false };
    last.len() == 4
        && last.chars().all(|c| c.is_ascii_digit())
        && previous.chars().any(char::is_alphabetic)
        && !ROAD_WORDS.contains(&previous.to_ascii_lowercase().trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(name: &str) -> String {
        clean_name(name, "250 S Colonial Dr")
    }

    #[test]
    fn codes_of_chains_are_removed() {
        for (name, cleaned) in [
            ("Super Target Pearland ST-1459OnHOLD", "Super Target Pearland"),
            ("Target Alabaster T-2276", "Target Alabaster"),
            ("Target Northfield T-1211.", "Target Northfield"),
            ("Safeway-Salinas #2654", "Safeway-Salinas"),
            ("Kroger-Lewis Center, OH #805", "Kroger-Lewis Center, OH"),
            ("Family Fare #137-Allendale, MI", "Family Fare - Allendale, MI"),
            ("Price Cutter # 34 - Springfield", "Price Cutter - Springfield"),
            ("Publix Winter Park 1488", "Publix Winter Park"),
            ("Safeway @ Seattle 1508", "Safeway @ Seattle"),
            ("Westheimer & Jeannetta (new store)", "Westheimer & Jeannetta"),
            ("Towne Center (B&N)", "Towne Center"),
            (
                "Super Target Clear Lake Shores ST-1",
                "Super Target Clear Lake Shores",
            ),
            (
                "Target Woodland Hills/TopangaT-2143",
                "Target Woodland Hills/Topanga",
            ),
            (
                "Super Target Colorado SpringsST1501",
                "Super Target Colorado Springs",
            ),
        ] {
            assert_eq!(clean(name), cleaned);
        }
    }

    #[test]
    fn numbers_of_streets_and_names_are_kept() {
        for name in [
            "1604 & 281 - NE Corner",
            "12408 West Alameda Parkway",
            "4094 18th St.",
            "Rural & Loop 1202",
            "SFO T3 Baggage Claim (Retail)",
            "Granada & Hwy A1A",
            "OAK T -2 Gate 28",
            "Hwy. 377 and FM1709",
            "Café Münster",
            "The # Corner",
        ] {
            assert_eq!(clean(name), name);
        }
    }

    #[test]
    fn the_street_replaces_a_name_without_words() {
        for name in ["T-2276", "#12", "1459"] {
            assert_eq!(clean(name), "250 S Colonial Dr");
        }
    }
}
