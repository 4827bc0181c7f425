//! Every kind of source, whole, damaged and hostile.

mod hostile;

use std::{
    fs,
    io::{Cursor, Write},
};

use flate2::{Compression, write::GzEncoder};
use liblzma::write::XzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;
use zip::{ZipWriter, write::SimpleFileOptions};

use super::*;

const GAME: &[u8] = b"(;SZ[9];B[ee])";

/// Name without the directory, and the content or the name of the fault.
type Found = (String, Result<Vec<u8>, &'static str>);

fn read_with(limits: SourceLimits, directory: &Path, paths: &[PathBuf]) -> (Vec<Found>, u64) {
    let mut found = Vec::new();
    let prefix = format!("{}/", directory.display());
    let others = read_sources(paths, limits, |item| {
        let name = item.name.strip_prefix(&prefix).unwrap_or(&item.name).to_owned();
        found.push((name, item.content.map_err(|error| error.reason)));
        ControlFlow::Continue(())
    });
    (found, others)
}

/// Reads one file with these bytes.
fn read_file(name: &str, bytes: &[u8]) -> Vec<Found> {
    read_file_with(SourceLimits::default(), name, bytes)
}

fn read_file_with(limits: SourceLimits, name: &str, bytes: &[u8]) -> Vec<Found> {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join(name);
    fs::write(&path, bytes).unwrap();
    read_with(limits, directory.path(), &[path]).0
}

fn game(name: &str) -> Found {
    (name.to_owned(), Ok(GAME.to_vec()))
}

fn fault(name: &str, reason: &'static str) -> Found {
    (name.to_owned(), Err(reason))
}

/// A tar archive with members of any names, which the library would refuse to write.
fn tar_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = tar::Header::new_gnu();
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = XzEncoder::new(Vec::new(), 1);
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zip_of(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn every_kind_of_archive() {
    let members: [(&str, &[u8]); 3] = [("b/1.sgf", GAME), ("readme.txt", b"no game"), ("./a.SGF", GAME)];
    let tar = tar_of(&members);
    let files = [
        ("x.tar", tar.clone()),
        ("x.tar.gz", gz(&tar)),
        ("x.tgz", gz(&tar)),
        ("x.tar.xz", xz(&tar)),
        ("x.TXZ", xz(&tar)),
        ("x.zip", zip_of(&[members[0], members[1], ("a.SGF", GAME)])),
    ];
    for (name, bytes) in files {
        let found = read_file(name, &bytes);
        assert_eq!(found, [game(&format!("{name}/b/1.sgf")), game(&format!("{name}/a.SGF"))], "{name}");
    }
}

#[test]
fn directories_are_read_in_the_order_of_names() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir_all(path("b/c")).unwrap();
    for name in ["b/c/2.sgf", "b/1.sgf", "a.sgf", "z.sgf"] {
        fs::write(path(name), GAME).unwrap();
    }
    fs::write(path("b/notes.txt"), "x").unwrap();
    fs::write(path("c.zip"), zip_of(&[("m.sgf", GAME)])).unwrap();
    fs::write(path("d.7z"), "x").unwrap();
    let root = directory.path().to_owned();
    let (found, others) = read_with(SourceLimits::default(), &root, std::slice::from_ref(&root));
    let names = ["a.sgf", "b/1.sgf", "b/c/2.sgf", "c.zip/m.sgf"].map(game);
    assert_eq!(found[..4], names);
    assert_eq!(found[4..], [fault("d.7z", "unsupported archive"), game("z.sgf")]);
    assert_eq!(others, 1);
    let limits = SourceLimits { depth: 1, ..SourceLimits::default() };
    assert!(read_with(limits, &root, std::slice::from_ref(&root)).0.contains(&fault("b/c", "too deep")));
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_not_followed() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("1.sgf"), GAME).unwrap();
    std::os::unix::fs::symlink(directory.path(), path("loop")).unwrap();
    std::os::unix::fs::symlink(path("nowhere"), path("broken.sgf")).unwrap();
    let found = read_with(SourceLimits::default(), directory.path(), &[directory.path().to_owned()]).0;
    let expected =
        [game("1.sgf"), fault("broken.sgf", "cannot be read"), fault("loop", "link to a directory")];
    assert_eq!(found, expected);
}

#[test]
fn named_paths_count_once() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::create_dir(path("d")).unwrap();
    fs::write(path("d/1.sgf"), GAME).unwrap();
    fs::write(path("2.sgf"), GAME).unwrap();
    let paths = [path("d/1.sgf"), path("2.sgf"), path("d"), path("d/../2.sgf"), path("gone"), path("d")];
    let found = read_with(SourceLimits::default(), directory.path(), &paths).0;
    let expected = [
        fault("d/1.sgf", "named twice"),
        game("2.sgf"),
        game("d/1.sgf"),
        fault("d/../2.sgf", "named twice"),
        fault("gone", "cannot be read"),
        fault("d", "named twice"),
    ];
    assert_eq!(found, expected);
    assert_eq!(read_file("x.txt", GAME), [fault("x.txt", "unknown kind of file")]);
}

#[test]
fn names_in_archives_are_only_names() {
    let name = "../../up\u{1b}[31m.sgf";
    let shown = "../../up\\u{1b}[31m.sgf";
    assert_eq!(read_file("x.tar", &tar_of(&[(name, GAME)])), [game(&format!("x.tar/{shown}"))]);
    assert_eq!(read_file("x.zip", &zip_of(&[(name, GAME)])), [game(&format!("x.zip/{shown}"))]);
    assert_eq!(read_file("x.tar", &tar_of(&[("/abs.sgf", GAME)])), [game("x.tar//abs.sgf")]);
}

#[test]
fn members_of_the_same_name_are_all_read() {
    let twice = tar_of(&[("a.sgf", GAME), ("a.sgf", b"(;SZ[5])")]);
    let found = read_file("x.tar", &twice);
    assert_eq!(found, [game("x.tar/a.sgf"), ("x.tar/a.sgf".to_owned(), Ok(b"(;SZ[5])".to_vec()))]);
}

#[test]
fn long_names_in_tar() {
    let long = format!("{}1.sgf", "directory/".repeat(30));
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(GAME.len() as u64);
    builder.append_data(&mut header, &long, GAME).unwrap();
    let comment = ("comment", b"two\nlines".as_slice());
    builder.append_pax_extensions([comment, ("path", b"pax \xc3\xa9.sgf"), comment]).unwrap();
    header.set_path("short").unwrap();
    header.set_cksum();
    builder.append(&header, GAME).unwrap();
    let found = read_file("x.tar", &builder.into_inner().unwrap());
    assert_eq!(found.len(), 2);
    assert!(found[0].0.ends_with("directory/1.sgf") && found[0].1.is_ok(), "{found:?}");
    assert_eq!(found[1], game("x.tar/pax é.sgf"));
}

#[test]
fn archives_in_archives_are_reported() {
    let inner = tar_of(&[("1.sgf", GAME)]);
    let members: [(&str, &[u8]); 3] = [("in.tar", &inner), ("in.rar", b"x"), ("2.sgf", GAME)];
    for (name, bytes) in [("x.tar", tar_of(&members)), ("x.zip", zip_of(&members))] {
        let inside = |member: &str| fault(&format!("{name}/{member}"), "archive in archive");
        let expected = [inside("in.tar"), inside("in.rar"), game(&format!("{name}/2.sgf"))];
        assert_eq!(read_file(name, &bytes), expected);
    }
}

#[test]
fn what_comes_before_the_damage_is_read() {
    let noise: Vec<u8> =
        (0..100_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let tar = tar_of(&[("1.sgf", GAME), ("2.sgf", &noise)]);
    for (name, bytes) in [("x.tar", tar.clone()), ("x.tgz", gz(&tar)), ("x.txz", xz(&tar))] {
        let found = read_file(name, &bytes[..bytes.len() / 2]);
        assert_eq!(found.last().unwrap(), &fault(name, "damaged archive"), "{name}");
        assert!(found.len() == 1 || found[0] == game(&format!("{name}/1.sgf")), "{name}");
    }
    // The check at the end of the stream comes after the last member.
    let whole = xz(&tar_of(&[("1.sgf", GAME)]));
    let found = read_file("x.txz", &whole[..whole.len() - 3]);
    assert_eq!(found, [game("x.txz/1.sgf"), fault("x.txz", "damaged archive")]);
    let zip = zip_of(&[("1.sgf", GAME), ("2.sgf", &noise)]);
    assert_eq!(read_file("x.zip", &zip[..zip.len() / 2]), [fault("x.zip", "damaged archive")]);
    for name in ["x.tar", "x.tgz", "x.txz", "x.zip"] {
        assert_eq!(read_file(name, &noise), [fault(name, "damaged archive")]);
    }
}

#[test]
fn a_damaged_member_of_a_zip_stops_nothing() {
    let mut zip = zip_of(&[("1.sgf", &GAME.repeat(100)), ("2.sgf", GAME)]);
    zip[45] ^= 0x10;
    let found = read_file("x.zip", &zip);
    assert_eq!(found, [fault("x.zip/1.sgf", "damaged archive"), game("x.zip/2.sgf")]);
}

#[test]
fn data_behind_the_end_is_reported() {
    let mut twice = tar_of(&[("1.sgf", GAME)]);
    twice.extend(twice.clone());
    assert_eq!(read_file("x.tar", &twice), [game("x.tar/1.sgf"), fault("x.tar", "data behind the archive")]);
}

#[test]
fn bombs_end_at_the_limits() {
    let limits =
        SourceLimits { member_bytes: 1000, archive_bytes: 50_000, members: 5, ..SourceLimits::default() };
    let zeros = vec![0; 1_000_000];
    let large: [(&str, &[u8]); 2] = [("1.sgf", &zeros), ("2.sgf", GAME)];
    let found = read_file_with(limits, "x.txz", &xz(&tar_of(&large)));
    assert_eq!(found, [fault("x.txz/1.sgf", "file too large"), fault("x.txz", "archive too large")]);
    let found = read_file_with(limits, "x.zip", &zip_of(&large));
    assert_eq!(found, [fault("x.zip/1.sgf", "file too large"), game("x.zip/2.sgf")]);
    assert_eq!(read_file_with(limits, "1.sgf", &zeros), [fault("1.sgf", "file too large")]);

    let many: Vec<(String, &[u8])> = (0..9).map(|number| (format!("{number}.sgf"), GAME)).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    for (name, bytes) in [("x.tar", tar_of(&many)), ("x.zip", zip_of(&many))] {
        let found = read_file_with(limits, name, &bytes);
        assert_eq!((found.len(), &found[5]), (6, &fault(name, "too many members")));
    }
    let limits = SourceLimits { archive_bytes: 30, ..limits };
    let found = read_file_with(limits, "x.zip", &zip_of(&many));
    assert_eq!((found.len(), &found[2]), (3, &fault("x.zip", "archive too large")));
}

#[test]
fn huge_declared_sizes_allocate_nothing() {
    let mut header = tar::Header::new_gnu();
    header.set_path("1.sgf").unwrap();
    header.set_size(1 << 60);
    header.set_cksum();
    let found = read_file("x.tar", header.as_bytes());
    assert_eq!(found, [fault("x.tar/1.sgf", "file too large"), fault("x.tar", "damaged archive")]);
    header.set_size(10 << 20);
    header.set_cksum();
    assert_eq!(read_file("x.tar", header.as_bytes()), [fault("x.tar", "damaged archive")]);
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(1 << 40);
    header.set_cksum();
    assert_eq!(read_file("x.tar", header.as_bytes()), [fault("x.tar", "damaged archive")]);
}

#[test]
fn reading_can_be_stopped() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("x.tar");
    fs::write(&path, tar_of(&[("1.sgf", GAME), ("2.sgf", GAME)])).unwrap();
    let mut count = 0;
    read_sources(&[path.clone(), path], SourceLimits::default(), |_| {
        count += 1;
        ControlFlow::Break(())
    });
    assert_eq!(count, 1);
}

#[test]
fn datasets_are_known_by_their_manifest() {
    let directory = TempDir::new().unwrap();
    let path = directory.path();
    assert_eq!(Input::new(path), Input::Records(path.to_owned()));
    fs::write(path.join("manifest.json"), "{}").unwrap();
    assert_eq!(Input::new(path), Input::Dataset(path.to_owned()));
    // The directory of a match is one of records.
    fs::write(path.join("games.sgf"), GAME).unwrap();
    assert_eq!(Input::new(path), Input::Records(path.to_owned()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_archives_never_panic(
        kind in 0..4_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let members: [(&str, &[u8]); 3] = [("1.sgf", GAME), ("d/2.sgf", GAME), ("3.txt", b"x")];
        let tar = tar_of(&members);
        let (name, mut bytes) = match kind {
            0 => ("x.tar", tar),
            1 => ("x.tgz", gz(&tar)),
            2 => ("x.txz", xz(&tar)),
            _ => ("x.zip", zip_of(&members)),
        };
        for (place, byte) in damage {
            *place.get_mut(&mut bytes) = byte;
        }
        let found = read_file(name, &bytes);
        prop_assert!(found.len() <= 4);
    }
}
