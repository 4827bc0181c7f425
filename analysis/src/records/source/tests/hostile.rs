//! Archives that were made to do harm.

use super::*;

/// A tar archive with one entry of this type, and a game behind it.
fn tar_with(kind: tar::EntryType, name: &str, link: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
    header.set_entry_type(kind);
    header.set_size(0);
    header.set_cksum();
    builder.append(&header, &b""[..]).unwrap();
    let mut bytes = builder.into_inner().unwrap();
    bytes.truncate(512);
    bytes.extend(tar_of(&[("1.sgf", GAME)]));
    bytes
}

#[test]
fn links_and_devices_are_passed_over() {
    use tar::EntryType;
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo] {
        let bytes = tar_with(kind, "../../etc/x.sgf", "/etc/passwd");
        assert_eq!(read_file("x.tar", &bytes), [game("x.tar/1.sgf")], "{kind:?}");
    }
    // In a zip archive a link is a file that names another: its text is read, which is no game.
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("x.sgf", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let zip = writer.finish().unwrap().into_inner();
    assert_eq!(read_file("x.zip", &zip), [("x.zip/x.sgf".to_owned(), Ok(b"/etc/passwd".to_vec()))]);
}

#[test]
fn nothing_is_written() {
    let directory = TempDir::new().unwrap();
    let inner = directory.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let names: [(&str, &[u8]); 3] = [("../up.sgf", GAME), ("here.sgf", GAME), ("a/../../b.sgf", GAME)];
    let paths = [inner.join("x.tar"), inner.join("x.zip")];
    fs::write(&paths[0], tar_of(&names)).unwrap();
    fs::write(&paths[1], zip_of(&names)).unwrap();
    assert_eq!(read_with(SourceLimits::default(), &inner, &paths).0.len(), 6);
    let count = |path: &Path| fs::read_dir(path).unwrap().count();
    assert_eq!((count(directory.path()), count(&inner)), (1, 2));
}

#[test]
fn endless_names_are_cut() {
    let mut header = tar::Header::new_gnu();
    let long = vec![b'n'; 5_000_000];
    header.set_path("././@LongLink").unwrap();
    header.set_entry_type(tar::EntryType::GNULongName);
    header.set_size(long.len() as u64);
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, &long[..]).unwrap();
    let mut bytes = builder.into_inner().unwrap();
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(tar_of(&[("1.sgf", GAME), ("2.sgf", GAME)]));
    // Cut before its ending, the name says no longer that it is a game.
    assert_eq!(read_file("x.tar", &bytes), [game("x.tar/2.sgf")]);
    let zip = zip_of(&[(&"n".repeat(60_000), GAME), (&format!("{}.sgf", "n".repeat(60_000)), GAME)]);
    let found = read_file("x.zip", &zip);
    assert!(found.len() == 1 && found[0].0.len() < 1100 && found[0].1.is_ok(), "{}", found.len());
}

#[test]
fn the_list_of_members_of_a_zip_has_a_limit() {
    let names: Vec<String> = (0..50).map(|number| format!("{number:060}.sgf")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), GAME)).collect();
    let zip = zip_of(&members);
    assert_eq!(read_file("x.zip", &zip).len(), 50);
    let limits = |directory_bytes| SourceLimits { directory_bytes, ..SourceLimits::default() };
    // Some bytes beside the list are read too, for which there is room.
    let long: Vec<String> = (0..50).map(|number| format!("{number:09000}.sgf")).collect();
    let members: Vec<(&str, &[u8])> = long.iter().map(|name| (name.as_str(), GAME)).collect();
    let fault = [fault("x.zip", "list of members too large")];
    assert_eq!(read_file_with(limits(100_000), "x.zip", &zip_of(&members)), fault);
    assert_eq!(read_file_with(limits(600_000), "x.zip", &zip_of(&members)).len(), 50);

    // An end that claims a million million members.
    let claim = (1_u64 << 40).to_le_bytes();
    let description =
        [b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0".as_slice(), &claim, &claim, &[0; 16]]
            .concat();
    let locator = b"PK\x06\x07\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0";
    let end = b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0";
    assert_eq!(description.len(), 56);
    let claiming = [&description, &locator[..], end].concat();
    assert_eq!(read_file("x.zip", &claiming), [super::fault("x.zip", "damaged archive")]);
}
