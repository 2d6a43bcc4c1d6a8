//! The result of a measurement, and the report: a Markdown page with a generated block for each measurement.

use std::{fmt::Write, path::Path, time::Duration};

/// Result of one measurement.
#[derive(Debug)]
pub struct Section {
    /// Number of the target: `p1`.
    pub id: &'static str,
    pub columns: &'static [&'static str],
    pub rows: Vec<Vec<String>>,
    pub targets: Vec<TargetResult>,
}

/// A figure and its target.
#[derive(Debug)]
pub struct TargetResult {
    text: String,
    is_met: bool,
}

impl TargetResult {
    /// For a figure that must not be lower than the target.
    pub fn at_least(name: &str, figure: f64, target: f64, unit: &str) -> Self {
        Self::new(name, figure, target, "at least", unit, figure >= target)
    }

    /// For a figure that must not be higher than the target.
    pub fn at_most(name: &str, figure: f64, target: f64, unit: &str) -> Self {
        Self::new(name, figure, target, "at most", unit, figure <= target)
    }

    fn new(name: &str, figure: f64, target: f64, bound: &str, unit: &str, is_met: bool) -> Self {
        let ratio = figure / target;
        let text = format!(
            "{name}: **{figure:.2}{unit}**, target {bound} {target}{unit}, ratio to the target {ratio:.2}"
        );
        Self { text, is_met }
    }

    /// For something that could not be measured.
    pub fn not_measured(name: &str, reason: &str) -> Self {
        Self {
            text: format!("{name}: not measured, because {reason}"),
            is_met: false,
        }
    }
}

impl Section {
    /// Formats the table and the targets.
    pub fn to_markdown(&self) -> String {
        let mut text = format!(
            "| {} |\n|{}\n",
            self.columns.join(" | "),
            "---|".repeat(self.columns.len())
        );
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        if !self.targets.is_empty() {
            text.push('\n');
        }
        for target in &self.targets {
            let result = if target.is_met { "met" } else { "missed" };
            let _ = writeln!(text, "- {} ({result})", target.text);
        }
        text
    }
}

/// Writes the generated block of a section. Text outside of the blocks is kept.
pub fn write(file: &Path, run: &str, section: &Section) -> anyhow::Result<()> {
    let page = std::fs::read_to_string(file).unwrap_or_default();
    let block = format!("{run}\n\n{}", section.to_markdown());
    std::fs::write(file, replace_block(&page, section.id, &block))?;
    Ok(())
}

/// Replaces the text between the markers of a block, or appends the block.
fn replace_block(page: &str, id: &str, block: &str) -> String {
    let (begin, end) = (
        format!("<!-- {id}: generated -->"),
        format!("<!-- end of {id} -->"),
    );
    let found = page.split_once(&begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(&end)?;
        Some((before, after))
    });
    match found {
        Some((before, after)) => format!("{before}{begin}\n{block}{end}{after}"),
        None => format!("{page}\n{begin}\n{block}{end}\n"),
    }
}

pub fn format_ms(time: Duration) -> String {
    format!("{:.1} ms", millis(time))
}

pub fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Returns a percentile of sorted latencies.
pub fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let rank = sorted.len() * percent / 100;
    sorted
        .get(rank.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_block_of_a_section_is_replaced() {
        let page = "# Title\n<!-- p1: generated -->\nold\n<!-- end of p1 -->\ntext\n";
        let replaced = replace_block(page, "p1", "new\n");
        assert_eq!(
            replaced,
            "# Title\n<!-- p1: generated -->\nnew\n<!-- end of p1 -->\ntext\n"
        );
        assert!(
            replace_block(&replaced, "p2", "more\n")
                .ends_with("text\n\n<!-- p2: generated -->\nmore\n<!-- end of p2 -->\n")
        );
    }

    #[test]
    fn a_figure_is_compared_with_its_target() {
        assert!(TargetResult::at_least("rate", 0.5, 0.5, "").is_met);
        assert!(!TargetResult::at_most("latency", 25.1, 25.0, " ms").is_met);
    }

    #[test]
    fn a_percentile_of_no_latencies_misses_every_target() {
        assert_eq!(percentile(&[], 99), Duration::MAX);
        let sorted: Vec<_> = (1..=100).map(Duration::from_millis).collect();
        assert_eq!(percentile(&sorted, 50), Duration::from_millis(51));
        assert_eq!(percentile(&sorted, 99), Duration::from_millis(100));
    }
}
