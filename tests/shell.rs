//! Completions and manual pages, read by the programs that they are for.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::ErrorKind,
    path::Path,
    process::{Command, Output, Stdio},
};

const JIGO: &str = env!("CARGO_BIN_EXE_jigo");
const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

#[track_caller]
fn jigo(arguments: &[&str]) -> String {
    let output = Command::new(JIGO).args(arguments).output().expect("the command starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// What another program says; nothing where it is not installed.
fn run(program: &str, arguments: &[&str]) -> Option<Output> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
    match output {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("skipped: {program} is not installed");
            None
        }
        output => Some(output.expect("the program starts")),
    }
}

/// The commands that the help lists.
fn commands() -> Vec<String> {
    let help = jigo(&["--help"]);
    let listed =
        help.lines().skip_while(|line| !line.starts_with("Usage")).take_while(|line| *line != "Options:");
    let named = listed.filter(|line| line.starts_with("  "));
    let names = named.map(|line| line.split_whitespace().next().unwrap().to_owned());
    let commands: Vec<String> = names.collect();
    assert!(commands.len() > 15 && commands.contains(&"study".to_owned()), "{commands:?}");
    commands
}

#[test]
fn the_readme_lists_the_commands_as_the_help_does() {
    let help = jigo(&["--help"]);
    let from = help.find("Measure:").expect("the first group");
    let to = help.find("Options:").expect("what follows the last group");
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let commands = format!("```text\n{}\n```\n", help[from..to].trim_end());
    assert!(readme.contains(&commands), "the README must have these lines:\n{commands}");
}

/// The long options that the help of a command lists.
fn options(command: &str) -> BTreeSet<String> {
    let help = jigo(&[command, "--help"]);
    let lines = help.lines().map(str::trim_start);
    // After the short form, as in `-h, `, if there is one.
    let long = lines.map(|line| match line.as_bytes() {
        [b'-', letter, b',', b' ', ..] if letter.is_ascii_alphabetic() => &line[4..],
        _ => line,
    });
    let words = long.filter(|line| line.starts_with("--")).map(|line| {
        line.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect()
    });
    words.collect()
}

#[test]
fn every_shell_knows_every_command_and_option() {
    for shell in SHELLS {
        let script = jigo(&["completions", shell]);
        for command in commands() {
            assert!(script.contains(&command), "{shell}: {command}");
            for option in options(&command) {
                let name = option.trim_start_matches('-');
                let written = if shell == "fish" { format!(" -l {name}") } else { option.clone() };
                assert!(script.contains(&written), "{shell}: {command} {option}");
            }
        }
    }
}

#[test]
fn shells_can_read_their_completions() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let path = folder.path().join(shell);
        fs::write(&path, jigo(&["completions", shell])).unwrap();
        let Some(output) = run(shell, &["-n", path.to_str().unwrap()]) else { continue };
        assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// What bash offers for each line, of which the last word is completed.
fn offered_by_bash(lines: &[String]) -> Option<Vec<BTreeSet<String>>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jigo.bash");
    fs::write(&path, jigo(&["completions", "bash"])).unwrap();
    let script = r#"
        source "$0"
        [[ $(complete -p jigo) == *" -F _jigo "* ]] || exit 1
        for line in "$@"; do
            COMP_WORDS=($line) COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _jigo jigo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
        done"#;
    let mut arguments = vec!["--norc", "-c", script, path.to_str().unwrap()];
    arguments.extend(lines.iter().map(String::as_str));
    let output = run("bash", &arguments)?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let offered: Vec<_> =
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    assert_eq!(offered.len(), lines.len(), "{text}");
    Some(offered)
}

#[test]
fn bash_completes_commands_options_and_values() {
    let lines = ["jigo stu", "jigo study --rep", "jigo export --to n", "jigo completions z"];
    let Some(offered) = offered_by_bash(&lines.map(str::to_owned)) else { return };
    let expected = [vec!["study"], vec![], vec!["npz"], vec!["zsh"]];
    assert_eq!(offered, expected.map(|words| words.into_iter().map(str::to_owned).collect()));
    let commands = commands();
    let lines: Vec<String> = commands.iter().map(|command| format!("jigo {command} --")).collect();
    let offered: BTreeMap<_, _> = commands.iter().zip(offered_by_bash(&lines).unwrap()).collect();
    for (command, offered) in offered {
        assert_eq!(offered, options(command), "{command}");
    }
}

/// The text of a page without its escapes.
fn page(dir: &Path, name: &str) -> String {
    let path = dir.join(format!("{name}.1"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}")).replace("\\-", "-")
}

#[test]
fn every_command_has_a_page_with_all_its_options() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("pages/man1");
    jigo(&["man", "--out", dir.to_str().unwrap()]);
    let first = page(&dir, "jigo");
    assert_eq!(first, jigo(&["man"]).replace("\\-", "-"));
    let commands = commands();
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1 + commands.len());
    for command in &commands {
        assert!(first.contains(&format!("jigo-{command}(1)")), "{command}");
        let page = page(&dir, &format!("jigo-{command}"));
        for option in options(command) {
            assert!(page.contains(&format!("\\fB{option}\\fR")), "{command} {option}");
        }
    }
    for entry in fs::read_dir(&dir).unwrap() {
        let path = entry.unwrap().path();
        let arguments = ["-ww", "-man", "-K", "utf8", "-T", "utf8", "-z", path.to_str().unwrap()];
        let Some(output) = run("groff", &arguments) else { return };
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && complaint.is_empty(), "{}: {complaint}", path.display());
    }
}

#[test]
fn a_folder_that_cannot_be_written_gets_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let output = Command::new(JIGO).arg("man").arg("--out").arg(&file).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(file.to_str().unwrap()) && message.contains("give a folder"), "{message}");
}
