//! Game records: what was read can be replayed or says why not, and survives being written and read again.

use jigo_selfplay::sgf::{read_collection, replay, rules_of, to_protocol, write};

use crate::harness::Target;

const TOKENS: &[&str] = &[
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    ":",
    "(;",
    "B[aa]",
    "W[tt]",
    "AB[aa:ss]",
    "AE[bb]",
    "SZ[25]",
    "SZ[1:25]",
    "SZ[1]",
    "CA[Big5]",
    "CA[UTF-16]",
    "PL[X]",
    "RE[",
    "\0",
    "\n",
    "KM[-",
    "HA[99]",
    "RU[GOE]",
    "JC[",
    "JE[",
    "JF[",
];

#[test]
fn sgf() {
    let target = Target { name: "sgf", made: Vec::new(), tokens: TOKENS, memory: 64 << 20 };
    target.run(|bytes, _| {
        for record in read_collection(bytes).iter().flatten() {
            let text = write(&record.game);
            let again = read_collection(text.as_bytes());
            let [Ok(second)] = &again[..] else { panic!("what was written cannot be read: {text}") };
            assert_eq!(second.game, record.game, "{text}");
            if let Err(fault) = replay(record, *rules_of(&record.game)) {
                assert!(fault.to_string().contains("byte "), "{fault}");
            }
            if let Err(error) = to_protocol(&record.game) {
                assert!(!error.to_string().is_empty());
            }
        }
    });
}
