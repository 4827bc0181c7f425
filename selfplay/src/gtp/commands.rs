//! The commands: a table, and a function for each. What begins a game is in `setup`.

use std::collections::BTreeMap;

use jigo_engine::{
    BoardSize, Color, Move, Point, RuleSet,
    life::{ChainStatus, Status},
    protocol::{GameEvent, Protocol},
    rules::KataGoRules,
};

use super::{
    Gtp,
    analysis::{self, Dialect},
    clock::{Clock, TimeLeft, TimeSettings},
    serve::Console,
    session::GtpError,
    setup,
    whole::{self, phase_text},
};
use crate::{
    Decision,
    sgf::{GameResult, result_of},
};

/// What a command answers.
pub(super) type Answer = Result<String, GtpError>;

/// What a command does, by the arguments that it takes.
#[derive(Clone, Copy)]
enum Run {
    /// None.
    Plain(fn(&mut Gtp) -> Answer),
    /// A colour.
    OfColor(fn(&mut Gtp, Color) -> Answer),
    /// A colour and a vertex.
    OfMove(fn(&mut Gtp, Color, Move) -> Answer),
    /// Others.
    Words(fn(&mut Gtp, &Arguments<'_>) -> Answer),
    /// Others; shows a part of the answer before its end.
    Shown(fn(Dialect, &mut Gtp, &Arguments<'_>, &mut dyn Console) -> Answer, Dialect),
}

use Run::{OfColor, OfMove, Plain, Shown, Words};

/// How each command is written, its name first, and what it does.
const COMMANDS: &[(&str, Run)] = &[
    ("all_legal COLOR", OfColor(all_legal)),
    ("boardsize SIZE or boardsize COLUMNS ROWS", Words(setup::boardsize)),
    ("captures COLOR", OfColor(captures)),
    ("clear_board", Plain(setup::clear_board)),
    ("final_score", Plain(final_score)),
    ("final_status_list alive, dead or seki", Words(final_status_list)),
    ("fixed_handicap STONES", Words(setup::fixed_handicap)),
    ("genmove COLOR", OfColor(genmove)),
    ("get_komi", Plain(|gtp| Ok(gtp.session.komi().to_string()))),
    ("is_legal COLOR VERTEX", OfMove(is_legal)),
    ("jigo-begin RULES or jigo-begin CONDUCT", Words(whole::begin)),
    ("jigo-check COLOR EVENT", Words(whole::check)),
    ("jigo-conduct", Plain(whole::conduct)),
    ("jigo-events", Plain(whole::events)),
    ("jigo-phase", Plain(whole::phase)),
    ("jigo-result", Plain(whole::result)),
    ("jigo-score", Plain(jigo_score)),
    ("jigo-status", Plain(jigo_status)),
    (
        "kata-analyze [COLOR] [CENTISECONDS] [interval CENTISECONDS] [minmoves N] [maxmoves N] [ownership true]",
        Shown(analysis::analyze, Dialect::KataGo),
    ),
    (
        "kata-genmove_analyze [COLOR] [CENTISECONDS] [interval CENTISECONDS] [minmoves N] [maxmoves N] [ownership true]",
        Shown(analysis::genmove_analyze, Dialect::KataGo),
    ),
    ("kata-get-rules", Plain(|gtp| Ok(gtp.session.katago_rules().to_json()))),
    ("kata-set-rule RULE VALUE", Words(kata_set_rule)),
    ("kata-set-rules RULES", Words(kata_set_rules)),
    ("known_command COMMAND", Words(known_command)),
    ("komi KOMI", Words(setup::komi)),
    ("list_commands", Plain(|_| Ok(all_names().join("\n")))),
    ("list_stones COLOR", OfColor(list_stones)),
    ("loadsgf FILE [MOVE]", Words(setup::loadsgf)),
    (
        "lz-analyze [COLOR] [CENTISECONDS] [interval CENTISECONDS] [minmoves N] [maxmoves N]",
        Shown(analysis::analyze, Dialect::LeelaZero),
    ),
    (
        "lz-genmove_analyze [COLOR] [CENTISECONDS] [interval CENTISECONDS] [minmoves N] [maxmoves N]",
        Shown(analysis::genmove_analyze, Dialect::LeelaZero),
    ),
    ("move_history", Plain(move_history)),
    ("name", Plain(|_| Ok("jigo".to_owned()))),
    ("place_free_handicap STONES", Words(setup::place_free_handicap)),
    ("play COLOR VERTEX", OfMove(play)),
    ("printsgf [FILE]", Words(setup::printsgf)),
    ("protocol_version", Plain(|_| Ok("2".to_owned()))),
    ("query_boardsize", Plain(query_boardsize)),
    ("quit", Plain(quit)),
    ("rectangular_boardsize COLUMNS ROWS", Words(setup::rectangular_boardsize)),
    ("reg_genmove COLOR", OfColor(reg_genmove)),
    ("set_free_handicap VERTEX VERTEX ...", Words(setup::set_free_handicap)),
    ("showboard", Plain(showboard)),
    ("time_left COLOR SECONDS STONES", Words(time_left)),
    ("time_settings MAIN_SECONDS OVERTIME_SECONDS OVERTIME_STONES", Words(time_settings)),
    ("undo", Plain(undo)),
    ("version", Plain(|_| Ok(env!("CARGO_PKG_VERSION").to_owned()))),
];

/// The names of the commands of this table; those of events are made of the events' words.
fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next())
}

/// All names, in the order of the alphabet.
fn all_names() -> Vec<String> {
    let mut all: Vec<String> = names().map(str::to_owned).chain(whole::event_commands()).collect();
    all.sort_unstable();
    all
}

/// Runs a command and returns what it answers.
pub(super) fn run(gtp: &mut Gtp, name: &str, words: &[&str], console: &mut dyn Console) -> Answer {
    if let Some(form) = whole::event_form(name) {
        return whole::act(gtp, form, words);
    }
    let place = names().position(|known| known == name).ok_or(GtpError::UnknownCommand)?;
    let (usage, run) = COMMANDS[place];
    let arguments = Arguments { words, usage };
    match run {
        Plain(run) => arguments.exactly().and_then(|[]| run(gtp)),
        OfColor(run) => arguments.exactly().and_then(|[player]| run(gtp, color(player)?)),
        OfMove(run) => {
            let [player, point] = arguments.exactly()?;
            run(gtp, color(player)?, Move::from_gtp(point, gtp.session.size())?)
        }
        Words(run) => run(gtp, &arguments),
        Shown(run, dialect) => run(dialect, gtp, &arguments, console),
    }
}

/// The arguments of a command and how it is written.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) words: &'a [&'a str],
    pub(super) usage: &'static str,
}

impl<'a> Arguments<'a> {
    /// Returns the error of arguments that do not have the command's form.
    pub(super) fn usage_error(&self) -> GtpError {
        GtpError::Usage(self.usage.into())
    }

    /// Takes exactly so many words. More are an error too: a controller that sends them means something else.
    pub(super) fn exactly<const N: usize>(&self) -> Result<[&'a str; N], GtpError> {
        self.words.try_into().map_err(|_| self.usage_error())
    }

    /// Reads a whole number.
    pub(super) fn number<N: std::str::FromStr>(&self, word: &str) -> Result<N, GtpError> {
        word.parse().map_err(|_| self.usage_error())
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

/// Returns the names of points with blanks between them.
pub(super) fn vertices(points: impl IntoIterator<Item = Point>, size: BoardSize) -> String {
    let names: Vec<String> = points.into_iter().map(|point| point.to_gtp(size)).collect();
    names.join(" ")
}

fn known_command(_: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [name] = arguments.exactly()?;
    Ok(all_names().iter().any(|known| known == name).to_string())
}

fn quit(gtp: &mut Gtp) -> Answer {
    gtp.has_quit = true;
    Ok(String::new())
}

/// Sets both clocks.
fn time_settings(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [main, period, moves] = arguments.exactly()?;
    let seconds = |word| arguments.number::<u32>(word).map(f64::from);
    let settings =
        TimeSettings { main: seconds(main)?, period: seconds(period)?, moves: arguments.number(moves)? };
    gtp.clock = (!settings.is_unlimited()).then(|| Clock::new(settings));
    Ok(String::new())
}

/// Sets the clock of a player, if time is limited. There are controllers that send fractions of seconds.
fn time_left(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [player, seconds, moves] = arguments.exactly()?;
    let color = color(player)?;
    let left = TimeLeft { seconds: arguments.number(seconds)?, moves: arguments.number(moves)? };
    if !left.seconds.is_finite() {
        return Err(arguments.usage_error());
    }
    if let Some(clock) = &mut gtp.clock {
        clock.set(color, left);
    }
    Ok(String::new())
}

fn play(gtp: &mut Gtp, color: Color, mv: Move) -> Answer {
    if gtp.session.whole.is_some() {
        gtp.session.apply(color, mv.point().map_or(GameEvent::Pass, GameEvent::Play))?;
    } else {
        gtp.session.play(color, mv)?;
    }
    Ok(String::new())
}

fn genmove(gtp: &mut Gtp, color: Color) -> Answer {
    let decision = gtp.generate_move(color, &mut ())?;
    Ok(decision_text(decision, gtp.session.size()))
}

fn reg_genmove(gtp: &mut Gtp, color: Color) -> Answer {
    let decision = gtp.suggest_move(color)?;
    Ok(decision_text(decision, gtp.session.size()))
}

pub(super) fn decision_text(decision: Decision, size: BoardSize) -> String {
    match decision {
        Decision::Move(mv) => mv.to_gtp(size),
        Decision::Resign => "resign".to_owned(),
    }
}

fn undo(gtp: &mut Gtp) -> Answer {
    gtp.session.undo()?;
    Ok(String::new())
}

fn query_boardsize(gtp: &mut Gtp) -> Answer {
    let size = gtp.session.size();
    let (width, height) = (size.width(), size.height());
    Ok(if size.is_square() { width.to_string() } else { format!("{width} {height}") })
}

/// Shows the board with coordinates, who moves and the prisoners.
fn showboard(gtp: &mut Gtp) -> Answer {
    let (game, size) = (&gtp.session.game, gtp.session.size());
    let [black, white] = Color::BOTH.map(|color| gtp.session.prisoners(color));
    let last = match gtp.session.moves.last() {
        Some((color, mv)) => format!(", last move {color} {}", mv.to_gtp(size)),
        None => String::new(),
    };
    let phase = gtp.session.whole.as_ref().map_or(String::new(), |whole| format!("; {}", phase_text(whole)));
    Ok(format!(
        "\n{:#}{} to play{last}; captured: {black} black, {white} white{phase}",
        game.board(),
        game.to_play()
    ))
}

fn all_legal(gtp: &mut Gtp, color: Color) -> Answer {
    Ok(vertices(gtp.session.legal_points(color), gtp.session.size()))
}

/// Answers `1` or `0`.
fn is_legal(gtp: &mut Gtp, color: Color, mv: Move) -> Answer {
    let is_legal = match mv {
        Move::Pass => match &gtp.session.whole {
            Some(whole) => whole.check(color, &GameEvent::Pass).is_ok(),
            None => true,
        },
        Move::Play(point) => gtp.session.legal_points(color).contains(&point),
    };
    Ok(u8::from(is_legal).to_string())
}

/// Answers how many stones this player has captured.
fn captures(gtp: &mut Gtp, color: Color) -> Answer {
    Ok(gtp.session.prisoners(color.opponent()).to_string())
}

fn list_stones(gtp: &mut Gtp, color: Color) -> Answer {
    Ok(vertices(gtp.session.game.board().stones(color), gtp.session.size()))
}

/// Answers one line for each move, the last first.
fn move_history(gtp: &mut Gtp) -> Answer {
    let line = |(color, mv): &(Color, Move)| format!("{} {}", color.name(), mv.to_gtp(gtp.session.size()));
    let lines: Vec<String> = gtp.session.moves.iter().rev().map(line).collect();
    Ok(lines.join("\n"))
}

/// Takes names, strings and JSON of KataGo, and jigo's own notation.
fn kata_set_rules(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    if arguments.words.is_empty() {
        return Err(arguments.usage_error());
    }
    let text = arguments.words.join(" ");
    let rules: RuleSet = text.parse()?;
    // Names of jigo alone say nothing about passes.
    let katago = text.parse().unwrap_or(KataGoRules::from(*rules));
    change(gtp, rules, &katago)
}

fn kata_set_rule(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [rule, value] = arguments.exactly()?;
    let katago = gtp.session.katago_rules().with(rule, value)?;
    let rules = gtp.session.rules;
    let is_same = *rules == katago.rules;
    change(gtp, if is_same { rules } else { katago.rules.into() }, &katago)
}

fn change(gtp: &mut Gtp, rules: RuleSet, katago: &KataGoRules) -> Answer {
    if katago.komi.is_some() {
        return Err(GtpError::KomiInRules);
    }
    gtp.session.set_rules(rules, katago.friendly_pass_ok)?;
    Ok(String::new())
}

fn final_score(gtp: &mut Gtp) -> Answer {
    if let Some(result) = gtp.session.whole.as_ref().and_then(result_of) {
        return Ok(result.to_string());
    }
    let (count, _) = gtp.session.count();
    Ok(GameResult::from_half_points(count.result()).to_string())
}

/// Lists as in seki what is proved so, as dead what is proved or estimated so; all else is taken to be alive, as are dead chains that are not taken off.
fn final_status_list(gtp: &mut Gtp, arguments: &Arguments<'_>) -> Answer {
    let [asked] = arguments.exactly()?;
    // Whether the chain is in seki, and whether it is taken off.
    let wanted = match asked {
        "alive" => (false, false),
        "dead" => (false, true),
        "seki" => (true, false),
        _ => return Err(arguments.usage_error()),
    };
    let size = gtp.session.size();
    let (chains, _) = gtp.session.final_chains();
    let dead = gtp.session.taken_off(&chains);
    let seki = gtp.session.decided().and_then(Protocol::seki);
    let status = |chain: &ChainStatus, point: &Point| {
        let is_seki = seki.as_ref().map_or(chain.status == Status::Seki, |seki| seki.contains(point));
        (is_seki, dead.contains(point))
    };
    // Points to be emptied may be a part of their chain.
    let lines = chains.iter().map(|chain| {
        vertices(chain.stones.iter().copied().filter(|point| status(chain, point) == wanted), size)
    });
    let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
    Ok(lines.join("\n"))
}

/// Lists every chain with its colour, its status, and how that is proved.
fn jigo_status(gtp: &mut Gtp) -> Answer {
    let size = gtp.session.size();
    let line = |ChainStatus { color, stones, status, proof }| {
        format!("{} {status} {proof} {}", color.name(), vertices(stones, size))
    };
    let lines: Vec<String> = gtp.session.chains().into_iter().map(line).collect();
    Ok(lines.join("\n"))
}

/// Answers the parts of the final score as JSON; pairs are of Black and White.
fn jigo_score(gtp: &mut Gtp) -> Answer {
    let (count, estimated) = gtp.session.count();
    let size = gtp.session.size();
    let estimated = estimated.into_iter().map(|(stone, lost)| (stone.to_gtp(size), lost));
    let score = count.score;
    let json = serde_json::json!({
        "stones": score.stones,
        "surrounded": score.surrounded,
        "prisoners": score.prisoners,
        "taxed_groups": score.taxed_groups,
        "handicap_bonus": score.handicap_bonus,
        "dame": score.dame,
        "seki": score.seki,
        "margin": score.margin(),
        "total": count.half_points.map(|half_points| f64::from(half_points) / 2.0),
        "komi": gtp.session.komi().to_f64(),
        "estimated": estimated.collect::<BTreeMap<_, _>>(),
    });
    Ok(json.to_string())
}
