//! Another program, which is timed in turn with jigo.

use std::process::{Command, Stdio};

use anyhow::{Context as _, ensure};
use jigo_selfplay::{Progress, Stopped};

use super::Line;

/// The command line of a program that plays games and prints how many it plays in a second.
#[derive(Clone, Debug)]
pub(super) struct Against(Vec<String>);

/// Splits a command line as a shell does.
pub(super) fn command_line(text: &str) -> Result<Against, String> {
    let words = shlex::split(text).filter(|words| !words.is_empty());
    words.map(Against).ok_or_else(|| "it names no program, or a quote is not closed".to_owned())
}

impl Against {
    pub(super) fn words(&self) -> &[String] {
        &self.0
    }

    /// Runs the program once, for the size and the number of threads of a line, and returns the games per second that it prints.
    pub(super) fn games_per_s(&self, line: &Line, progress: &Progress) -> anyhow::Result<f64> {
        let (size, threads) = (line.run.config.size, line.threads);
        let word = |word: &String| {
            word.replace("{size}", &size.to_string())
                .replace("{width}", &size.width().to_string())
                .replace("{height}", &size.height().to_string())
                .replace("{threads}", &threads.to_string())
        };
        let words: Vec<String> = self.0.iter().map(word).collect();
        let program = &words[0];
        let output = Command::new(program).args(&words[1..]).stdin(Stdio::null()).output();
        // Ctrl-C ends the program as well.
        ensure!(!progress.is_stopped(), Stopped);
        let output =
            output.with_context(|| format!("cannot start {program}: name a program with --against"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().map_or_else(String::new, |line| format!(": {line}"));
            anyhow::bail!("{program} failed ({}){last}", output.status);
        }
        last_speed(&String::from_utf8_lossy(&output.stdout)).with_context(|| {
            format!(
                "{program} printed no `pps=NUMBER`, its games per second: let --against name a script that does"
            )
        })
    }
}

/// Finds the last `pps=NUMBER` of a text.
fn last_speed(text: &str) -> Option<f64> {
    let (_, after) = text.rsplit_once("pps=")?;
    let is_of_number = |char: char| char.is_ascii_digit() || "._,eE+-".contains(char);
    let number = &after[..after.find(|char| !is_of_number(char)).unwrap_or(after.len())];
    let number: f64 = number.replace(['_', ','], "").parse().ok()?;
    (number.is_finite() && number > 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_found_in_what_programs_print() {
        let text = "round 1: pps=5\nmedian: pps=1_234.5 (1..2)\n";
        assert_eq!(last_speed(text), Some(1234.5));
        assert_eq!(last_speed("pps=12,345"), Some(12345.0));
        assert_eq!(last_speed("pps=1.5e3"), Some(1500.0));
        for text in ["", "1000 games/s", "pps=", "pps=fast", "pps=0", "pps=-3"] {
            assert_eq!(last_speed(text), None, "{text}");
        }
    }

    #[test]
    fn command_lines_name_a_program() {
        assert_eq!(command_line("sh -c 'echo pps=3'").unwrap().0, ["sh", "-c", "echo pps=3"]);
        assert!(command_line(" ").is_err() && command_line("sh '").is_err());
    }
}
