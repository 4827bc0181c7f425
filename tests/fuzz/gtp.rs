//! Whole conversations: every command gets one reply of the form that the protocol demands.

use std::io::Cursor;

use jigo_selfplay::gtp::{Gtp, GtpOptions, serve};

use crate::harness::{MAX_FOR_STATUS, Target};

const TOKENS: &[&str] = &[
    "\n",
    "play b A1\n",
    "play w C3\n",
    "genmove b\n",
    "genmove w\n",
    "boardsize 3\n",
    "boardsize 25\n",
    "clear_board\n",
    "undo\n",
    "komi 7.5\n",
    "final_score\n",
    "final_status_list dead\n",
    "showboard\n",
    "all_legal b\n",
    "set_free_handicap A1 B2\n",
    "fixed_handicap 2\n",
    "place_free_handicap 3\n",
    "kata-set-rules japanese\n",
    "kata-set-rule ko SIMPLE\n",
    "kata-get-rules\n",
    "kata-analyze b 1 ownership true\n",
    "lz-analyze 1 maxmoves 2\n",
    "kata-genmove_analyze w 1\n",
    "time_settings 0 1 1\n",
    "time_left b 1 0\n",
    "jigo-score\n",
    "jigo-begin tromp-taylor\n",
    "jigo-begin czech\n",
    "jigo-begin brainking\n",
    "jigo-begin makrai-territory\n",
    "jigo-phase\n",
    "jigo-events\n",
    "jigo-conduct\n",
    "jigo-result\n",
    "jigo-handicap A1 B2\n",
    "jigo-hand-over w\n",
    "jigo-challenge b A1\n",
    "jigo-mark b A1\n",
    "jigo-mark-seki b A1\n",
    "jigo-propose b\n",
    "jigo-accept w\n",
    "jigo-reject w\n",
    "jigo-demand b modified\n",
    "jigo-modify-ko w\n",
    "jigo-claim b dead A1\n",
    "jigo-resign b\n",
    "jigo-offer-draw b\n",
    "jigo-accept-draw w\n",
    "jigo-check b claim alive C3\n",
    "known_command ",
    "#",
    " ",
    "\t",
    "\r",
    "\0",
    "pass",
    "quit\n",
    "9",
    "{\"ko\":\"SIMPLE\"}",
];

/// Commands of one conversation, and those among them that search for statuses: bounds time.
const MAX_LINES: usize = 100;
const MAX_SEARCHES: usize = 2;

#[test]
fn gtp() {
    let target = Target { name: "gtp", made: Vec::new(), tokens: TOKENS, memory: MAX_FOR_STATUS };
    target.run(|bytes, _| {
        let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
        let mut searches = 0;
        let is_bounded = |line: &&[u8]| {
            let searched = has_word(line, b"score") || has_word(line, b"status");
            searches += usize::from(searched);
            let is_too_many = searched && searches > MAX_SEARCHES;
            !(has_word(line, b"sgf") || is_too_many)
        };
        let harmless = lines.into_iter().filter(is_bounded).take(MAX_LINES);
        let input = harmless.collect::<Vec<_>>().join(&b'\n');
        let options = GtpOptions { size: "9".parse().unwrap(), ..GtpOptions::default() };
        let mut output = Vec::new();
        serve(&mut Gtp::new(&options), Cursor::new(input.clone()), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        let commands = input.split(|&byte| byte == b'\n').count();
        let replies: Vec<&str> = text.split_terminator("\n\n").collect();
        assert!(replies.len() <= commands, "{} replies to {commands} commands", replies.len());
        assert!(replies.iter().all(|reply| reply.starts_with(['=', '?'])), "{text}");
    });
}

/// Whether a line could be a command with this word; `sgf` is in those that read and write files. Control characters in it do not count.
fn has_word(line: &[u8], word: &[u8]) -> bool {
    let letters: Vec<u8> = line.iter().copied().filter(u8::is_ascii_alphabetic).collect();
    letters.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}
