//! Arrays against the naive game.

use std::{fs, io::Read as _};

use jigo_engine::{
    BoardSize, Color, Move, Point,
    reference::{Colouring, ReferenceGame, Refusal, connected, neighbours},
};
use jigo_selfplay::dataset::FinalPositions;
use zip::ZipArchive;

use super::*;

/// The numbers of an array in an `.npz` file, as bytes.
fn array(archive: &mut ZipArchive<fs::File>, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    archive.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
    let header = usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10;
    bytes.split_off(header)
}

/// Black's points as 1, White's as -1, others as 0, in bytes.
fn signs(colors: &[Option<Color>]) -> Vec<u8> {
    let sign = |color: &Option<Color>| match color {
        Some(Color::Black) => 1_i8,
        Some(Color::White) => -1,
        None => 0,
    };
    colors.iter().map(|color| sign(color) as u8).collect()
}

/// Compares the planes of positions with what the naive game says.
#[test]
fn planes_are_those_of_the_reference() {
    for (size, rules, policy) in
        [("3x4", "tromp-taylor", "uniform"), ("2x3", "aga", "uniform"), ("5", "chinese", "eye-safe")]
    {
        let folder = tempfile::tempdir().unwrap();
        let dataset = dataset(&folder, size, rules, policy, 60);
        let played = games(&dataset);
        let out = folder.path().join("npz");
        let format = ExportFormat::Npz { plies: PlySample::Rate(Rate::ALL), rows_per_file: 65_536 };
        let summary = run_export(&dataset, &spec(format, all()), &out);
        let rows = played.iter().map(|game| u64::from(game.plies)).sum::<u64>();
        assert_eq!((summary.files.len(), summary.files[0].rows), (1, rows));
        let mut archive = ZipArchive::new(fs::File::open(out.join("positions-000000.npz")).unwrap()).unwrap();
        let packed = array(&mut archive, "binaryInputNCHWPacked");
        let [stones, ownership] = ["stones", "ownership"].map(|name| array(&mut archive, name));
        let results = array(&mut archive, "result");
        let results = results.as_chunks().0.iter().copied().map(f32::from_le_bytes);
        let points = dataset.spec().run.config.size.point_count();
        let mut plain = stones.chunks_exact(points).zip(ownership.chunks_exact(points)).zip(results);
        let board = dataset.spec().run.config.size;
        assert!(archive.by_name("policy.npy").is_err() && archive.by_name("search_margin.npy").is_err());
        let bytes = board.point_count().div_ceil(8);
        let mut row = packed.chunks_exact(22 * bytes);
        let mut forbidden_count = 0;
        for game in &played {
            let mut reference = ReferenceGame::new(board, *dataset.spec().run.config.rules);
            let last = FinalPositions::new(dataset.spec().run.config).of(game).unwrap().owners();
            let owners = if game.is_finished() { last } else { vec![None; points] };
            for (ply, &mv) in game.moves.iter().enumerate() {
                let row = row.next().unwrap();
                let ((stones, ownership), result) = plain.next().unwrap();
                assert_eq!(stones, signs(reference.colouring()));
                assert_eq!(ownership, signs(&owners));
                // The komi of these exports is 1.
                let expected = if game.is_finished() { game.margin() as f32 - 1.0 } else { f32::NAN };
                assert!(result == expected || result.is_nan() && expected.is_nan());
                let bit = |plane: usize, point: Point| {
                    let index = point.index(board);
                    row[plane * bytes + index / 8] >> (7 - index % 8) & 1 == 1
                };
                for point in board.points() {
                    let stone = reference.colouring()[point.index(board)];
                    let to_play = reference.to_play();
                    assert!(bit(0, point));
                    assert_eq!(
                        [1, 2].map(|plane| bit(plane, point)),
                        [to_play, to_play.opponent()].map(|c| stone == Some(c))
                    );
                    let liberties = stone.map(|_| liberties(board, reference.colouring(), point));
                    assert_eq!(
                        [3, 4, 5].map(|plane| bit(plane, point)),
                        [1, 2, 3].map(|n| liberties == Some(n))
                    );
                    let refusal = reference.check(Move::Play(point));
                    let forbidden = matches!(refusal, Err(Refusal::Ko | Refusal::Superko));
                    forbidden_count += usize::from(forbidden);
                    assert_eq!(bit(6, point), forbidden);
                    for age in 0..5 {
                        let last = ply.checked_sub(age + 1).map(|ply| game.moves[ply]);
                        assert_eq!(bit(9 + age, point), last == Some(Move::Play(point)));
                    }
                }
                for plane in [7, 8].into_iter().chain(14..22) {
                    assert!(row[plane * bytes..][..bytes].iter().all(|&byte| byte == 0));
                }
                reference.play(mv).unwrap();
            }
        }
        assert!(row.next().is_none() && forbidden_count > 0, "{size} {forbidden_count}");
    }
}

/// Compares the targets of searches with the records of the games; other runs have none.
#[test]
fn search_targets_are_those_of_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let dataset = dataset(&folder, "3x4", "tromp-taylor", "uct:playouts=30,opening=2", 20);
    let out = folder.path().join("npz");
    let format = ExportFormat::Npz { plies: PlySample::Rate(Rate::ALL), rows_per_file: 65_536 };
    run_export(&dataset, &spec(format, all()), &out);
    let mut archive = ZipArchive::new(fs::File::open(out.join("positions-000000.npz")).unwrap()).unwrap();
    let [policy, margins] = ["policy", "search_margin"].map(|name| array(&mut archive, name));
    let floats =
        |bytes: &[u8]| bytes.as_chunks().0.iter().copied().map(f32::from_le_bytes).collect::<Vec<_>>();
    let (policy, margins) = (floats(&policy), floats(&margins));
    let mut rows = policy.chunks_exact(13).zip(margins);
    let mut unsearched = 0;
    for game in games(&dataset) {
        for search in &game.searches {
            let (policy, margin) = rows.next().unwrap();
            let Some(search) = search else {
                unsearched += 1;
                assert!(policy.iter().all(|&share| share == 0.0) && margin.is_nan());
                continue;
            };
            assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            assert_eq!(margin, search.margin);
            let playouts: u32 = search.visits.iter().sum();
            for (share, &visits) in policy.iter().zip(&search.visits) {
                assert_eq!((share * playouts as f32).round(), visits as f32);
            }
        }
    }
    assert!(rows.next().is_none() && unsearched > 0, "{unsearched}");
}

/// The liberties of the chain on a point, by its definition.
fn liberties(size: BoardSize, colouring: &Colouring, point: Point) -> usize {
    let chain = connected(size, colouring, point);
    let mut beside: Vec<_> = chain
        .iter()
        .flat_map(|&stone| neighbours(size, stone))
        .filter(|point| colouring[point.index(size)].is_none())
        .collect();
    beside.sort();
    beside.dedup();
    beside.len()
}
