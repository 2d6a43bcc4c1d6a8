//! Texts with placeholders.

use std::collections::BTreeMap;

/// A text with placeholders such as `{amount}`. Text in brackets is left out while one of its placeholders is empty;
/// `[ at {store}|now]` is then `now`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Template<'a>(Vec<Part<'a>>);

#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Placeholder(&'a str),
    Optional {
        present: Vec<Part<'a>>,
        absent: Vec<Part<'a>>,
    },
}

/// A placeholder of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Occurrence<'a> {
    pub(super) name: &'a str,
    pub(super) place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Outside,
    /// In the part in brackets that is left out while one of its placeholders is empty.
    Present,
    /// In the part in brackets that replaces the other one.
    Absent,
}

/// Values by the name of their placeholder.
pub(super) type Values = BTreeMap<&'static str, String>;

impl<'a> Template<'a> {
    /// # Errors
    /// A message for the author of the text if its braces or brackets are not balanced, or brackets are nested or
    /// contain no placeholder.
    pub(super) fn parse(text: &'a str) -> Result<Self, &'static str> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(start) = rest.find(['[', ']']) {
            let (before, after) = rest.split_at(start);
            parts.extend(parse_plain(before)?);
            let Some(optional) = after.strip_prefix('[') else {
                return Err("] without [");
            };
            let end = optional.find(']').ok_or("[ without ]")?;
            let (inside, after) = optional.split_at(end);
            parts.push(parse_optional(inside)?);
            rest = after.strip_prefix(']').unwrap_or_default();
        }
        parts.extend(parse_plain(rest)?);
        Ok(Self(parts))
    }

    pub(super) fn occurrences(&self) -> Vec<Occurrence<'a>> {
        let mut found = Vec::new();
        let mut add = |parts, place| found.extend(names(parts).map(|name| Occurrence { name, place }));
        for part in &self.0 {
            match part {
                Part::Optional { present, absent } => {
                    add(present, Place::Present);
                    add(absent, Place::Absent);
                }
                part => add(std::slice::from_ref(part), Place::Outside),
            }
        }
        found
    }

    /// Returns `None` if a placeholder has no value.
    pub(super) fn render(&self, values: &Values) -> Option<String> {
        render(&self.0, values)
    }
}

fn names<'a>(parts: &[Part<'a>]) -> impl Iterator<Item = &'a str> {
    parts.iter().filter_map(|part| match part {
        Part::Placeholder(name) => Some(*name),
        Part::Text(_) | Part::Optional { .. } => None,
    })
}

fn parse_optional(text: &str) -> Result<Part<'_>, &'static str> {
    if text.contains('[') {
        return Err("[ ] cannot contain another [");
    }
    let (present, absent) = text.split_once('|').unwrap_or((text, ""));
    let present = parse_plain(present)?;
    if names(&present).next().is_none() {
        return Err("[ ] needs a placeholder: it is left out while the placeholder is empty");
    }
    Ok(Part::Optional {
        present,
        absent: parse_plain(absent)?,
    })
}

fn parse_plain(text: &str) -> Result<Vec<Part<'_>>, &'static str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(['{', '}']) {
        let (before, after) = rest.split_at(start);
        let Some(placeholder) = after.strip_prefix('{') else {
            return Err("} without {");
        };
        let (name, after) = placeholder.split_once('}').ok_or("{ without }")?;
        parts.extend([Part::Text(before), Part::Placeholder(name)]);
        rest = after;
    }
    parts.push(Part::Text(rest));
    Ok(parts)
}

fn render(parts: &[Part<'_>], values: &Values) -> Option<String> {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Placeholder(name) => text.push_str(values.get(name)?),
            Part::Optional { present, absent } => {
                let is_present = names(present).all(|name| values.get(name).is_some_and(|v| !v.is_empty()));
                text.push_str(&render(if is_present { present } else { absent }, values)?);
            }
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn render(text: &str, values: &[(&'static str, &str)]) -> Option<String> {
        let values = values.iter().map(|(name, value)| (*name, (*value).to_owned()));
        Template::parse(text).unwrap().render(&values.collect())
    }

    #[test]
    fn placeholders_are_replaced_and_optional_parts_follow_their_placeholders() {
        let text = "Pick it up [at {store}|now].[ Your number is {number}.]";
        for (store, number, expected) in [
            ("Juniper", "42", "Pick it up at Juniper. Your number is 42."),
            ("Juniper", "", "Pick it up at Juniper."),
            ("", "42", "Pick it up now. Your number is 42."),
            // Values are not templates.
            ("{number} [x]", "", "Pick it up at {number} [x]."),
        ] {
            let values = [("store", store), ("number", number)];
            assert_eq!(render(text, &values).as_deref(), Some(expected));
        }
        assert_eq!(render("{amount}", &[]), None);
    }

    #[test]
    fn unbalanced_texts_are_rejected() {
        for (text, error) in [
            ("a {b", "{ without }"),
            ("a b}", "} without {"),
            ("a [{b}", "[ without ]"),
            ("a {b}]", "] without ["),
            ("[a [{b}]]", "[ ] cannot contain another ["),
            (
                "[a]",
                "[ ] needs a placeholder: it is left out while the placeholder is empty",
            ),
        ] {
            assert_eq!(Template::parse(text), Err(error), "{text}");
        }
    }
}
