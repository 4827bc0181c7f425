//! Input that no program should have written.

use proptest::prelude::*;

use super::*;

#[test]
fn very_long_games() {
    let text = format!("(;SZ[19]{})", ";B[aa];W[bb]".repeat(100_000));
    assert_eq!(read(&text).game.events.len(), 200_000);
}

#[test]
fn very_deep_nesting() {
    const DEPTH: usize = 100_000;
    let nodes = format!("{}{}", "(;B[aa]".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(read(&nodes).game.events.len(), DEPTH);
    let variations = format!("(;SZ[9](;B[aa]){nodes})");
    assert_eq!(read(&variations).variation_count, 1);
    let empty = format!("(;B[aa]{}{}", "(".repeat(DEPTH), ")".repeat(DEPTH + 1));
    assert_eq!(moves(&read(&empty)), "Baa");
    let open = "(".repeat(DEPTH);
    assert_eq!(read_collection(open.as_bytes()).len(), 1);
    assert_eq!(read_collection("(;".repeat(DEPTH).as_bytes()).len(), 1);
}

#[test]
fn many_properties_and_values() {
    let names: String = (0..20_000).map(|number| format!("X{number}[v]")).collect();
    assert_eq!(read(&format!("(;{names})")).game.info.iter().count(), 20_000);
    let values = "[v]".repeat(100_000);
    assert_eq!(read(&format!("(;XX{values})")).game.info.values("XX").len(), 100_000);
    let games = "(;AB[aa:ss])".repeat(2_000);
    assert_eq!(read_games(games.as_bytes(), Limits::default()).filter(Result::is_ok).count(), 2_000);
}

/// Parts of which files consist, whole or broken.
fn fragment() -> impl Strategy<Value = Vec<u8>> {
    const PARTS: [&[u8]; 24] = [
        b"(",
        b")",
        b"(;",
        b";",
        b"[",
        b"]",
        b"\\",
        b":",
        b"B",
        b"W",
        b"AB",
        b"[aa]",
        b"[]",
        b"[tt]",
        b"[cc:ee]",
        b"SZ[9]",
        b"GM[1]",
        b"FF[4]",
        b"CA[GBK]",
        b"PL[W]",
        b"C[\xe6\x9d\x8e]",
        b"\x81",
        b"\xef\xbb\xbf",
        b"\n",
    ];
    prop_oneof![
        8 => prop::sample::select(PARTS.to_vec()).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ]
}

/// Reads to the end. There cannot be more games than places where one starts, but for the error that there is none.
fn read_to_the_end(bytes: &[u8]) -> usize {
    let starts = bytes.iter().filter(|&&byte| byte == b'(').count();
    let games = read_collection(bytes);
    assert!(games.len() <= starts.max(1));
    for error in games.iter().filter_map(|game| game.as_ref().err()) {
        assert!(error.byte <= bytes.len(), "{error}");
    }
    for record in games.iter().flatten() {
        let places = record.events();
        assert!(places.zip(&record.game.events).all(|((placed, ..), event)| placed == event));
        let again = read(&write(&record.game));
        assert_eq!(again.game, record.game, "{:?}", String::from_utf8_lossy(bytes));
    }
    games.len()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_bytes_are_read_to_the_end(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read_to_the_end(&bytes) > 0);
    }

    #[test]
    fn any_parts_are_read_to_the_end(parts in prop::collection::vec(fragment(), 0..60)) {
        prop_assert!(read_to_the_end(&parts.concat()) > 0);
    }

    #[test]
    fn damaged_files_are_read_to_the_end(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
    ) {
        let mut bytes = b"(;FF[4]GM[1]CA[UTF-8]SZ[9:13]KM[6.5]HA[2]PB[a\\]b]AB[cc][gg:hh]PL[W]\
                          ;W[ee];B[];AE[cc](;W[dd]C[one])(;W[ff];B[tt]))(;SZ[5];B[aa])".to_vec();
        for (place, byte) in damage {
            *place.get_mut(&mut bytes) = byte;
        }
        prop_assert!(read_to_the_end(&bytes) > 0);
        prop_assert!(read_to_the_end(&bytes[..end.index(bytes.len())]) > 0);
    }
}
