//! A collection of real games with real faults. Skipped where it is not there.

use std::{collections::BTreeMap, io::Read, path::Path, time::Instant};

use jigo_analysis::records::{
    Analysis, AnalyzeOptions, Fault, FaultStage, ReadProgress, Written, analyze, records_summary,
};

const ARCHIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/games/fox-pro-3000.tar.xz");

/// Whether the archive is there; says so when it is not.
fn has_archive() -> bool {
    let is_there = Path::new(ARCHIVE).is_file();
    if !is_there {
        println!("skipped: {ARCHIVE} is not there");
    }
    is_there
}

fn measure(threads: usize) -> (Analysis, Vec<Fault>) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut faults = Vec::new();
    let mut on_fault = |fault: &Fault| {
        faults.push(fault.clone());
        Ok(())
    };
    let progress = ReadProgress::new();
    let options = AnalyzeOptions::default();
    let analysis = pool
        .install(|| analyze(&[ARCHIVE.into()], &options, <_>::default(), &progress, &mut on_fault))
        .unwrap();
    assert_eq!(progress.files(), 3000);
    assert_eq!(progress.games(), analysis.records.games());
    assert_eq!(progress.faults(), faults.len() as u64);
    (analysis, faults)
}

/// What a property says, found by looking for its name behind a bracket or blank and nothing cleverer.
fn property(bytes: &[u8], name: &str) -> Option<String> {
    let places = bytes.windows(3).enumerate().filter(|(_, window)| *window == format!("{name}[").as_bytes());
    let mut starts = places.map(|(place, _)| place).filter(|&place| !bytes[place - 1].is_ascii_uppercase());
    let start = starts.next()? + 3;
    let length = bytes[start..].iter().position(|&byte| byte == b']')?;
    Some(String::from_utf8_lossy(&bytes[start..start + length]).trim().to_owned())
}

/// Komi, handicap and the first letter of the result.
type Header = (Option<String>, Option<String>, Option<char>);

/// Counts the headers of all files without any of the crate's code.
fn count_headers(left_out: &dyn Fn(&str) -> bool) -> BTreeMap<Header, u64> {
    let file = std::io::BufReader::new(std::fs::File::open(ARCHIVE).unwrap());
    let mut tar = tar::Archive::new(liblzma::bufread::XzDecoder::new(file));
    let mut counts = BTreeMap::new();
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().display().to_string().trim_start_matches("./").to_owned();
        if !entry.header().entry_type().is_file() || left_out(&name) {
            continue;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        let text = |name| property(&bytes, name).filter(|text| !text.is_empty());
        *counts.entry((text("KM"), text("HA"), text("RE").and_then(|re| re.chars().next()))).or_default() +=
            1;
    }
    counts
}

#[test]
fn counts_agree_with_a_simple_count() {
    if !has_archive() {
        return;
    }
    let start = Instant::now();
    let (analysis, faults) = measure(1);
    println!("{:.2} s on one thread", start.elapsed().as_secs_f64());
    println!("{}", records_summary(&analysis.records));
    let study = &analysis.records;
    assert_eq!((study.files, study.other_files), (3000, 0));
    assert_eq!(study.faults.count_at(FaultStage::Record), 3);
    assert_eq!(study.faults.count_at(FaultStage::File), 0);
    assert_eq!(study.games() + study.faults.count(), 3000);
    for fault in &faults {
        assert!(fault.byte > 0 && !fault.text.is_empty() && fault.move_number.is_some(), "{fault}");
        println!("{fault}");
    }

    let is_fault = |name: &str| faults.iter().any(|fault| fault.file.ends_with(name));
    let mut by_header: BTreeMap<(Written, Written), [u64; 3]> = BTreeMap::new();
    for ((komi, handicap, winner), count) in count_headers(&is_fault) {
        let key = (Written::new(komi.as_deref()), Written::new(handicap.as_deref()));
        let column = match winner {
            Some('B') => 0,
            Some('W') => 1,
            Some('d' | '0') => 2,
            other => panic!("{other:?}"),
        };
        by_header.entry(key).or_default()[column] += count;
    }
    let measured: BTreeMap<(Written, Written), [u64; 3]> = study
        .groups
        .iter()
        .map(|(key, measures)| {
            let shares = measures.results.shares();
            assert_eq!(measures.games, shares.games() + measures.results.undecided());
            ((key.komi.clone(), key.handicap.clone()), [shares.black, shares.white, shares.jigo])
        })
        .collect();
    assert_eq!(measured, by_header);
}

#[test]
fn threads_change_nothing() {
    if !has_archive() {
        return;
    }
    let one = measure(1);
    assert_eq!(measure(3), one);
    let json = serde_json::to_string(&one.0.records).unwrap();
    assert_eq!(serde_json::from_str::<jigo_analysis::records::RecordStudy>(&json).unwrap(), one.0.records);
}
