//! The columns of what searches found.

use jigo_engine::{BoardSize, Counting};

use super::columns::{Column, Row, Values};
use crate::{GameRecord, SearchRecord, search::Uct};

/// Takes in what the searches of games found, in any order.
pub(super) struct Searches {
    /// For each game and ply.
    games: Vec<Vec<Option<SearchRecord>>>,
    /// What takes the place of visits at plies without a search.
    no_visits: Vec<u32>,
}

impl Searches {
    /// Room for so many games on boards of so many points.
    pub(super) fn new(point_count: usize, rows: usize) -> Self {
        Self { games: vec![Vec::new(); rows], no_visits: vec![0; point_count + 1] }
    }

    pub(super) fn put(&mut self, row: usize, record: &GameRecord) {
        self.games[row].clone_from(&record.searches);
    }

    /// The columns in the order of the [schema](super::schema::schema).
    pub(super) fn finish(self) -> [Column; 3] {
        let (lengths, moves) = (|| self.games.iter().map(Vec::len), self.no_visits.len());
        let plies = || self.games.iter().flatten().map(Option::as_ref);
        let visits = plies().flat_map(|search| search.map_or(&self.no_visits, |search| &search.visits));
        let numbers = |number: fn(&SearchRecord) -> f32| {
            Column::optional_list(lengths(), plies().map(|search| search.map(number)))
        };
        [
            Column::list(lengths().map(|plies| plies * moves), Values::numbers(visits.copied())),
            numbers(|search| search.margin),
            numbers(SearchRecord::share),
        ]
    }
}

/// Decodes what the searches of a game found, whose other columns are decoded, or says what is wrong with it.
pub(super) fn decode(
    row: &mut Row<'_>,
    size: BoardSize,
    search: (Uct, Counting),
    record: &GameRecord,
) -> Result<Vec<Option<SearchRecord>>, String> {
    let (visits, margins, shares) = (row.numbers()?, row.floats(), row.floats());
    let (plies, moves) = (record.plies as usize, size.point_count() + 1);
    if [visits.len(), margins.len(), shares.len()] != [plies * moves, plies, plies] {
        return Err(format!("plies is {plies}, but the columns of searches have other lengths"));
    }
    let plies = visits.chunks(moves).zip(margins.iter().zip(shares)).enumerate();
    let decoded = plies.map(|(ply, (visits, (&margin, &share)))| {
        let chosen = record.moves.get(ply).map(|mv| usize::from(mv.code(size)));
        let decoded = decode_ply(search, visits, margin, share, chosen);
        decoded.map_err(|reason| format!("ply {ply}: {reason}"))
    });
    decoded.collect()
}

/// Returns what the search for one ply found. NaN is a null. `chosen` is the code of the move played, where it is known.
fn decode_ply(
    (uct, counting): (Uct, Counting),
    visits: &[u32],
    margin: f32,
    share: f32,
    chosen: Option<usize>,
) -> Result<Option<SearchRecord>, String> {
    let playouts: u64 = visits.iter().copied().map(u64::from).sum();
    if playouts == 0 {
        let are_null = margin.is_nan() && share.is_nan();
        let reason = "search_margin or search_share is not null, but no move has visits";
        return if are_null { Ok(None) } else { Err(reason.to_owned()) };
    }
    if playouts > uct.playouts.into() {
        return Err(format!("{playouts} visits, but a search has {} playouts", uct.playouts));
    }
    let max_margin = match counting {
        Counting::Area => visits.len() as f32 - 1.0,
        // Prisoners have no limit.
        Counting::Territory => f32::MAX,
    };
    if margin.is_nan() || margin.abs() > max_margin {
        return Err(format!("search_margin is {margin}"));
    }
    let search = SearchRecord { visits: visits.to_vec(), margin };
    if share != search.share() {
        return Err(format!("search_share is {share}, but the visits make it {}", search.share()));
    }
    if chosen.is_some_and(|chosen| visits.iter().any(|&other| other > visits[chosen])) {
        return Err("another move than the one played has most visits".to_owned());
    }
    Ok(Some(search))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a ply on a board of three points; the move played is the second.
    fn verdict(counting: Counting, visits: [u32; 4], margin: f32, share: f32) -> String {
        let search = (Uct::new(20), counting);
        let found = decode_ply(search, &visits, margin, share, Some(1));
        let is_searched = visits != [0; 4];
        found.map_or_else(
            |reason| reason,
            |search| {
                assert_eq!(search, is_searched.then(|| SearchRecord { visits: visits.to_vec(), margin }));
                String::new()
            },
        )
    }

    #[test]
    fn every_fault_is_named() {
        let area = |visits, margin, share| verdict(Counting::Area, visits, margin, share);
        let nan = f32::NAN;
        assert_eq!(area([2, 12, 0, 2], -2.5, 0.75), "");
        assert_eq!(area([0; 4], nan, nan), "");
        assert_eq!(verdict(Counting::Territory, [2, 12, 0, 2], -7.5, 0.75), "");
        for (visits, margin, share, reason) in [
            ([0; 4], 1.0, nan, "no move has visits"),
            ([0; 4], nan, 1.0, "no move has visits"),
            ([0, 21, 0, 0], 1.0, 1.0, "21 visits, but a search has 20"),
            ([u32::MAX; 4], 1.0, 0.25, "17179869180 visits"),
            ([2, 12, 0, 2], 3.5, 0.75, "search_margin is 3.5"),
            ([2, 12, 0, 2], nan, 0.75, "search_margin is NaN"),
            ([2, 12, 0, 2], f32::NEG_INFINITY, 0.75, "search_margin is -inf"),
            ([2, 12, 0, 2], 1.0, 0.7, "search_share is 0.7, but the visits make it 0.75"),
            ([2, 12, 0, 2], 1.0, nan, "search_share is NaN"),
            ([12, 2, 0, 2], 1.0, 0.75, "another move"),
        ] {
            let found = area(visits, margin, share);
            assert!(found.contains(reason), "{reason}: {found}");
        }
    }
}
