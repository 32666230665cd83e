//! The loop of candidates and repairs, with a task of a few words.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use goalspec_llm::{Cap, ErrorKind, Model, ModelError, Outcome, Reply, Request, Role, ScriptedModel, Turn};
use goalspec_words::extraction::Extraction;
use goalspec_words::pipeline::{Job, RunOptions, RunResults, Task, run};
use goalspec_words::record::{Record, RecordError};
use goalspec_words::{Finding, RepairEnd, Stage, Status, Weight};
use serde_json::json;

/// Programs of the task are lists of words: `bad` is an error of the check, `slow` a warning of the audit, `fyi` a note, `{` does not parse.
struct Words {
    further: Vec<String>,
}

static PLAIN: Words = Words { further: Vec::new() };

fn found(words: &[String], word: &str, stage: Stage, weight: Weight) -> Vec<Finding> {
    let matching = words.iter().filter(|own| own.starts_with(word));
    matching.map(|own| Finding::new(stage, "test/word", weight, format!("the word `{own}`"))).collect()
}

impl Task for Words {
    type Program = Vec<String>;

    fn request(&self) -> Request {
        Request::chat(Some("system".to_owned()), vec![Turn::user("write words")])
    }

    fn further_turns(&self) -> &[String] {
        &self.further
    }

    fn repair_request(&self) -> &'static str {
        "Return all words."
    }

    fn extract(&self, replies: &[&str]) -> Extraction {
        Extraction { program: Some(replies.join(" ")), ..Extraction::default() }
    }

    fn parse(&self, program: &str) -> (Option<Vec<String>>, Vec<Finding>) {
        let words: Vec<String> = program.split(' ').map(str::to_owned).collect();
        let errors = found(&words, "{", Stage::Parsed, Weight::Error);
        (errors.is_empty().then_some(words), errors)
    }

    fn check(&self, words: &mut Vec<String>) -> Vec<Finding> {
        found(words, "bad", Stage::Checked, Weight::Error)
    }

    fn run(&self, _: &mut Vec<String>) -> Vec<Finding> {
        Vec::new()
    }

    fn audit(&self, words: &mut Vec<String>) -> Vec<Finding> {
        let mut findings = found(words, "slow", Stage::Audited, Weight::Warning);
        findings.extend(found(words, "fyi", Stage::Audited, Weight::Note));
        findings
    }
}

/// A task in which only the last reply counts.
struct LastReply;

impl Task for LastReply {
    type Program = Vec<String>;

    fn request(&self) -> Request {
        PLAIN.request()
    }

    fn repair_request(&self) -> &'static str {
        PLAIN.repair_request()
    }

    fn extract(&self, replies: &[&str]) -> Extraction {
        PLAIN.extract(&replies[replies.len() - 1..])
    }

    fn parse(&self, program: &str) -> (Option<Vec<String>>, Vec<Finding>) {
        PLAIN.parse(program)
    }

    fn check(&self, words: &mut Vec<String>) -> Vec<Finding> {
        PLAIN.check(words)
    }

    fn run(&self, words: &mut Vec<String>) -> Vec<Finding> {
        PLAIN.run(words)
    }

    fn audit(&self, words: &mut Vec<String>) -> Vec<Finding> {
        PLAIN.audit(words)
    }
}

fn run_with<T: Task>(task: &T, jobs: usize, model: &dyn Model, record: &Record) -> RunResults {
    let jobs: Vec<Job<'_, T>> =
        (0..jobs).map(|index| Job { id: format!("1-{}", index + 1), attempt: index as u32, task }).collect();
    run(&jobs, model, RunOptions { max_repairs: 3, threads: 2 }, record, &|_, _| ()).unwrap()
}

fn one(replies: &[&str]) -> (goalspec_words::Candidate, usize) {
    let model = ScriptedModel::with_texts(replies.iter().copied());
    let results = run_with(&LastReply, 1, &model, &Record::in_memory());
    (results.candidates.into_iter().next().unwrap(), model.requests().len())
}

#[test]
fn a_program_without_findings_is_accepted_with_one_call() {
    let (candidate, calls) = one(&["good fyi"]);
    assert_eq!((candidate.status, calls, candidate.repairs), (Status::Accepted, 1, 0));
    assert_eq!(candidate.repair_end, RepairEnd::NothingToRepair);
}

#[test]
fn a_finding_goes_back_in_the_same_conversation() {
    let model = ScriptedModel::with_texts(["bad1", "good"]);
    let results = run_with(&LastReply, 1, &model, &Record::in_memory());
    assert_eq!(results.candidates[0].status, Status::Accepted);
    let requests = model.requests();
    let goalspec_llm::Prompt::Chat { system, turns } = &requests[1].prompt else { panic!() };
    assert_eq!(system.as_deref(), Some("system"));
    let roles: Vec<Role> = turns.iter().map(|turn| turn.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
    assert_eq!(turns[1].text, "bad1");
    assert!(turns[2].text.contains("test/word: the word `bad1`") && turns[2].text.ends_with("Return all words."));
}

#[test]
fn repairs_end_at_their_maximum_or_without_progress() {
    let (candidate, calls) = one(&["bad1", "bad2", "bad3", "bad4", "good"]);
    assert_eq!((candidate.repair_end, calls), (RepairEnd::MaxRepairs, 4));
    assert!(matches!(candidate.status, Status::Rejected(reasons) if reasons == ["the word `bad4`"]));
    let (candidate, calls) = one(&["bad1", "bad1 more", "good"]);
    assert_eq!((candidate.repair_end, calls), (RepairEnd::SameFindings, 2));
    let (candidate, calls) = one(&["bad1", "bad1", "good"]);
    assert_eq!((candidate.repair_end, calls), (RepairEnd::SameReply, 2));
    // One of two findings is gone: this is progress.
    let (candidate, calls) = one(&["slow1 slow2", "slow2", "good"]);
    assert_eq!((candidate.status, calls), (Status::Accepted, 3));
}

#[test]
fn the_best_attempt_is_the_result() {
    let (candidate, _) = one(&["slow1", "bad1", "bad1 again"]);
    assert_eq!((candidate.status.clone(), candidate.program()), (Status::AcceptedWithWarnings, Some("slow1")));
    let warnings: Vec<_> = candidate.result().unwrap().findings_of(Weight::Warning).collect();
    assert_eq!(warnings.len(), 1);
}

#[test]
fn a_cut_or_refused_reply_is_never_read_as_a_program() {
    for (outcome, reason) in [
        (Outcome::Cut, "the reply was cut"),
        (Outcome::Refused(Some("no".to_owned())), "the model refused to answer: no"),
        (Outcome::Filtered, "a content filter"),
        (Outcome::Other("tool".to_owned()), "`tool`"),
    ] {
        let cut = Reply { outcome, ..Reply::complete("good") };
        let model = ScriptedModel::new([Ok(cut), Ok(Reply::complete("")), Ok(Reply::complete("good"))]);
        let results = run_with(&LastReply, 1, &model, &Record::in_memory());
        let candidate = &results.candidates[0];
        assert_eq!(candidate.status, Status::Accepted);
        assert_eq!((candidate.attempts[0].program.as_ref(), candidate.attempts[1].program.as_ref()), (None, None));
        assert!(candidate.attempts[0].findings[0].message.contains(reason), "{:?}", candidate.attempts[0]);
        assert_eq!(candidate.attempts[1].findings[0].code, "words/empty-reply");
        assert_eq!(candidate.repairs, 2);
    }
}

#[test]
fn further_turns_come_before_the_evaluation() {
    let task = Words { further: vec!["more".to_owned(), "last".to_owned()] };
    let cut = Reply { outcome: Outcome::Cut, ..Reply::complete("bad") };
    let model =
        ScriptedModel::new([Ok(Reply::complete("a")), Ok(cut), Ok(Reply::complete("b")), Ok(Reply::complete("c"))]);
    let results = run_with(&task, 1, &model, &Record::in_memory());
    let candidate = &results.candidates[0];
    assert_eq!((candidate.status.clone(), candidate.program()), (Status::Accepted, Some("a b c")));
    let asked: Vec<&str> =
        candidate.turns.iter().filter(|turn| turn.role == Role::User).map(|turn| turn.text.as_str()).collect();
    assert_eq!((asked[1], asked[3]), ("more", "last"));
    assert!(asked[2].contains("the reply was cut"));
}

#[test]
fn a_cap_that_is_reached_ends_the_run_and_keeps_its_candidates() {
    let cap = || Err(ModelError::new(ErrorKind::CapReached(Cap::Calls), "the cap of 4 calls is reached"));
    let texts = ["good", "slow1", "bad1", "bad1"].map(|text| Ok(Reply::complete(text)));
    let model = ScriptedModel::new(texts.into_iter().chain([cap(), cap(), cap()]));
    let results = run_with(&LastReply, 4, &model, &Record::in_memory());
    assert_eq!(results.interruption.unwrap().kind, ErrorKind::CapReached(Cap::Calls));
    let statuses: Vec<&str> = results.candidates.iter().map(|candidate| candidate.status.name()).collect();
    assert_eq!(statuses, ["accepted", "accepted with warnings", "unfinished", "unfinished"]);
}

#[test]
fn a_failed_call_ends_its_candidate_only() {
    let error = ModelError::new(ErrorKind::Rejected, "400");
    let model = ScriptedModel::new([Err(error), Ok(Reply::complete("good"))]);
    let results = run_with(&LastReply, 2, &model, &Record::in_memory());
    assert_eq!(results.candidates[0].status.name(), "failed");
    assert_eq!(results.candidates[1].status, Status::Accepted);
    assert_eq!(results.interruption, None);
}

/// A model that fails at the call `limit`, as a process that is killed there.
struct Killed<'m> {
    inner: &'m dyn Model,
    calls: AtomicUsize,
    limit: usize,
    texts: Mutex<Vec<String>>,
}

impl Model for Killed<'_> {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        if self.calls.fetch_add(1, Ordering::Relaxed) >= self.limit {
            return Err(ModelError::new(ErrorKind::Off, "killed"));
        }
        self.texts.lock().unwrap().push(format!("{} {}", request.attempt, request.prompt.text()));
        self.inner.complete(request)
    }

    fn name(&self) -> &'static str {
        "killed"
    }
}

/// A model whose reply depends on the request alone.
struct Scribe;

impl Model for Scribe {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let goalspec_llm::Prompt::Chat { turns, .. } = &request.prompt else { panic!() };
        let texts = ["bad1 slow1", "slow1", "slow2 fyi", "good"];
        Ok(Reply::complete(texts[(turns.len() / 2 + request.attempt as usize).min(3)]))
    }

    fn name(&self) -> &'static str {
        "scribe"
    }
}

fn record(path: &Path) -> Record {
    Record::open(path, "words", &json!({ "repairs": 3 })).unwrap()
}

#[test]
fn a_run_that_is_killed_anywhere_resumes_without_repeating_a_call() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.jsonl");
    let expected = run_with(&LastReply, 3, &Scribe, &record(&whole)).candidates;
    let text = std::fs::read_to_string(&whole).unwrap();
    let calls = expected.iter().map(|candidate| candidate.replies.len()).sum::<usize>();
    // Killed while a line was written, after every byte.
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)).step_by(7) {
        let path = folder.path().join("cut.jsonl");
        std::fs::write(&path, &text[..end]).unwrap();
        let recorded = text[..end].rfind('\n').map_or(0, |end| text[..end].matches("\"event\":\"replied\"").count());
        let model = Killed { inner: &Scribe, calls: AtomicUsize::new(0), limit: usize::MAX, texts: Mutex::default() };
        let candidates = run_with(&LastReply, 3, &model, &record(&path)).candidates;
        assert_eq!(candidates, expected, "{end}");
        assert_eq!(model.texts.lock().unwrap().len(), calls - recorded, "{end}");
        assert_eq!(std::fs::read_to_string(&path).unwrap().matches("\"replied\"").count(), calls, "{end}");
    }
    // Killed at every call.
    for limit in 0..=calls {
        let path = folder.path().join(format!("killed-{limit}.jsonl"));
        let model = Killed { inner: &Scribe, calls: AtomicUsize::new(0), limit, texts: Mutex::default() };
        run_with(&LastReply, 3, &model, &record(&path));
        let again = Killed { inner: &Scribe, calls: AtomicUsize::new(0), limit: usize::MAX, texts: Mutex::default() };
        assert_eq!(run_with(&LastReply, 3, &again, &record(&path)).candidates, expected, "{limit}");
        let mut asked = [model.texts.into_inner().unwrap(), again.texts.into_inner().unwrap()].concat();
        asked.sort();
        let distinct = asked.len();
        asked.dedup();
        assert_eq!((asked.len(), distinct), (calls, calls), "{limit}");
    }
}

#[test]
fn a_record_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let first = record(&path);
    let error = Record::open(&path, "words", &json!({ "repairs": 3 })).unwrap_err();
    assert!(matches!(&error, RecordError::InUse(_)), "{error}");
    drop(first);
    drop(record(&path));
}

#[test]
fn a_record_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    drop(record(&path));
    let error = Record::open(&path, "words", &json!({ "repairs": 2 })).unwrap_err();
    assert!(matches!(&error, RecordError::OtherRun(_, _)));
    assert!(error.to_string().ends_with("`repairs` is 3, not 2"), "{error}");
    for text in ["x\n", "{}\n", "{\"format\":\"goalspec-candidates-2\",\"kind\":\"words\",\"settings\":{}}\n"] {
        std::fs::write(&path, text).unwrap();
        let error = Record::open(&path, "words", &json!({})).unwrap_err();
        assert!(matches!(&error, RecordError::Unreadable(_, _)), "{text}: {error}");
    }
}

#[test]
fn every_arrow_is_recorded_before_the_next_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let seen = Mutex::new(Vec::new());
    let jobs = [Job { id: "1-1".to_owned(), attempt: 0, task: &LastReply }];
    let model = ScriptedModel::with_texts(["bad1", "good"]);
    run(&jobs, &model, RunOptions::default(), &record(&path), &|_, event| seen.lock().unwrap().push(event.name()))
        .unwrap();
    let arrows = "asked replied extracted parsed checked asked replied extracted parsed checked run audited accepted";
    assert_eq!(seen.into_inner().unwrap().join(" "), arrows);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 1 + arrows.split(' ').count());
}
