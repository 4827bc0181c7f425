//! Search as a policy: Monte-Carlo tree search with playouts in batches.
//!
//! `docs/playouts.md` specifies every move. A [`Uct`] is the policy, a [`UctPlayer`] plays single games with it; runs play as many games side by side as
//! a batch has lanes.

use std::{fmt, str::FromStr};

use jigo_engine::{
    BoardSize, Game, Ko, Komi, Rules, Suicide,
    batch::{self, BatchSpec, FinishedGame, Lookup, MAX_LANES, Needs, Placement, Start},
    for_width,
    search::{Next, Reward, SearchOptions, Tree},
};

use crate::{
    AnyPosition, Backend, Decision, End, GameRecord, Player, PlayerError, Run, RunConfig, Stream,
    lockstep::{self, LaneGames, Lanes},
    policy::{PlayoutPolicy, PolicySuicide, UnknownPolicy, count},
    record::Recorder,
};

/// A search player: how many playouts it has for each move, and how they are used.
///
/// Written `uct:playouts=1000`, with any of the [options](Self::OPTIONS) after it, separated by commas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uct {
    /// Playouts for each move.
    pub playouts: u32,
    /// What it wants.
    pub reward: UctReward,
    /// How playouts choose their moves.
    pub playout: PlayoutPolicy,
    /// How many playouts of a move weigh as much as those in which its player made it later; none for plain UCT.
    pub rave: Option<u32>,
    /// The weight of exploration, in thousandths.
    pub exploration: u32,
    /// How often a move is tried before the position after it becomes a node of the tree.
    pub expand: u32,
    /// With how many playouts of average result a move begins.
    pub prior: u32,
    /// How many playouts are under way at the same time.
    pub leaves: u32,
}

/// What a search player wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UctReward {
    /// As many points as possible, whatever the komi.
    Margin,
    /// To win, at this komi or else at that of the game.
    Win(Option<Komi>),
}

impl Uct {
    /// The most playouts for each move.
    pub const MAX_PLAYOUTS: u32 = 1_000_000;

    /// Lists the options, for help and messages.
    pub const OPTIONS: &str = "playouts=N, reward=margin|win, komi=POINTS, playout=POLICY, suicide=never|rules, rave=N|off, exploration=X, expand=N, prior=N, leaves=N";

    /// Returns the player with so many playouts for each move and the default options.
    #[must_use]
    pub const fn new(playouts: u32) -> Self {
        Self {
            playouts,
            reward: UctReward::Margin,
            playout: PlayoutPolicy::EYE_SAFE,
            rave: Some(10_000),
            exploration: 100,
            expand: 4,
            prior: 8,
            leaves: 1,
        }
    }

    /// Returns the options of the tree, for a game with this komi.
    fn options(&self, rules: Rules, komi: Komi) -> SearchOptions {
        let plays_suicide = self.playout.suicide() == PolicySuicide::AsTheRulesSay;
        SearchOptions {
            reward: match self.reward {
                UctReward::Margin => Reward::Margin,
                UctReward::Win(own) => Reward::Win(own.unwrap_or(komi)),
            },
            among: self.playout.among(),
            suicide: if plays_suicide { rules.suicide } else { Suicide::Forbidden },
            rave: self.rave.map(|rave| rave as f32),
            exploration: self.exploration as f32 / 1000.0,
            expansion: self.expand,
            prior: self.prior,
            playouts: self.playouts,
            leaves: self.leaves,
        }
    }
}

impl FromStr for Uct {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let wrong = |reason: String| UnknownPolicy::Option(text.to_owned(), reason);
        let Some(options) = text.strip_prefix("uct:") else {
            return Err(UnknownPolicy::Form(text.to_owned()));
        };
        let (mut uct, mut komi) = (Self::new(0), None);
        for option in options.split(',') {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            let number = |min: u32, max: u32| {
                let number = count(value).and_then(|number| u32::try_from(number).ok());
                let fits = number.filter(|number| (min..=max).contains(number));
                fits.ok_or_else(|| wrong(format!("{name} is a number from {min} to {max}")))
            };
            match (name, value) {
                ("playouts", _) => uct.playouts = number(1, Self::MAX_PLAYOUTS)?,
                ("reward", "margin") => uct.reward = UctReward::Margin,
                ("reward", "win") => uct.reward = UctReward::Win(None),
                ("komi", _) => {
                    let points = value.parse().map_err(|_| wrong("komi is a number of points".to_owned()))?;
                    komi = Some(points);
                }
                ("playout", _) => {
                    let policy = value.parse().ok().filter(|&policy| lockstep::choice(policy).is_some());
                    uct.playout = policy
                        .ok_or_else(|| wrong("playout is uniform, eye-safe or guarded[:k=K]".to_owned()))?;
                }
                ("suicide", "rules") => uct.playout = uct.playout.with_suicide(PolicySuicide::AsTheRulesSay),
                ("suicide", "never") => uct.playout = uct.playout.with_suicide(PolicySuicide::Never),
                ("rave", "off") => uct.rave = None,
                ("rave", _) => uct.rave = Some(number(1, 1_000_000)?),
                ("exploration", _) => {
                    let exploration = value.parse::<f64>().ok().filter(|value| (0.0..=10.0).contains(value));
                    let exploration = exploration
                        .ok_or_else(|| wrong("exploration is a number from 0 to 10".to_owned()))?;
                    uct.exploration = (exploration * 1000.0).round() as u32;
                }
                ("expand", _) => uct.expand = number(1, 1000)?,
                ("prior", _) => uct.prior = number(1, 1000)?,
                ("leaves", _) => uct.leaves = number(1, MAX_LANES as u32)?,
                _ => {
                    return Err(wrong(format!("`{option}` is no option. Known: {}", Self::OPTIONS)));
                }
            }
        }
        uct.reward = match (uct.reward, komi) {
            (UctReward::Margin, Some(_)) => return Err(wrong("komi needs reward=win".to_owned())),
            (UctReward::Win(_), komi) => UctReward::Win(komi),
            (reward, None) => reward,
        };
        if uct.playouts == 0 { Err(wrong("playouts is missing".to_owned())) } else { Ok(uct) }
    }
}

impl fmt::Display for Uct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::new(self.playouts);
        let mut text = format!("uct:playouts={}", self.playouts);
        let mut option = |is_default: bool, name: &str, value: &dyn fmt::Display| {
            if !is_default {
                text += &format!(",{name}={value}");
            }
        };
        if let UctReward::Win(komi) = self.reward {
            option(false, "reward", &"win");
            if let Some(komi) = komi {
                option(false, "komi", &komi);
            }
        }
        option(self.playout == default.playout, "playout", &self.playout);
        match self.rave {
            None => option(false, "rave", &"off"),
            Some(rave) => option(Some(rave) == default.rave, "rave", &rave),
        }
        let exploration = f64::from(self.exploration) / 1000.0;
        option(self.exploration == default.exploration, "exploration", &exploration);
        option(self.expand == default.expand, "expand", &self.expand);
        option(self.prior == default.prior, "prior", &self.prior);
        option(self.leaves == default.leaves, "leaves", &self.leaves);
        f.pad(&text)
    }
}

/// One search after the other, with the random numbers of each.
struct Search<const W: usize> {
    tree: Tree<W>,
    /// The seed of the playouts' random numbers.
    seed: u64,
    /// Decides between moves that are equally good.
    ties: Stream,
}

impl<const W: usize> Search<W> {
    fn new(size: BoardSize, rules: Rules, uct: &Uct, komi: Komi) -> Self {
        let tree = Tree::new(size, rules.counting, rules.ko, uct.options(rules, komi));
        Self { tree, seed: 0, ties: Stream::new(0, 0) }
    }

    /// Begins the search for the next move of a game, whose stream gives the seed.
    fn begin(&mut self, game: &Game<W>, stream: &mut Stream) {
        self.seed = (0..4).fold(0, |seed, part| seed | u64::from(stream.sample()) << (16 * part));
        self.ties = Stream::new(self.seed, 0);
        self.tree.begin(game);
    }

    fn next(&mut self, game: &Game<W>) -> Next {
        let ties = &mut self.ties;
        self.tree.select(game, |count| ties.below(count))
    }
}

/// Searches that go on side by side.
trait Searches<const W: usize> {
    /// Returns a search and the game that it is for; none where there is nothing to be searched any more.
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)>;

    /// Goes on after a search has ended.
    fn go_on(&mut self, slot: usize);

    /// Returns whether no further playouts are wanted, wherever the searches stand.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The searches that share a batch: each has so many lanes as it has playouts under way at the same time.
struct SearchLanes<'a, S> {
    searches: &'a mut S,
    leaves: usize,
    /// The leaf that is played out in each lane.
    lane_leaves: [usize; MAX_LANES],
}

impl<S> SearchLanes<'_, S> {
    /// Returns the seed and the number of the stream of the next playout, and where it starts.
    fn next<const W: usize>(&mut self, lane: usize) -> Option<(u64, u64, Placement)>
    where
        S: Searches<W>,
    {
        if self.searches.is_stopped() {
            return None;
        }
        loop {
            let slot = lane / self.leaves;
            let (search, game) = self.searches.search(slot)?;
            match search.next(game) {
                Next::Playout { leaf, start, playout } => {
                    self.lane_leaves[lane] = leaf;
                    return Some((search.seed, u64::from(playout) + 1, start));
                }
                Next::Wait => return None,
                Next::Done => self.searches.go_on(slot),
            }
        }
    }

    fn tree<const W: usize>(&mut self, lane: usize) -> (&mut Tree<W>, usize)
    where
        S: Searches<W>,
    {
        let (search, _) =
            self.searches.search(lane / self.leaves).expect("a search with a playout under way");
        (&mut search.tree, self.lane_leaves[lane])
    }
}

/// The lanes of a batch.
struct BatchLanes<'a, S, const W: usize>(SearchLanes<'a, S>);

impl<S: Searches<W>, const W: usize> LaneGames for BatchLanes<'_, S, W> {
    fn start(&mut self, lane: usize) -> Option<(u64, u64, Start)> {
        self.0.next(lane).map(|(seed, index, start)| (seed, index, Start::Position(start)))
    }

    fn finish(&mut self, lane: usize, game: &FinishedGame<'_>) {
        let (tree, leaf) = self.0.tree(lane);
        tree.finish(leaf, game);
    }
}

/// Goes on with searches until nothing is left to be searched. There are so many slots as [`slot_count`] says.
fn search_all<const W: usize>(
    backend: Backend,
    size: BoardSize,
    rules: Rules,
    uct: &Uct,
    searches: &mut impl Searches<W>,
) {
    let leaves = uct.leaves as usize;
    let mut lanes = SearchLanes { searches, leaves, lane_leaves: [0; MAX_LANES] };
    let ply_cap = RunConfig::default_ply_cap(size);
    match backend {
        Backend::Batch(simd) => {
            let spec = BatchSpec {
                size,
                ko: Ko::Simple,
                choice: lockstep::choice(uct.playout).expect("a policy that batches can play"),
                plays_suicide: uct.options(rules, Komi::ZERO).suicide == Suicide::Allowed,
                ply_cap: ply_cap as u16,
                needs: Needs::End,
                first_stones: uct.rave.is_some(),
                lookup: Lookup::default(),
            };
            batch::play(simd, &spec, &mut Lanes::new(&mut BatchLanes(lanes)));
        }
        Backend::Board => {
            let mut board = Game::<W>::new(size, Rules { ko: Ko::Simple, ..rules });
            for lane in (0..leaves).cycle() {
                let Some((seed, index, start)) = lanes.next(lane) else { return };
                board.place(&start);
                let record = uct.playout.play_out(&mut board, &mut Stream::new(seed, index), ply_cap);
                let (tree, leaf) = lanes.tree(lane);
                tree.finish_on_board(leaf, &board, &record.moves);
            }
        }
    }
}

/// Returns how many searches go on side by side: as many as the batch has lanes for, and as fit in [`MAX_TREE_BYTES`].
fn slot_count<const W: usize>(backend: Backend, size: BoardSize, rules: Rules, uct: &Uct) -> usize {
    let lanes = match backend {
        Backend::Board => 1,
        Backend::Batch(simd) => batch::lane_count(simd, size) / uct.leaves as usize,
    };
    let bytes = Tree::<W>::max_bytes(size, &uct.options(rules, Komi::ZERO));
    lanes.min(MAX_TREE_BYTES / bytes).max(1)
}

/// The bytes that the trees of a thread take at most, unless a single one takes more.
const MAX_TREE_BYTES: usize = 2 << 30;

/// Games that are played by search side by side.
struct SearchedGames<'a, const W: usize> {
    start: Game<W>,
    ply_cap: u32,
    counts_forbidden: bool,
    slots: Vec<Slot<W>>,
    next_game: &'a mut dyn FnMut() -> Option<u64>,
    is_stopped: &'a dyn Fn() -> bool,
    take: &'a mut dyn FnMut(&GameRecord, AnyPosition<'_>),
    /// The seed of the random numbers of a game.
    seed: u64,
}

/// A game, and where its search stands.
struct Slot<const W: usize> {
    search: Search<W>,
    recorder: Recorder<W>,
    stream: Stream,
    is_playing: bool,
}

impl<const W: usize> SearchedGames<'_, W> {
    /// Begins the next games in a slot until one has a move to be searched, or there are none.
    fn begin(&mut self, slot: usize) {
        let Slot { recorder, stream, is_playing, .. } = &mut self.slots[slot];
        *is_playing = false;
        let Some(index) = (self.next_game)() else { return };
        recorder.begin_at(index, &self.start);
        *stream = Stream::new(self.seed, index);
        *is_playing = true;
        self.search_or_end(slot);
    }

    /// Begins the search for the next move of a game, or the next game if there is none.
    fn search_or_end(&mut self, slot: usize) {
        let Slot { search, recorder, stream, .. } = &mut self.slots[slot];
        if !recorder.game().is_over() && recorder.ply_count() < self.ply_cap {
            search.begin(recorder.game(), stream);
            let rejected = search.tree.rejected_by_superko(recorder.game());
            return recorder.reject(&rejected, self.counts_forbidden);
        }
        let record = recorder.finish(End::of(recorder.game()));
        (self.take)(&record, AnyPosition::new(&recorder.game().board().position()));
        self.begin(slot);
    }
}

impl<const W: usize> Searches<W> for SearchedGames<'_, W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        let slot = self.slots.get_mut(slot).filter(|slot| slot.is_playing)?;
        Some((&mut slot.search, slot.recorder.game()))
    }

    fn go_on(&mut self, slot: usize) {
        let Slot { search, recorder, .. } = &mut self.slots[slot];
        recorder.play(search.tree.choice()).expect("a legal move");
        self.search_or_end(slot);
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

/// Plays the games that `next_game` names, until it names none or the run is stopped, and hands each to `take`.
pub(crate) fn play(
    backend: Backend,
    run: &Run,
    uct: &Uct,
    start: &Game,
    next_game: &mut dyn FnMut() -> Option<u64>,
    is_stopped: &dyn Fn() -> bool,
    take: &mut dyn FnMut(&GameRecord, AnyPosition<'_>),
) {
    let RunConfig { size, rules, ply_cap, count_forbidden: counts_forbidden, .. } = run.config;
    for_width!(size, W => {
        let slot = || Slot {
            search: Search::new(size, *rules, uct, rules.komi(size)),
            recorder: Recorder::new(size, *rules),
            stream: Stream::new(0, 0),
            is_playing: false,
        };
        let slots = (0..slot_count::<W>(backend, size, *rules, uct)).map(|_| slot()).collect();
        let (start, seed) = (start.with_width::<W>(), run.stream_seed());
        let mut games = SearchedGames { start, ply_cap, counts_forbidden, slots, next_game, is_stopped, take, seed };
        (0..games.slots.len()).for_each(|slot| games.begin(slot));
        search_all(backend, size, *rules, uct, &mut games);
    });
}

/// Plays single games by search.
#[derive(Clone, Debug)]
pub struct UctPlayer {
    uct: Uct,
    komi: Komi,
}

impl UctPlayer {
    /// Returns a player that has not begun a game.
    #[must_use]
    pub const fn new(uct: Uct) -> Self {
        Self { uct, komi: Komi::ZERO }
    }
}

impl Player for UctPlayer {
    fn begin(&mut self, _: &Game, komi: Komi) -> Result<(), PlayerError> {
        self.komi = komi;
        Ok(())
    }

    fn choose(&mut self, game: &Game, stream: &mut Stream) -> Result<Decision, PlayerError> {
        let (size, rules) = (game.board().size(), game.rules());
        let backend = Backend::best(&RunConfig::new(size, rules, self.uct.into()).seed(0));
        Ok(Decision::Move(for_width!(size, W => {
            let mut search = OneSearch {
                search: Search::<W>::new(size, rules, &self.uct, self.komi),
                game: game.with_width(),
                is_done: false,
            };
            search.search.begin(&search.game, stream);
            search_all(backend, size, rules, &self.uct, &mut search);
            search.search.tree.choice()
        })))
    }
}

/// The search for one move.
struct OneSearch<const W: usize> {
    search: Search<W>,
    game: Game<W>,
    is_done: bool,
}

impl<const W: usize> Searches<W> for OneSearch<W> {
    fn search(&mut self, slot: usize) -> Option<(&mut Search<W>, &Game<W>)> {
        (slot == 0 && !self.is_done).then_some((&mut self.search, &self.game))
    }

    fn go_on(&mut self, _: usize) {
        self.is_done = true;
    }
}
