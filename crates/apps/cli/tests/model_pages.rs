//! Commands that call servers, against servers on this machine that imitate them: those of the pages about language models, and a run that
//! is killed.

use std::path::Path;
use std::process::Stdio;

use goalspec::llm::{ClientOptions, Model as _, Request, Turn};
use goalspec_testing::model_server::{AnswerStep, ModelServer, ReceivedRequest, answer};
use serde_json::{Value, json};

use crate::common::{Done, Folder, GOALSPEC, finish, root};

const KEY: &str = "sk-a-key-of-this-test";

/// A kind of server, by what its list of models says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    LlamaCpp,
    Ollama,
    OpenAi,
}

/// Returns the text of a reply: a reward function, or what a translator without errors says.
fn reply_text(kind: Kind, body: &Value) -> String {
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let messages: Vec<&Value> = body["messages"].as_array().unwrap().iter().collect();
    if let Some(word) = body["grammar"].as_str().and_then(|grammar| grammar.split('"').nth(1)) {
        return word.to_owned();
    }
    if messages.iter().any(|message| text(message).contains("reward function")) {
        let replies = std::fs::read_to_string(root().join("examples/words/pong-replies.jsonl")).unwrap();
        let program: Value = serde_json::from_str(replies.lines().last().unwrap()).unwrap();
        let program = program["text"].as_str().unwrap();
        // A server that repeats the key must not make it a part of a file.
        return if kind == Kind::OpenAi { format!("Your key is {KEY}.\n\n{program}") } else { program.to_owned() };
    }
    let turns = messages.iter().filter(|message| message["role"] != "system").map(|message| match &message["role"] {
        Value::String(role) if role == "assistant" => Turn::assistant(text(message)),
        _ => Turn::user(text(message)),
    });
    let options = ClientOptions { model: Some("fake:translator".to_owned()), ..ClientOptions::default() };
    let client = options.open(&goalspec::language_models::stand_ins()).unwrap();
    client.complete(&Request::chat(None, turns.collect())).unwrap().text
}

fn serve(kind: Kind, request: &ReceivedRequest) -> Vec<AnswerStep> {
    let owner = match kind {
        Kind::LlamaCpp => "llamacpp",
        Kind::Ollama => "library",
        Kind::OpenAi => "openai",
    };
    if request.target.starts_with("GET") {
        let models = json!({"object": "list", "data": [{"id": "m", "owned_by": owner}]});
        return if request.target.ends_with("/models") {
            answer(200, &[], &models.to_string())
        } else {
            answer(404, &[], "")
        };
    }
    if kind == Kind::OpenAi && request.header("authorization") != Some(format!("Bearer {KEY}").as_str()) {
        return answer(401, &[], r#"{"error": {"message": "no key", "type": "invalid_request_error", "code": null}}"#);
    }
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let text = reply_text(kind, &body);
    if body["stream"] == true {
        let chunk = json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]});
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
        let events = format!(": ping\n\ndata: {chunk}\n\ndata: {end}\n\ndata: [DONE]\n\n");
        return goalspec_testing::model_server::stream(&events, 1000);
    }
    let message = json!({"role": "assistant", "content": text});
    answer(
        200,
        &[],
        &json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).to_string(),
    )
}

/// A block of a page: its info string, the file that it is, and its text.
struct Block {
    info: String,
    file: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let text = std::fs::read_to_string(root().join("docs/src").join(page)).unwrap();
    let mut found: Vec<Block> = Vec::new();
    let (mut file, mut is_inside) = (None, false);
    for line in text.lines() {
        match (is_inside, line.strip_prefix("```")) {
            (false, Some(info)) => {
                found.push(Block { info: info.to_owned(), file: file.take(), text: String::new() });
                is_inside = true;
            }
            (true, Some(_)) => is_inside = false,
            (true, None) => {
                let block = found.last_mut().unwrap();
                block.text = format!("{}{line}\n", block.text);
            }
            (false, None) => {
                let name = line.strip_prefix("<!-- file: ").and_then(|line| line.strip_suffix(" -->"));
                file = name.map(str::to_owned).or(file);
            }
        }
    }
    found
}

/// Returns the commands of a block, with their continuation lines; of a console block, those after `$ `.
fn commands(block: &Block) -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    let mut is_continued = false;
    for line in block.text.lines() {
        let start = if block.info == "console" { line.strip_prefix("$ ") } else { Some(line) };
        if is_continued {
            let last = commands.last_mut().unwrap();
            *last = format!("{last}\n{line}");
        } else if let Some(start) = start {
            commands.push(start.to_owned());
        } else {
            continue;
        }
        is_continued = line.ends_with('\\');
    }
    commands
}

fn shell(folder: &Folder, command: &str) -> Done {
    let path =
        format!("{}:{}", Path::new(GOALSPEC).parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = folder.command("sh");
    shell.env("PATH", path).env("GOALSPEC_TEST_KEY", KEY).env_remove("OPENAI_API_KEY").env_remove("ANTHROPIC_API_KEY");
    finish(shell.args(["-c", command]), b"")
}

/// Runs the commands of a page in order: those that it shows with their output, whose output another test checks, and those that call
/// servers, which must succeed. Returns the number of these, with the folder and what they printed.
fn run_page(page: &str, servers: &[(&str, &ModelServer)]) -> (usize, Folder, String) {
    let folder = Folder::new();
    let recordings = goalspec_testing::conformance::folder("planning/lot");
    if let Some(recordings) = &recordings {
        std::os::unix::fs::symlink(recordings, folder.path("recordings")).unwrap();
    }
    let (mut count, mut printed) = (0, String::new());
    for block in blocks(page) {
        if let Some(file) = &block.file {
            folder.write(file, &block.text);
        }
        for command in commands(&block) {
            match block.info.as_str() {
                "console" => drop(shell(&folder, &command)),
                "sh" if command.starts_with("goalspec ") => {
                    if command.contains("recordings") && recordings.is_none() {
                        continue;
                    }
                    let mut command = command.clone();
                    for (address, server) in servers {
                        let is_hosted = address.starts_with("https") && command.contains(address);
                        command = command.replace(address, &format!("{}/v1", server.origin()));
                        if is_hosted && !command.contains("--dry-run") {
                            command =
                                command.replacen("--model", "--profile openai --key-env GOALSPEC_TEST_KEY --model", 1);
                        }
                    }
                    let done = shell(&folder, &command);
                    assert_eq!(done.code, Some(0), "{page}: {command}\n{}", done.all());
                    printed.push_str(&done.all());
                    count += 1;
                }
                _ => {}
            }
        }
    }
    (count, folder, printed)
}

fn servers() -> [ModelServer; 3] {
    [Kind::LlamaCpp, Kind::Ollama, Kind::OpenAi].map(|kind| ModelServer::start(move |_, request| serve(kind, request)))
}

const ADDRESSES: [&str; 3] = ["http://127.0.0.1:8080/v1", "http://127.0.0.1:11434/v1", "https://api.openai.com/v1"];

fn text_files(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            text_files(&path, found);
        } else if let Ok(bytes) = std::fs::read(&path) {
            found.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

#[test]
fn the_tutorial_runs_against_all_its_servers_and_writes_the_key_nowhere() {
    let servers = servers();
    let pairs: Vec<(&str, &ModelServer)> = ADDRESSES.into_iter().zip(&servers).collect();
    let (count, folder, printed) = run_page("from-words.md", &pairs);
    assert!(count >= 4, "{count} commands");
    for (address, server) in &pairs {
        assert!(server.requests().iter().any(|request| request.target.starts_with("POST")), "{address}");
    }
    for program in ["local.py", "hosted.py"] {
        assert!(folder.read(program).contains("def reward_function"), "{program}");
    }
    let mut files = Vec::new();
    text_files(&folder.path(""), &mut files);
    files.push(("output".to_owned(), printed));
    assert!(files.iter().any(|(path, text)| path.ends_with("hosted.jsonl") && text.contains("Your key is ***")));
    assert!(files.iter().any(|(path, _)| path.contains(".goalspec/llm/exchanges")));
    for (path, text) in &files {
        assert!(!text.contains(KEY), "{path}: {text}");
    }
}

#[test]
fn the_page_of_the_experiment_runs_against_a_local_server() {
    let servers = servers();
    let pairs: Vec<(&str, &ModelServer)> = ADDRESSES.into_iter().zip(&servers).collect();
    let (count, folder, printed) = run_page("lot.md", &pairs);
    assert!(count >= 2, "{count} commands");
    assert!(folder.read("local/results.json").contains("\"solved\":true"), "{printed}");
    assert_eq!(servers[2].connections(), 0, "a dry run makes no connection");
}

#[test]
fn a_killed_experiment_is_continued_with_the_same_results() {
    let server = ModelServer::start(|_, request| {
        let wait = AnswerStep::Pause(std::time::Duration::from_millis(20));
        std::iter::once(wait).chain(serve(Kind::Ollama, request)).collect()
    });
    let command = format!(
        "lot run --specs set/specs.yaml --model m --profile ollama --base-url {} --concurrency 1 -o run --json",
        server.origin()
    );
    let folder = || {
        let folder = Folder::new();
        folder.write("set/specs.yaml", "- num_obj: 3\n- {num_obj: 3, test: true}\n- {num_obj: 4, test: true}\n");
        let done = folder.run("lot generate --specs set/specs.yaml --seed 2 -o set/problems");
        assert_eq!(done.code, Some(0), "{}", done.all());
        folder
    };
    let whole = folder();
    let done = whole.run(&command);
    assert_eq!(done.code, Some(0), "{}", done.all());
    let calls = server.requests().len();
    // Two problems in three views: two translations and a plan each.
    assert_eq!(calls, 18);
    let stopped = folder();
    let mut kills = 0;
    for _ in 0..calls {
        let before = server.requests().len();
        let mut run = stopped.command(GOALSPEC);
        let mut child = run.args(command.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while server.requests().len() < before + 2 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        kills += usize::from(child.kill().is_ok() && !child.wait().unwrap().success());
    }
    let last = stopped.run(&command);
    assert_eq!((last.code, &last.out), (Some(0), &done.out), "{}", last.all());
    assert_eq!(stopped.read("run/results.json"), whole.read("run/results.json"));
    // Only a call whose reply was on its way when the process was killed is made again.
    let again = server.requests().len() - calls;
    assert!(kills >= 5 && (calls..=calls + kills).contains(&again), "{kills} kills, {again} calls");
}
