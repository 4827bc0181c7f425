//! Which part of a run a process works on, as its arguments or the scheduler of an array of jobs say.

use std::env;

use jigo_selfplay::dataset::{InvalidPart, Part};

/// The variables in which schedulers tell a process its place in an array of jobs.
const PLACES: [(&str, &str); 3] = [
    ("Slurm", "SLURM_ARRAY_TASK_ID"),
    ("a Kubernetes Indexed Job", "JOB_COMPLETION_INDEX"),
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX"),
];

/// A part written as `I/N`, or `auto/N` for the place in an array of N jobs.
pub(crate) fn part(text: &str) -> Result<Part, String> {
    part_with(text, |name| env::var(name).ok())
}

fn part_with(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Part, String> {
    let parse = |text: &str| text.parse().map_err(|error: InvalidPart| error.to_string());
    let Some(count) = text.strip_prefix("auto/") else { return parse(text) };
    parse(&format!("0/{count}"))?;
    let set = PLACES.into_iter().filter_map(|(_, name)| Some((name, variable(name)?)));
    let (name, place) = match &set.collect::<Vec<_>>()[..] {
        [] => return Err(format!("this process is in no array of jobs: none of {} is set", names())),
        [(name, place)] => (*name, place.clone()),
        [(one, _), (other, _), ..] => {
            return Err(format!("both {one} and {other} are set: write --shard I/{count}"));
        }
    };
    let advice =
        || format!("{name} is `{place}`: the jobs of the array must be numbered from 0 to {count}-1");
    parse(&format!("{place}/{count}")).map_err(|_| advice())
}

fn names() -> String {
    PLACES.map(|(scheduler, name)| format!("{name} ({scheduler})")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, set: &[(&str, &str)]) -> Result<String, String> {
        let value =
            |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
        part_with(text, value).map(|part| part.to_string())
    }

    #[test]
    fn schedulers_say_which_part() {
        for (_, name) in PLACES {
            assert_eq!(read("auto/8", &[(name, "3")]).unwrap(), "3/8");
            assert!(read("auto/8", &[(name, "8")]).unwrap_err().contains("numbered from 0 to 8-1"));
            assert!(read("auto/8", &[(name, "x")]).unwrap_err().contains(name));
            assert!(read("auto/x", &[(name, "0")]).is_err());
            // What is written counts.
            assert_eq!(read("1/2", &[(name, "0")]).unwrap(), "1/2");
        }
        assert!(read("auto/8", &[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID"));
        assert!(
            read("auto/8", &[(PLACES[0].1, "1"), (PLACES[2].1, "1")]).unwrap_err().contains("--shard I/8")
        );
        assert!(read("auto", &[(PLACES[0].1, "1")]).unwrap_err().contains("I/N"));
    }
}
