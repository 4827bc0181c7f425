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

/// A member of a zip archive that is put together by hand.
struct Member {
    name: String,
    offset: usize,
    compressed_bytes: usize,
    /// What it unpacks to.
    content: Vec<u8>,
}

impl Member {
    /// What its local header and its entry in the list of members have in common. All members are deflated.
    fn fields(&self, extra_bytes: usize) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(&self.content);
        let sizes = [crc.sum(), self.compressed_bytes as u32, self.content.len() as u32];
        let lengths = [self.name.len() as u16, extra_bytes as u16];
        let sizes = sizes.into_iter().flat_map(u32::to_le_bytes);
        let version_flags_method_time_date = [20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0];
        let lengths = lengths.into_iter().flat_map(u16::to_le_bytes);
        version_flags_method_time_date.into_iter().chain(sizes).chain(lengths).collect()
    }

    fn local_header(&self, extra_bytes: usize) -> Vec<u8> {
        [b"PK\x03\x04", &self.fields(extra_bytes)[..], self.name.as_bytes()].concat()
    }
}

/// Adds the list of members to the bytes that hold them.
fn with_list(mut zip: Vec<u8>, members: &[Member]) -> Vec<u8> {
    let begin = zip.len();
    for member in members {
        let offset = (member.offset as u32).to_le_bytes();
        let parts = [b"PK\x01\x02\x14\0", &member.fields(0)[..], &[0; 10], &offset, member.name.as_bytes()];
        zip.extend(parts.concat());
    }
    let length = zip.len() - begin;
    let count = (members.len() as u16).to_le_bytes();
    let [length, begin] = [length, begin].map(|number| (number as u32).to_le_bytes());
    zip.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &length, &begin, &[0; 2]].concat());
    zip
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

const NAMES: [&str; 4] = ["0.sgf", "1.sgf", "2.sgf", "3.sgf"];

/// All members have the same bytes.
fn fully_overlapping() -> Vec<u8> {
    let data = deflate(GAME);
    let members = NAMES.map(|name| Member {
        name: name.to_owned(),
        offset: 0,
        compressed_bytes: data.len(),
        content: GAME.to_vec(),
    });
    with_list([members[0].local_header(0), data].concat(), &members)
}

/// The data of each member begin with a block that holds the header of the next one as plain bytes, and go on with its data.
fn quoting_in_data() -> Vec<u8> {
    let mut members = Vec::<Member>::new();
    let (mut zip, mut content) = (deflate(GAME), GAME.to_vec());
    for name in NAMES.into_iter().rev() {
        let member = Member {
            name: name.to_owned(),
            offset: zip.len(),
            compressed_bytes: zip.len(),
            content: content.clone(),
        };
        let header = member.local_header(0);
        let length = header.len() as u16;
        let quote = [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
        zip = [quote, header.clone(), zip].concat();
        content = [header, content].concat();
        members.push(member);
    }
    // Nothing quotes the first member. The offsets were counted from the end.
    zip.drain(..5);
    for member in &mut members {
        member.offset = zip.len() - member.offset - member.local_header(0).len();
    }
    with_list(zip, &members)
}

/// The header of each member has those of all later ones in its extra field, and all have the same data.
fn quoting_in_headers() -> Vec<u8> {
    let data = deflate(GAME);
    let (mut members, mut headers) = (Vec::<Member>::new(), Vec::new());
    for name in NAMES.into_iter().rev() {
        let member =
            Member { name: name.to_owned(), offset: 0, compressed_bytes: data.len(), content: GAME.to_vec() };
        headers = [member.local_header(headers.len()), headers].concat();
        members.push(Member { offset: headers.len(), ..member });
    }
    for member in &mut members {
        member.offset = headers.len() - member.offset;
    }
    with_list([headers, data].concat(), &members)
}

#[test]
fn overlapping_members_of_a_zip_are_not_unpacked() {
    for zip in [fully_overlapping(), quoting_in_data(), quoting_in_headers()] {
        // It is a zip archive in which each member could be unpacked.
        let mut archive = zip::ZipArchive::new(Cursor::new(&zip)).unwrap();
        let mut unpacked = Vec::new();
        for index in 0..NAMES.len() {
            std::io::copy(&mut archive.by_index(index).unwrap(), &mut unpacked).unwrap();
        }
        assert!(unpacked.len() >= NAMES.len() * GAME.len());
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("x.zip");
        fs::write(&path, zip).unwrap();
        let mut items = Vec::new();
        read_sources(std::slice::from_ref(&path), SourceLimits::default(), |item| {
            items.push(item);
            ControlFlow::Continue(())
        });
        let [SourceItem { name, content: Err(error) }] = &items[..] else { panic!("{items:?}") };
        assert_eq!((name, error.reason), (&path.display().to_string(), "overlapping members"));
        assert!(error.text.starts_with("the members `0.sgf` and `1.sgf` overlap: "), "{error}");
    }
}

#[test]
fn zip_members_side_by_side_are_read() {
    let fill = |mut writer: ZipWriter<_>| {
        let options = SimpleFileOptions::default();
        writer.add_directory("d", options).unwrap();
        for (name, bytes) in [("d/1.sgf", GAME), ("empty.txt", b""), ("2.sgf", GAME)] {
            writer.start_file(name, options.large_file(name == "2.sgf")).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap()
    };
    let games = ["x.zip/d/1.sgf", "x.zip/2.sgf"].map(game);
    let zip = fill(ZipWriter::new(Cursor::new(Vec::new()))).into_inner();
    assert_eq!(read_file("x.zip", &zip), games);
    // After other bytes, as in an archive that unpacks itself.
    assert_eq!(read_file("x.zip", &[&[7; 100_000], &zip[..]].concat()), games);
    // With a member whose header is damaged.
    let mut damaged = zip;
    let header = damaged.windows(7).position(|bytes| bytes == b"d/1.sgf").unwrap() - 30;
    damaged[header] = b'Q';
    let found = read_file("x.zip", &damaged);
    assert_eq!(found, [fault("x.zip/d/1.sgf", "damaged archive"), games[1].clone()]);
}
