//! The commands: one table, one function each. What begins a game is in `setup`.

use jigo_engine::{
    BoardSize, Color, Move, Point, Rules,
    life::{ChainStatus, Status},
    rules::KataGoRules,
};

use super::{
    session::{Engine, GtpError},
    setup,
};
use crate::{
    Decision,
    sgf::{GameResult, WinBy},
};

/// A command: its name, how it is written, and what it does.
struct Command {
    name: &'static str,
    /// The name with its arguments.
    usage: &'static str,
    run: fn(&mut Engine, &Arguments<'_>) -> Result<String, GtpError>,
}

macro_rules! commands {
    ($($name:literal $arguments:literal => $run:path,)*) => {
        &[$(Command { name: $name, usage: concat!($name, $arguments), run: $run },)*]
    };
}

const COMMANDS: &[Command] = commands! {
    "all_legal" " COLOR" => all_legal,
    "boardsize" " SIZE or boardsize COLUMNS ROWS" => setup::boardsize,
    "captures" " COLOR" => captures,
    "clear_board" "" => setup::clear_board,
    "final_score" "" => final_score,
    "final_status_list" " alive, dead or seki" => final_status_list,
    "fixed_handicap" " STONES" => setup::fixed_handicap,
    "genmove" " COLOR" => genmove,
    "get_komi" "" => setup::get_komi,
    "is_legal" " COLOR VERTEX" => is_legal,
    "jigo-score" "" => jigo_score,
    "jigo-status" "" => jigo_status,
    "kata-get-rules" "" => kata_get_rules,
    "kata-set-rule" " RULE VALUE" => kata_set_rule,
    "kata-set-rules" " RULES" => kata_set_rules,
    "known_command" " COMMAND" => known_command,
    "komi" " KOMI" => setup::komi,
    "list_commands" "" => list_commands,
    "list_stones" " COLOR" => list_stones,
    "loadsgf" " FILE [MOVE]" => setup::loadsgf,
    "move_history" "" => move_history,
    "name" "" => name,
    "place_free_handicap" " STONES" => setup::place_free_handicap,
    "play" " COLOR VERTEX" => play,
    "printsgf" " [FILE]" => setup::printsgf,
    "protocol_version" "" => protocol_version,
    "query_boardsize" "" => query_boardsize,
    "quit" "" => quit,
    "rectangular_boardsize" " COLUMNS ROWS" => setup::rectangular_boardsize,
    "reg_genmove" " COLOR" => reg_genmove,
    "set_free_handicap" " VERTEX VERTEX ..." => setup::set_free_handicap,
    "showboard" "" => showboard,
    "time_left" " COLOR SECONDS STONES" => time_left,
    "time_settings" " MAIN_SECONDS OVERTIME_SECONDS OVERTIME_STONES" => time_settings,
    "undo" "" => undo,
    "version" "" => version,
};

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Runs a command and returns what it answers.
pub(super) fn run(engine: &mut Engine, name: &str, words: &[String]) -> Result<String, GtpError> {
    let command = find(name).ok_or(GtpError::UnknownCommand)?;
    (command.run)(engine, &Arguments { words, usage: command.usage })
}

/// The arguments of a command and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) words: &'a [String],
    pub(super) usage: &'static str,
}

impl<'a> Arguments<'a> {
    /// Returns the error of arguments that do not have the command's form.
    pub(super) fn usage_error(&self) -> GtpError {
        GtpError::Usage(self.usage)
    }

    /// Takes exactly so many words. More are an error too: a controller that sends them means something else.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&'a str; N], GtpError> {
        let words: &[String; N] = self.words.try_into().map_err(|_| self.usage_error())?;
        Ok(words.each_ref().map(String::as_str))
    }

    /// Takes one word or none.
    pub(super) fn at_most_one(&self) -> Result<Option<&'a str>, GtpError> {
        match self.words {
            [] => Ok(None),
            [word] => Ok(Some(word)),
            _ => Err(self.usage_error()),
        }
    }

    /// Reads a whole number.
    pub(super) fn number<N: std::str::FromStr>(&self, word: &str) -> Result<N, GtpError> {
        word.parse().map_err(|_| self.usage_error())
    }

    /// Takes one argument, a colour.
    pub(super) fn color(&self) -> Result<Color, GtpError> {
        let [word] = self.exactly()?;
        color(word)
    }
}

/// Reads `b`, `black`, `w` or `white`, in capitals or small letters.
pub(super) fn color(word: &str) -> Result<Color, GtpError> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err(GtpError::Color(word.to_owned())),
    }
}

/// Reads a point or `pass`, in capitals or small letters.
pub(super) fn vertex(word: &str, size: BoardSize) -> Result<Move, GtpError> {
    if word.eq_ignore_ascii_case("pass") {
        return Ok(Move::Pass);
    }
    Ok(Move::Play(Point::from_gtp(word, size)?))
}

/// Returns the names of points with blanks between them.
pub(super) fn vertices(points: impl IntoIterator<Item = Point>, size: BoardSize) -> String {
    let names: Vec<String> = points.into_iter().map(|point| point.to_gtp(size)).collect();
    names.join(" ")
}

fn protocol_version(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| "2".to_owned())
}

fn name(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| "jigo".to_owned())
}

fn version(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| env!("CARGO_PKG_VERSION").to_owned())
}

fn known_command(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly().map(|[name]| find(name).is_some().to_string())
}

fn list_commands(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn quit(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    engine.has_quit = true;
    Ok(String::new())
}

/// Has no effect: players are not told the time.
fn time_settings(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    for word in arguments.exactly::<3>()? {
        arguments.number::<u32>(word)?;
    }
    Ok(String::new())
}

/// Has no effect.
fn time_left(_: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, seconds, stones] = arguments.exactly()?;
    color(player)?;
    arguments.number::<i64>(seconds)?;
    arguments.number::<u32>(stones)?;
    Ok(String::new())
}

fn play(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, point] = arguments.exactly()?;
    let (player, mv) = (color(player)?, vertex(point, engine.session.size())?);
    engine.session.play(player, mv)?;
    Ok(String::new())
}

fn genmove(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let decision = engine.generate_move(arguments.color()?)?;
    Ok(decision_text(decision, engine.session.size()))
}

fn reg_genmove(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let decision = engine.suggest_move(arguments.color()?)?;
    Ok(decision_text(decision, engine.session.size()))
}

fn decision_text(decision: Decision, size: BoardSize) -> String {
    match decision {
        Decision::Move(mv) => mv.to_gtp(size),
        Decision::Resign => "resign".to_owned(),
    }
}

fn undo(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    engine.session.undo()?;
    Ok(String::new())
}

fn query_boardsize(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let size = engine.session.size();
    let (width, height) = (size.width(), size.height());
    Ok(if size.is_square() { width.to_string() } else { format!("{width} {height}") })
}

/// Shows the board with coordinates, who moves and the prisoners.
fn showboard(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let (game, size) = (engine.session.game(), engine.session.size());
    let [black, white] = Color::BOTH.map(|color| engine.session.prisoners(color));
    let last = match engine.session.moves().last() {
        Some((color, mv)) => format!(", last move {color} {}", mv.to_gtp(size)),
        None => String::new(),
    };
    Ok(format!(
        "\n{:#}{} to play{last}; captured: {black} black, {white} white",
        game.board(),
        game.to_play()
    ))
}

fn all_legal(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(vertices(engine.session.legal_points(color), engine.session.size()))
}

/// Answers `1` or `0`.
fn is_legal(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [player, point] = arguments.exactly()?;
    let (player, mv) = (color(player)?, vertex(point, engine.session.size())?);
    let is_legal = match mv {
        Move::Pass => true,
        Move::Play(point) => engine.session.legal_points(player).contains(&point),
    };
    Ok(u8::from(is_legal).to_string())
}

/// Answers how many stones this player has captured.
fn captures(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(engine.session.prisoners(color.opponent()).to_string())
}

fn list_stones(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let color = arguments.color()?;
    Ok(vertices(engine.session.game().board().stones(color), engine.session.size()))
}

/// Answers one line for each move, the last first.
fn move_history(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let line = |(color, mv): &(Color, Move)| {
        format!("{} {}", color.to_string().to_lowercase(), mv.to_gtp(engine.session.size()))
    };
    let lines: Vec<String> = engine.session.moves().iter().rev().map(line).collect();
    Ok(lines.join("\n"))
}

fn kata_get_rules(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    arguments.exactly::<0>().map(|_| engine.session.rules().to_json())
}

/// Takes names, strings and JSON of KataGo, and jigo's own notation.
fn kata_set_rules(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    if arguments.words.is_empty() {
        return Err(arguments.usage_error());
    }
    let text = arguments.words.join(" ");
    let rules = match text.parse::<KataGoRules>() {
        Ok(rules) => rules,
        Err(_) => text.parse::<Rules>()?.into(),
    };
    change(engine, rules)
}

fn kata_set_rule(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [rule, value] = arguments.exactly()?;
    let rules = engine.session.rules().with(rule, value)?;
    change(engine, rules)
}

fn change(engine: &mut Engine, rules: KataGoRules) -> Result<String, GtpError> {
    if rules.komi.is_some() {
        return Err(GtpError::KomiInRules);
    }
    engine.session.set_rules(rules)?;
    Ok(String::new())
}

fn final_score(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let half_points = engine.session.score().result(engine.session.komi());
    let winner = if half_points > 0 { Color::Black } else { Color::White };
    let result = match half_points {
        0 => GameResult::Draw,
        _ => GameResult::Win { winner, by: WinBy::HalfPoints(half_points.unsigned_abs()) },
    };
    Ok(result.to_string())
}

/// Lists as dead or in seki what is proved so; all else is taken to be alive, as are dead chains that are not taken off.
fn final_status_list(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [asked] = arguments.exactly()?;
    // Whether the chain is in seki, and whether it is taken off.
    let wanted = match asked {
        "alive" => (false, false),
        "dead" => (false, true),
        "seki" => (true, false),
        _ => return Err(arguments.usage_error()),
    };
    let size = engine.session.size();
    let chains = engine.session.chains();
    let dead = engine.session.taken_off(&chains);
    let is_asked =
        |chain: &ChainStatus| (chain.status == Status::Seki, dead.contains(&chain.stones[0])) == wanted;
    let chains = chains.into_iter().filter(is_asked);
    let lines: Vec<String> = chains.map(|chain| vertices(chain.stones, size)).collect();
    Ok(lines.join("\n"))
}

/// Lists every chain with its colour, its status, and how that is proved.
fn jigo_status(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let size = engine.session.size();
    let line = |ChainStatus { color, stones, status, proof }| {
        let color = color.to_string().to_lowercase();
        format!("{color} {status} {proof} {}", vertices(stones, size))
    };
    let lines: Vec<String> = engine.session.chains().into_iter().map(line).collect();
    Ok(lines.join("\n"))
}

/// Answers the parts of the final score as JSON; pairs are of Black and White.
fn jigo_score(engine: &mut Engine, arguments: &Arguments<'_>) -> Result<String, GtpError> {
    let [] = arguments.exactly()?;
    let score = engine.session.score();
    let json = serde_json::json!({
        "stones": score.stones,
        "surrounded": score.surrounded,
        "prisoners": score.prisoners,
        "taxed_groups": score.taxed_groups,
        "handicap_bonus": score.handicap_bonus,
        "neutral": score.neutral,
        "margin": score.margin(),
        "komi": engine.session.komi().to_f64(),
    });
    Ok(json.to_string())
}
