//! The tests that `docker-compose.yml` runs against a running system stop no program.

use std::{collections::BTreeSet, fs, path::Path};

const COMPOSE: &str = include_str!("../../../../docker-compose.yml");
/// Stacks of which a test may stop the programs.
const STACKS: [&str; 2] = ["exclusive_stack", "replicated_stack"];

/// A function at the start of a line.
struct Function<'a> {
    name: &'a str,
    is_test: bool,
    text: String,
}

/// Returns the functions of a module. What surrounds them is part of the previous one.
fn functions(source: &str) -> Vec<Function<'_>> {
    let (mut functions, mut is_test) = (Vec::<Function<'_>>::new(), false);
    for line in source.lines() {
        let declaration = line.trim_start_matches("pub ").trim_start_matches("async ");
        if let Some((name, _)) = declaration
            .strip_prefix("fn ")
            .and_then(|rest| rest.split_once('('))
        {
            let text = String::new();
            functions.push(Function { name, is_test, text });
            is_test = false;
        } else if line.starts_with("#[tokio::test") || line == "#[test]" {
            is_test = true;
        } else if let Some(function) = functions.last_mut() {
            function.text.push_str(line);
        }
    }
    functions
}

/// Returns the tests of a module that use one of [`STACKS`], also through other functions of the module.
fn tests_of_stacks(source: &str) -> BTreeSet<&str> {
    let functions = functions(source);
    let mut found: BTreeSet<&str> = STACKS.into();
    loop {
        let calling = functions.iter().filter(|function| {
            found
                .iter()
                .any(|name| function.text.contains(&format!("{name}(")))
        });
        let more: BTreeSet<&str> = calling.map(|function| function.name).collect();
        if more.is_subset(&found) {
            break;
        }
        found.extend(more);
    }
    let tests = functions.iter().filter(|function| function.is_test);
    tests
        .map(|test| test.name)
        .filter(|name| found.contains(name))
        .collect()
}

/// Returns the texts of which a name of a test has to contain one, and those of which it may contain none.
fn selection() -> (Vec<&'static str>, Vec<&'static str>) {
    let (_, command) = COMPOSE.split_once("system-tests --test-threads 4").unwrap();
    let (command, _) = command.split_once("environment:").unwrap();
    let (mut selected, mut skipped) = (Vec::new(), Vec::new());
    let mut words = command.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "--skip" => skipped.push(words.next().unwrap()),
            _ => selected.push(word),
        }
    }
    (selected, skipped)
}

#[test]
fn compose_runs_no_test_that_stops_programs() {
    let (selected, skipped) = selection();
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it"));
    let mut stopping = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let module = path.file_stem().unwrap().to_str().unwrap();
        for test in tests_of_stacks(&fs::read_to_string(&path).unwrap()) {
            let name = format!("{module}::{test}");
            let is_run = selected.iter().any(|text| name.contains(text))
                && !skipped.iter().any(|text| name.contains(text));
            assert!(!is_run, "{name} stops programs");
            stopping += 1;
        }
    }
    assert!(stopping >= 30, "{stopping} tests stop programs");
    for text in selected {
        let module = text.trim_end_matches(':');
        assert!(
            folder.join(format!("{module}.rs")).exists(),
            "{module} has no tests"
        );
    }
}

#[test]
fn a_test_uses_a_stack_also_through_a_function() {
    let source = "use a::{exclusive_stack};\nasync fn crash(a: &str) {\n    let stack = exclusive_stack().await;\n}\n\n\
        #[tokio::test]\nasync fn one() {\n    crash(\"a\").await;\n}\n#[tokio::test]\nasync fn other() {\n    shared_stack().await;\n}\n";
    assert_eq!(tests_of_stacks(source), BTreeSet::from(["one"]));
}
