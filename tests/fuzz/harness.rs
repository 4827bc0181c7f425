//! What all targets share: corpus, clock, limits, and the file of the input that is being read.

use std::{
    env, fs,
    io::{Seek as _, SeekFrom, Write as _},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use nix::time::ClockId;

use crate::{
    coverage::Coverage,
    memory,
    mutate::{Draws, mutated},
};

/// The most processor time that one input may take. The time on the clock would depend on what else the machine does.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most memory of targets that ask for statuses: a search of 5,000 states, the default, keeps up to 100 MB in a part of 64 points.
pub(crate) const MAX_FOR_STATUS: usize = 128 << 20;

/// A reader of bytes.
pub(crate) struct Target {
    /// Also the name of its folder in the corpus.
    pub(crate) name: &'static str,
    /// Inputs beside those of the corpus.
    pub(crate) made: Vec<Vec<u8>>,
    /// Pieces that matter to the reader.
    pub(crate) tokens: &'static [&'static str],
    /// The most bytes of memory that one input may take.
    pub(crate) memory: usize,
}

/// Targets run one after the other, since memory is counted for the whole process.
pub(crate) fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Target {
    /// The folder in which a target may write.
    pub(crate) fn folder(name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Checks the corpus, and then inputs made of it until the time is over. `check` takes the bytes and a file that holds them. If coverage is
    /// measured, inputs that reach new code join the corpus.
    pub(crate) fn run(&self, check: impl Fn(&[u8], &Path)) {
        let _turn = turn();
        let seconds = number("JIGO_FUZZ_SECONDS", 2);
        let mut coverage = Coverage::new();
        let kept_in = env::var_os("JIGO_FUZZ_KEPT").map(|folder| Path::new(&folder).join(self.name));
        let mut corpus = self.corpus(kept_in.as_deref());
        let given = corpus.len();
        let mut input = Kept::new(Self::folder(self.name).join("input"));
        let watch = Watch::start(&input.path);
        let mut draws = Draws::new(number("JIGO_FUZZ_SEED", 1));
        for bytes in &corpus {
            self.check_one(&mut input, &watch, &mut coverage, bytes, &check);
        }
        let length = Duration::from_secs(seconds);
        let (start, start_processor) = (Instant::now(), processor_time());
        let mut cases = 0_u64;
        self.report(start, cases, &coverage, &corpus);
        // The next report comes when this fraction of the time is over.
        let mut fraction = 64;
        while start.elapsed() < length {
            let bytes = mutated(&corpus, self.tokens, &mut draws);
            if self.check_one(&mut input, &watch, &mut coverage, &bytes, &check) {
                if let Some(folder) = &kept_in {
                    fs::write(folder.join(&blake3::hash(&bytes).to_hex()[..16]), &bytes).unwrap();
                }
                corpus.push(bytes);
            }
            cases += 1;
            if start.elapsed() * fraction >= length {
                self.report(start, cases, &coverage, &corpus);
                fraction /= 4;
            }
        }
        println!("{}: {given} inputs in the corpus, {cases} made of them", self.name);
        let busy = processor_time() - start_processor;
        assert!(cases >= busy.as_secs(), "only {cases} inputs in {busy:?}");
    }

    /// Prints how much was covered until now, if coverage is measured.
    fn report(&self, start: Instant, cases: u64, coverage: &Coverage, corpus: &[Vec<u8>]) {
        if coverage.is_measured() {
            let (name, seconds, edges, kept) =
                (self.name, start.elapsed().as_secs(), coverage.edges, corpus.len());
            println!("{name}: {seconds} s, {cases} inputs, {edges} edges, {kept} in the corpus");
        }
    }

    /// Returns the inputs to begin with: those of the corpus and those in a folder, which is created if it does not exist.
    fn corpus(&self, kept_in: Option<&Path>) -> Vec<Vec<u8>> {
        let files = |folder: &Path| -> Vec<PathBuf> {
            let mut paths: Vec<PathBuf> =
                fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            paths.sort();
            paths
        };
        let mut paths =
            files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(self.name));
        assert!(!paths.is_empty(), "the corpus of {} is empty", self.name);
        if let Some(folder) = kept_in {
            fs::create_dir_all(folder).unwrap();
            paths.extend(files(folder));
        }
        self.made.iter().cloned().chain(paths.iter().map(|path| fs::read(path).unwrap())).collect()
    }

    /// Returns whether the input reached code that no input had reached before.
    fn check_one(
        &self,
        input: &mut Kept,
        watch: &Watch,
        coverage: &mut Coverage,
        bytes: &[u8],
        check: &impl Fn(&[u8], &Path),
    ) -> bool {
        input.put(bytes);
        watch.begin();
        let begin = processor_time();
        let job = || catch_unwind(AssertUnwindSafe(|| check(bytes, &input.path)));
        coverage.begin();
        let (result, peak) = memory::peak_of(job);
        let is_new = coverage.end();
        let elapsed = processor_time() - begin;
        let failed = |what: String| {
            let shown = &bytes[..bytes.len().min(2000)];
            eprintln!("input: b\"{}\"", shown.escape_ascii());
            eprintln!("{}: {what}. The input is kept: {}", self.name, input.keep().display());
        };
        if let Err(panic) = result {
            failed("it panics".to_owned());
            resume_unwind(panic);
        }
        if peak > self.memory || elapsed > PATIENCE {
            failed(format!("{peak} bytes of at most {}, {elapsed:?} of at most {PATIENCE:?}", self.memory));
            panic!("without bound");
        }
        is_new
    }
}

/// What all threads together have used.
fn processor_time() -> Duration {
    ClockId::CLOCK_PROCESS_CPUTIME_ID.now().unwrap().into()
}

fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{variable}={text}")))
}

/// A file whose content changes often.
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    file: fs::File,
}

impl Kept {
    pub(crate) fn new(path: PathBuf) -> Self {
        let file = fs::File::create(&path).unwrap();
        Self { path, file }
    }

    /// Replaces the content.
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        // Never cut to nothing and never closed: that would make file systems write it out each time.
        self.file.seek(SeekFrom::Start(0)).unwrap();
        self.file.write_all(bytes).unwrap();
        self.file.set_len(bytes.len() as u64).unwrap();
    }

    /// Copies the file to one that stays.
    fn keep(&self) -> PathBuf {
        let bytes = fs::read(&self.path).unwrap();
        let name = &blake3::hash(&bytes).to_hex()[..16];
        let kept = self.path.with_file_name(format!("failed-{name}"));
        fs::write(&kept, bytes).unwrap();
        kept
    }
}

/// Ends the process when an input takes forever.
struct Watch {
    /// When the input began, in milliseconds from the start.
    begun_ms: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
    start: Instant,
}

impl Watch {
    fn start(path: &Path) -> Self {
        let watch = Self { begun_ms: Arc::default(), is_over: Arc::default(), start: Instant::now() };
        let (begun_ms, is_over, start) = (watch.begun_ms.clone(), watch.is_over.clone(), watch.start);
        let path = path.to_owned();
        thread::spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(500));
                let begun = Duration::from_millis(begun_ms.load(Ordering::Relaxed));
                if start.elapsed().saturating_sub(begun) > 10 * PATIENCE && !is_over.load(Ordering::Relaxed) {
                    eprintln!("an input takes forever: {}", path.display());
                    std::process::abort();
                }
            }
        });
        watch
    }

    fn begin(&self) {
        self.begun_ms.store(self.start.elapsed().as_millis() as u64, Ordering::Relaxed);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}
