//! Running scripts, counting what is right and wrong, and shortening what shows a fault.

use std::collections::BTreeMap;

use jigo_engine::Rules;

use super::{
    Abilities, Check, CheckError, CheckReport, CheckRow, CheckSpec, Fault,
    connection::{Connection, Disorder, Reply},
    script::{Action, Expected, Kind, Script, Step},
};
use crate::{Progress, terminal::printable};

/// Scripts tried while one is shortened; where each of them starts the program; and where each may cost the time of an answer that does not come.
const MAX_TRIALS: usize = 400;
const MAX_SLOW_TRIALS: usize = 80;
const MAX_SILENT_TRIALS: usize = 8;
/// Failures of one kind that are shortened; the shortest is shown.
const MAX_SHORTENED: u64 = 3;
/// Failures by silence after which a kind of script is not run any more.
const MAX_SILENCES: usize = 5;
/// The longest commands and replies that are shown whole.
const MAX_COMMAND_CHARS: usize = 60;
const MAX_REPLY_CHARS: usize = 200;

/// A test in progress.
pub(super) struct Checker<'a> {
    pub(super) spec: &'a CheckSpec,
    pub(super) connection: Connection<'a>,
    pub(super) abilities: Abilities,
    /// The rules by which the program plays, as far as they are known.
    pub(super) rules: Rules,
    /// Whether random games have no suicides, and no moves that repeat a position: where no rule explains what the program accepts.
    pub(super) leaves_out: [bool; 2],
    /// Whether every script and probe gets a new process, because the program remembers earlier games.
    pub(super) starts_anew: bool,
    rows: BTreeMap<Check, CheckRow>,
    faults: BTreeMap<Kind, Fault>,
    /// What is wrong by the rules that were asked for and right by those of the program.
    differences: Vec<Fault>,
    silences: usize,
}

/// What became of a script.
pub(super) struct Outcome {
    /// The step that failed, and the reply to it.
    failure: Option<(usize, Reply)>,
    steps: Vec<Step>,
}

impl Outcome {
    /// Returns whether the program accepted the last command; `None` where it did not come to that.
    pub(super) fn is_last_accepted(&self) -> Option<bool> {
        let last = self.steps.len() - 1;
        let expected = matches!(self.steps[last].expected, Expected::Success);
        match &self.failure {
            None => Some(expected),
            Some((step, Reply::Text(_))) if *step == last => Some(!expected),
            Some(_) => None,
        }
    }

    /// Returns the text of the reply to the last command, if that is what failed.
    pub(super) fn wrong_text(&self) -> Option<&str> {
        let (step, reply) = self.failure.as_ref()?;
        let (success, text) = reply.parse(None)?;
        (success && *step + 1 == self.steps.len()).then_some(text)
    }

    pub(super) const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns the number of actions to the one that failed; none where nothing failed, or what comes before the actions.
    fn action_count(&self, script: &Script) -> Option<usize> {
        let (step, _) = self.failure.as_ref()?;
        Some((step + 1).saturating_sub(script.start_len()))
    }

    /// Returns what to show of the failure.
    fn fault(&self, is_repeatable: bool) -> Fault {
        let (step, reply) = self.failure.as_ref().expect("a script that failed");
        let commands = self.steps[..=*step].iter().map(|step| step.command.clone()).collect();
        let kind = self.kind().expect("a script that failed");
        Fault::new(&kind, commands, self.steps[*step].expected.shown(), reply.shown(), is_repeatable)
    }

    /// Returns the kind of fault that the script shows.
    fn kind(&self) -> Option<Kind> {
        let (step, reply) = self.failure.as_ref()?;
        let Step { command, expected, .. } = &self.steps[*step];
        let name = command.split(' ').next().unwrap_or_default();
        let refused = if *expected == Expected::Failure { " that must be refused" } else { "" };
        Some(match reply {
            Reply::Ended(_) => (Check::Protocol, format!("ends without a reply to {name}{refused}")),
            Reply::TimedOut(_) => (Check::Protocol, format!("does not reply to {name}{refused} in time")),
            Reply::Text(_) if reply.parse(None).is_none() => {
                (Check::Protocol, format!("replies to {name} without = or ? and a blank"))
            }
            Reply::Text(_) => self.steps[*step].kind(),
        })
    }
}

impl<'a> Checker<'a> {
    pub(super) fn new(spec: &'a CheckSpec, progress: &'a Progress) -> Self {
        let row = |check| CheckRow { check, cases: 0, wrong: 0, explained: 0, note: None };
        Self {
            spec,
            connection: Connection::new(spec, progress),
            abilities: Abilities::default(),
            rules: *spec.rules,
            leaves_out: [false; 2],
            starts_anew: false,
            rows: Check::ALL.map(|check| (check, row(check))).into(),
            faults: BTreeMap::new(),
            differences: Vec::new(),
            silences: 0,
        }
    }

    pub(super) fn row(&mut self, check: Check) -> &mut CheckRow {
        self.rows.get_mut(&check).expect("a row for every check")
    }

    /// Says why nothing was compared, or what else belongs to a row.
    pub(super) fn note(&mut self, check: Check, note: impl Into<String>) {
        self.row(check).note = Some(note.into());
    }

    /// Says that another rule explains all that was wrong so far: these replies are no faults.
    pub(super) fn explain(&mut self, check: Check, note: &str) {
        let row = self.row(check);
        (row.explained, row.wrong, row.note) = (row.wrong, 0, Some(note.to_owned()));
        self.differences
            .extend(self.faults.extract_if(.., |kind, _| kind.0 == check).map(|(_, fault)| fault));
    }

    /// Returns whether so many commands stayed without a reply that further ones would only take time.
    pub(super) const fn is_hopeless(&self) -> bool {
        self.silences >= MAX_SILENCES
    }

    pub(super) fn note_silence(&mut self, reply: &Reply) {
        self.silences += usize::from(matches!(reply, Reply::TimedOut(_)));
    }

    /// Runs a script to the first reply that is wrong, and counts every reply to its actions.
    pub(super) fn run(&mut self, script: &Script) -> Result<Outcome, CheckError> {
        self.run_for(script, None)
    }

    /// As [`run`](Self::run), but counts replies for this check, whatever they are about.
    pub(super) fn run_for(&mut self, script: &Script, check: Option<Check>) -> Result<Outcome, CheckError> {
        let outcome = self.compare(script)?;
        let right = outcome.failure.as_ref().map_or(outcome.steps.len(), |(step, _)| *step);
        for step in outcome.steps.iter().take(right).skip(script.start_len()) {
            self.row(check.unwrap_or(step.fault.0)).cases += 1;
        }
        if let Some((_, reply)) = &outcome.failure {
            self.note_silence(reply);
            if let Some(check) = check.filter(|&check| outcome.kind().is_some_and(|kind| kind.0 != check)) {
                self.count_wrong(check);
            }
            self.note_failure(script, &outcome)?;
        }
        Ok(outcome)
    }

    /// Sends a script and compares the replies, without counting. A script ends with its first failure.
    fn compare(&mut self, script: &Script) -> Result<Outcome, CheckError> {
        let steps = script.steps(self.rules);
        if self.starts_anew {
            self.connection.restart();
        }
        let mut from = 0;
        while from < steps.len() {
            let to = steps.len().min(from + self.connection.batch);
            let commands: Vec<String> = steps[from..to].iter().map(|step| step.command.clone()).collect();
            let replies = self.connection.ask_all(&commands)?;
            for (place, reply) in (from..).zip(replies) {
                if !steps[place].accepts(&reply) {
                    return Ok(Outcome { failure: Some((place, reply)), steps });
                }
            }
            from = to;
        }
        Ok(Outcome { failure: None, steps })
    }

    /// Counts a failure, and shortens what shows it unless that was done often enough.
    fn note_failure(&mut self, script: &Script, failed: &Outcome) -> Result<(), CheckError> {
        let (Some(kind), Some(actions)) = (failed.kind(), failed.action_count(script)) else { return Ok(()) };
        let script = Script { actions: script.actions[..actions].to_vec(), ..script.clone() };
        let (script, kind) = self.directly(script, kind)?;
        if self.faults.get(&kind).is_some_and(|fault| fault.count >= MAX_SHORTENED) {
            self.count(&kind);
            return Ok(());
        }
        let short = self.shorten(script.clone(), &kind, failed)?;
        for script in [&short, &script] {
            // A new process knows nothing of what came before.
            self.connection.restart();
            let outcome = self.compare(script)?;
            if outcome.kind().as_ref() == Some(&kind) {
                self.record(kind, outcome.fault(true));
                return Ok(());
            }
        }
        if self.finds_memory(&script)? {
            return Ok(());
        }
        self.record(kind, failed.fault(false));
        Ok(())
    }

    /// Finds out whether a script that fails only after others fails when it is run twice. If so, later scripts get a new process each.
    fn finds_memory(&mut self, script: &Script) -> Result<bool, CheckError> {
        let begin = [Action::Size(script.side), Action::Clear];
        let mut twice =
            Script { actions: [&script.actions, &begin[..], &script.actions].concat(), ..script.clone() };
        self.connection.restart();
        let outcome = self.compare(&twice)?;
        let (Some(kind), Some(actions)) = (outcome.kind(), outcome.action_count(&twice)) else {
            return Ok(false);
        };
        twice.actions.truncate(actions);
        self.starts_anew = true;
        let short = self.shorten(twice, &kind, &outcome)?;
        let outcome = self.compare(&short)?;
        let is_repeatable = outcome.kind() == Some(kind);
        if is_repeatable {
            let what = "remembers the game before boardsize and clear_board".to_owned();
            let fault = Fault { check: Check::Boards, what: what.clone(), ..outcome.fault(true) };
            self.record((Check::Boards, what), fault);
        }
        Ok(is_repeatable)
    }

    /// Replaces a script that failed by the moves that stand on the board and the last command, if this fails too. A fault that has nothing to do
    /// with undo is then no fault of undo.
    fn directly(&mut self, script: Script, kind: Kind) -> Result<(Script, Kind), CheckError> {
        if !script.actions.is_empty() {
            let direct = script.without_detours(self.rules);
            let outcome = self.compare(&direct)?;
            let is_whole = outcome.action_count(&direct) == Some(direct.actions.len());
            if let Some(found) = outcome.kind().filter(|found| is_whole && found.0 != Check::Protocol) {
                return Ok((direct, found));
            }
        }
        Ok((script, kind))
    }

    /// Leaves out actions as long as the program fails in the same way.
    fn shorten(&mut self, mut script: Script, kind: &Kind, outcome: &Outcome) -> Result<Script, CheckError> {
        let has_reply = script.steps(self.rules).last().is_some_and(|step| step.kind() == *kind);
        let mut trials = match outcome.failure {
            Some((_, Reply::TimedOut(_))) => MAX_SILENT_TRIALS,
            Some((_, Reply::Ended(_))) => MAX_SLOW_TRIALS,
            _ if self.starts_anew => MAX_SLOW_TRIALS,
            _ => MAX_TRIALS,
        };
        // Rules about repetition are clearest where the players take turns: moves are then left out in pairs.
        let takes_turns = matches!(kind.0, Check::Ko | Check::Superko) && script.takes_turns();
        let unit = if takes_turns { 2 } else { 1 };
        let mut length = (script.actions.len() / 2).next_multiple_of(unit);
        while length > 0 {
            let (mut from, mut has_changed) = (0, false);
            while from + 1 < script.actions.len() && trials > 0 {
                let mut shorter = script.clone();
                shorter.actions.drain(from..(from + length).min(script.actions.len() - 1));
                // Without some moves the last command may ask for something else: the program is not needed to know that.
                let can_fail = !has_reply || self.asks_for(&shorter, kind, takes_turns);
                let fails = can_fail && {
                    trials -= 1;
                    let outcome = self.compare(&shorter)?;
                    outcome.kind().as_ref() == Some(kind)
                        && outcome.action_count(&shorter) == Some(shorter.actions.len())
                };
                if fails {
                    (script, has_changed) = (shorter, true);
                } else {
                    from += if length == unit { 1 } else { length };
                }
            }
            if !has_changed {
                length = length / 2 / unit * unit;
            }
        }
        Ok(script)
    }

    /// Returns whether the last command of a script can show this kind of fault.
    fn asks_for(&self, script: &Script, kind: &Kind, takes_turns: bool) -> bool {
        let steps = script.steps(self.rules);
        steps.last().is_some_and(|step| step.kind() == *kind)
            && script.is_fair(self.rules)
            && (!takes_turns || script.takes_turns())
    }

    fn count_wrong(&mut self, check: Check) {
        let row = self.row(check);
        (row.cases, row.wrong) = (row.cases + 1, row.wrong + 1);
    }

    /// Counts a failure of a kind that is known.
    fn count(&mut self, kind: &Kind) {
        self.count_wrong(kind.0);
        self.faults.get_mut(kind).expect("a known kind").count += 1;
    }

    /// Counts a failure, and keeps what shows it if that is shorter than what was known.
    pub(super) fn record(&mut self, kind: Kind, fault: Fault) {
        self.count_wrong(kind.0);
        match self.faults.get_mut(&kind) {
            None => drop(self.faults.insert(kind, fault)),
            Some(known) => {
                let count = known.count + 1;
                let is_better = (!known.is_repeatable, known.commands.len())
                    > (!fault.is_repeatable, fault.commands.len());
                if is_better {
                    *known = fault;
                }
                known.count = count;
            }
        }
    }

    /// Returns what was found.
    pub(super) fn into_report(mut self) -> CheckReport {
        let disorders = std::mem::take(&mut self.connection.disorders);
        for (disorder, (command, output)) in disorders {
            let (what, expected) = match disorder {
                Disorder::NoEmptyLine => {
                    ("does not end a reply with an empty line", "an empty line after the reply")
                }
                Disorder::Unasked => {
                    ("writes lines that no command asked for", "no output before the command")
                }
            };
            let kind = (Check::Protocol, what.to_owned());
            let fault = Fault::new(&kind, vec![command], expected.to_owned(), output, true);
            self.record(kind, fault);
        }
        if self.is_hopeless() {
            self.note(Check::Protocol, "not all checks were run: too many commands stayed without a reply");
        }
        for row in self.rows.values_mut().filter(|row| row.cases == 0) {
            row.note.get_or_insert_with(|| "nothing compared: wrong replies came before".to_owned());
        }
        CheckReport {
            name: self.abilities.name,
            version: self.abilities.version,
            rules: self.rules,
            rows: self.rows.into_values().collect(),
            faults: self.faults.into_values().collect(),
            differences: self.differences,
        }
    }
}

impl Fault {
    /// Returns a fault that was seen once.
    pub(super) fn new(
        (check, what): &Kind,
        commands: Vec<String>,
        expected: String,
        answered: String,
        is_repeatable: bool,
    ) -> Self {
        let commands = commands.iter().map(|command| shown(command, MAX_COMMAND_CHARS)).collect();
        let answered = shown(&answered, MAX_REPLY_CHARS);
        Self { check: *check, what: what.clone(), count: 1, commands, expected, answered, is_repeatable }
    }
}

/// Returns text with control characters as escapes, and the beginning alone where it is long.
fn shown(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => printable(text).into_owned(),
        Some((end, _)) => format!("{}… ({} bytes)", printable(&text[..end]), text.len()),
    }
}
