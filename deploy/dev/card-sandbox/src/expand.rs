//! `expand[]`: ids in an answer are replaced by the objects they stand for.

use serde_json::Value;

use crate::books::Books;

/// Expands each dotted path in the answer; what cannot be expanded stays as it is.
pub fn expand(books: &Books, answer: &mut Value, paths: &[&str]) {
    for path in paths {
        let parts: Vec<&str> = path.split('.').collect();
        walk(books, answer, &parts);
    }
}

fn walk(books: &Books, at: &mut Value, parts: &[&str]) {
    if let Value::Array(items) = at {
        for item in items {
            walk(books, item, parts);
        }
        return;
    }
    let Some((part, rest)) = parts.split_first() else {
        return;
    };
    let Some(next) = at.get_mut(*part) else { return };
    if let Some(found) = next.as_str().and_then(|id| books.find(id)) {
        *next = found;
    }
    walk(books, next, rest);
}
