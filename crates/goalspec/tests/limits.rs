//! Every named limit of the workspace is either in the table of limits, with its remedy, or known not to reject any input.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use goalspec::limits::{LIMITS, Remedy, add_remedy, remedy_of, table};
use goalspec::syntax::{Code, Diagnostic, Severity};

/// Constants that reject no user input, by file. They limit output, suggestions or caches, give up on a shortcut that does not
/// change results, or end a search with a result that reports it.
const HARMLESS: &[(&str, &str)] = &[
    // Beyond it, a quantified condition is compared as a whole, and the games may remain undecided.
    ("equivalence/src/limits.rs", "MAX_EXPANDED"),
    // Limits on output.
    ("constraints/src/", "MAX_"),
    ("apps/cli/src/commands/score/", "SHOWN"),
    ("apps/cli/src/commands/compared.rs", "MAX_LISTED"),
    // Beyond it, each environment has a monitor of its own.
    ("engines/monitor/src/batch/plan.rs", "MAX_AFFECTED"),
    // Beyond them, lanes end or are left out, which a remark says; requests are those of the viewer's own page.
    ("core/src/truth.rs", "MAX_TRUTH_RUNS"),
    ("engines/monitor/src/lanes.rs", "MAX_LANE_EVENTS"),
    ("apps/view/src/", "MAX_"),
    ("draw/src/", "MAX_"),
    // Later turns are left out, and counted.
    ("simulation/src/board_json.rs", "MAX_"),
    ("ide/src/", "MAX_"),
    // Names and completions for editors, and commands that run at the same time.
    ("languages/rgg/src/occurrences", "MAX_"),
    ("languages/rgg/src/completion/", "MAX_"),
    ("languages/rgg/src/describe/", "MAX_"),
    ("apps/lsp/src/commands.rs", "MAX_RUNNING"),
    ("apps/lsp/src/protocol.rs", "MAX_LOCATIONS"),
    ("engines/monitor/src/run/features.rs", "MAX_"),
    ("audit/src/", "MAX_"),
    ("rewards/src/score/outcome.rs", "MAX_FAILURES"),
    ("rewards/src/capture/live.rs", "MAX_LINE_BYTES"),
    ("languages/reward/src/traceback.rs", "MAX_REPEATED_LINES"),
    ("goalspec/src/simulation/", "MAX_"),
    ("goalspec/src/planning_problems/", "MAX_LISTED"),
    ("planning/src/anomalies.rs", "MAX_LISTED"),
    ("engines/planner/src/ground/instantiate.rs", "MAX_UNDEFINED_FLUENTS"),
    ("goalspec/src/traces.rs", "MAX_NAMED_WORLDS"),
    ("goalspec/src/library/", "MAX_NAMED_PROBLEMS"),
    ("syntax/src/render/human.rs", "MAX_EXCERPT"),
    ("syntax/src/limits.rs", "MAX_QUOTE_BYTES"),
    ("engines/simulator/src/statistics/", "MAX_"),
    ("statistics/src/", "MAX_"),
    ("engines/simulator/src/experiment", "MAX_"),
    ("languages/pddl/src/describe.rs", "MAX_"),
    ("languages/rgg/src/lower.rs", "MAX_LISTED"),
    ("languages/rgg/src/diagnostics.rs", "MAX_DIAGNOSTICS"),
    ("languages/bddl/src/knowledge.rs", "MAX_LISTED"),
    ("languages/bddl/src/options/product.rs", "MAX_"),
    ("engines/python-runtime/src/observe/", "MAX_TEXTS"),
    ("languages/game/src/parse/parser.rs", "MAX_FIX_CHARS"),
    ("trace/src/names.rs", "MAX_"),
    ("trace/src/recorded/document.rs", "MAX_METADATA_BYTES"),
    // Suggestions, and repeated errors.
    ("", "SUGGEST"),
    ("syntax/src/suggest.rs", "MAX_NAME"),
    ("languages/pddl/src/", "MAX_ERRORS"),
    ("languages/pddl/src/lower/initial_state.rs", "MAX_DUPLICATES"),
    ("languages/pddl/src/stratify.rs", "MAX_FINDINGS"),
    ("languages/bddl/src/lint/", "MAX_EXPLAINED"),
    // Lints and type inference that find less.
    ("languages/game/src/lint/", "MAX_"),
    ("languages/pddl/src/lint/", "MAX_"),
    ("languages/reward/src/lint/", "MAX_"),
    ("engines/python-runtime/src/inference", "MAX_"),
    ("languages/reward/src/terms/", "MAX_"),
    ("engines/python-runtime/src/fast/", "MAX_"),
    ("native/src/", "MAX_"),
    ("resource/src/abstraction/", "MAX_"),
    // Beyond it, monitors are not pickled, which the exception says.
    ("apps/python/src/history.rs", "MAX_"),
    // No state has as many levels.
    ("apps/python/src/json.rs", "MAX_DEPTH"),
    // The limits of CPython, which raise its exceptions.
    ("engines/python-runtime/src/machine/", "MAX_"),
    // Reported as exceeding the memory limit.
    ("engines/python-runtime/src/limits.rs", "MAX_UNION_PARTS"),
    // Planning techniques with fallbacks, and searches that end with their best result.
    ("engines/planner/src/", "MAX_"),
    ("planning/src/", "MAX_"),
    ("languages/bddl/src/planning/placements.rs", "MAX_"),
    ("languages/bddl/src/planning/recipes.rs", "MAX_"),
    ("languages/bddl/src/planning/build.rs", "MAX_DISJUNCTS"),
    ("languages/pddl/src/trajectory.rs", "MAX_STEPS"),
    // Caches, beyond which results are the same.
    ("trace/src/pool.rs", "MAX_SPARE"),
    ("trace/src/recorded/members.rs", "MAX_"),
    // Numbers beyond which the general parser is used.
    ("trace/src/json/number.rs", "MAX_"),
    ("simulation/src/variation.rs", "MAX_KEPT"),
    ("equivalence/src/bijections.rs", "MAX_REFINEMENTS"),
    ("equivalence/src/games/", "MAX_"),
    ("engines/python-runtime/src/fast.rs", "MAX_HANDED_OVER"),
    ("engines/monitor/src/goal/batch.rs", "MAX_COLUMNS"),
    ("engines/simulator/src/compile/", "MAX_"),
    ("engines/simulator/src/policy/greedy.rs", "MAX_"),
    ("languages/bddl/src/options/", "MAX_"),
    ("languages/bddl/src/export/formula.rs", "MAX_"),
    ("resource/src/pattern.rs", "MAX_COMPILED_BYTES"),
    // Drawn games are as small as wanted, and operators without a result are reported.
    ("engines/generator/src/", "MAX_"),
    // A walk may leave steps out.
    ("engines/planner/src/walk.rs", "MAX_JOINS"),
    // Variations that were not found are counted, and text lists the features that matter most.
    ("goalspec/src/game_generation.rs", "MAX_VARIATIONS"),
    ("goalspec/src/resource_game_generation.rs", "MAX_TURNS"),
    ("goalspec/src/game_generation/duplicates.rs", "MAX_COMPARED_GAMES"),
    // Of more games, those whose parts are most alike are compared.
    ("goalspec/src/game_generation/novelty.rs", "MAX_NEIGHBOURS"),
    ("apps/cli/src/commands/generate/fitness.rs", "MAX_LISTED"),
    // Limits whose errors have sentences of their own.
    ("generation/src/", "MAX_"),
    ("engines/monitor/src/run.rs", "MAX_STATES"),
    ("trace/src/parquet/table.rs", "MAX_GROUP_ROWS"),
    ("engines/simulator/src/exact/best_response.rs", "MAX_DECISIONS"),
    ("goalspec/src/http_results.rs", "MAX_RESPONSE_BYTES"),
    ("rewards/src/objects.rs", "MAX_CLASSES"),
    ("rewards/src/frames.rs", "MAX_ACTIONS"),
    ("atari/src/recording.rs", "MAX_PIXELS"),
    ("languages/rgg/src/parse/test.rs", "MAX_PATTERNS"),
    ("languages/rgg/src/lower/scope.rs", "MAX_DOTS"),
    ("languages/bddl/src/ground.rs", "MAX_DEPTH"),
    ("languages/lot/src/specs.rs", "MAX_DEPTH"),
    ("words/src/lot/recorded_order.rs", "MAX_BYTES"),
    ("languages/bddl/src/planning/derive.rs", "MAX_"),
    ("syntax/src/sexp/excess.rs", "MAX_EXCESS"),
    ("syntax/src/sexp/excess.rs", "MAX_SUSPECTS"),
    ("languages/rgg/src/template.rs", "MAX_CHECKED_VALUES"),
    ("languages/rgg/src/lint.rs", "MAX_WORK"),
    ("apps/cli/src/commands/simulate/frequencies.rs", "MAX_ROWS"),
    ("apps/cli/src/commands/simulate/text.rs", "MAX_LISTED"),
    ("resource/src/turn.rs", "MAX_MASK_COMBINATIONS"),
    ("languages/rgg/src/template.rs", "MAX_CHECKED_BYTES"),
    ("engines/simulator/src/policy/random.rs", "MAX_TRIES"),
    ("words/src/reward/generation.rs", "MAX_"),
    ("words/src/reward/prompts.rs", "MAX_TEMPLATE_BYTES"),
    ("words/src/translation/target.rs", "MAX_PLAN_STATES"),
    ("grammar/src/matcher.rs", "MAX_ITEMS"),
    ("grammar/src/grammar.rs", "MAX_"),
    ("grammar/src/schema.rs", "MAX_DEPTH"),
    // Exact answers that converge, and results that are kept, split or displayed in part.
    ("core/src/planning/validate.rs", "MAX_REMEDIES"),
    ("apps/cli/src/commands/plan.rs", "MAX_LISTED_LIMITS"),
    ("apps/cli/src/commands/simulate/text.rs", "MAX_BAR_LENGTH"),
    ("languages/rgg/src/format.rs", "MAX_LINE_WIDTH"),
    ("languages/game/src/parse/parser.rs", "MAX_EXCERPT_CHARS"),
    ("languages/pddl/src/vocabulary.rs", "MAX_"),
    ("trace/src/open.rs", "MAX_DETECTION_BYTES"),
    ("simulation/src/analysis.rs", "MAX_"),
    ("simulation/src/tracked_resources.rs", "MAX_DEFAULT_RESOURCES"),
    ("apps/cli/src/commands/plan.rs", "MAX_LISTED_RESTRICTIONS"),
    ("words/src/feedback.rs", "MAX_"),
    ("words/src/finding.rs", "MAX_LINE_BYTES"),
    ("words/src/reward/statistics.rs", "MAX_COMPONENTS"),
    ("words/src/reward/frame_text.rs", "MAX_BYTES"),
    ("words/src/translation/target.rs", "MAX_NAMES"),
    ("llm/src/nearest.rs", "MAX_"),
    ("grammar/src/matcher.rs", "MAX_LISTED"),
    ("grammar/src/matcher.rs", "MAX_QUOTED"),
    ("grammar/src/schema/validate.rs", "MAX_LISTED"),
    ("grammar/src/schema/validate.rs", "MAX_QUOTED"),
    // Replies of language models: their text is data, and a part of it that is not found is a finding.
    ("words/src/extraction/", "MAX_"),
    // The behaviour of the client towards servers.
    ("llm/src/http.rs", "MAX_REDIRECTS"),
    ("llm/src/retry.rs", "MAX_"),
    ("llm/src/estimate.rs", "MAX_CHARACTERS_PER_TOKEN"),
    ("llm/src/wire/body.rs", "MAX_SCHEMA_NAME"),
    // Grammars: exports stay far below these limits, and random derivations are as short as wanted.
    ("grammar/src/pattern.rs", "MAX_STATES"),
    ("grammar/src/sampler.rs", "MAX_"),
    ("grammar/src/schema/sample.rs", "MAX_"),
    ("grammar/src/schema/validate.rs", "MAX_"),
    ("grammar/src/lexemes.rs", "MAX_PAIRS"),
    ("grammar/src/regex.rs", "MAX_GROUPS"),
    ("grammar/src/grammar.rs", "MAX_EXPRESSION_DEPTH"),
    // Explanations with less detail, and omitted suggestions.
    ("core/src/explain.rs", "MAX_COMPARED_ASSIGNMENTS"),
    ("syntax/src/suggest.rs", "MAX_"),
    ("languages/lot/src/english.rs", "MAX_LISTED"),
    ("words/src/lot/problem_set.rs", "MAX_REPORTED"),
    // Plans that are not known to be shortest.
    ("words/src/lot/planner.rs", "MAX_STATES_OF_SHORTEST_PLANS"),
    ("languages/game/src/describe/ltl.rs", "MAX_ATOMS"),
];

#[test]
fn every_named_limit_names_its_remedy() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in a folder");
    let (mut found, mut missing) = (BTreeSet::new(), Vec::new());
    for file in sources(crates) {
        let path = file.strip_prefix(crates).expect("the text was found there").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("sources can be read");
        // Limits in tests are not limits on input.
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for name in text.lines().filter_map(constant) {
            let listed = LIMITS.iter().find(|limit| is_of(limit.constant, &path, name));
            found.extend(listed.map(|limit| limit.constant));
            let harmless = HARMLESS.iter().any(|(place, part)| path.starts_with(place) && name.contains(part));
            if listed.is_none() && !harmless {
                missing.push(format!("{path}: {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "limits that `goalspec::limits::LIMITS` does not have: {missing:#?}");
    let missing: Vec<_> = LIMITS.iter().filter(|limit| !found.contains(limit.constant)).collect();
    assert!(missing.is_empty(), "limits that no source has: {missing:#?}");
}

/// Returns the name of the limit that a line defines.
fn constant(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("const ")?;
    let is_definition = before.trim_start().is_empty() || before.trim_start().starts_with("pub");
    let name = rest.split(':').next()?;
    (is_definition && (name.starts_with("MAX_") || name == "DEFAULT_UNITS")).then_some(name)
}

/// Whether a path of the table, such as `syntax::limits::MAX_DEPTH`, is the constant of this name in a file.
fn is_of(constant: &str, path: &str, name: &str) -> bool {
    let Some((module, own)) = constant.rsplit_once("::") else { return false };
    let (package, module) = module.split_once("::").unwrap_or((module, "lib"));
    let ends = format!("{package}/src/{}.rs", module.replace("::", "/"));
    own == name && (path == ends || path.ends_with(&format!("/{ends}")))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("folders can be listed") {
            let path = entry.expect("entries can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !["tests", "benches", "examples", "target", "testing", "xtask"].contains(&&*name) {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && path.components().any(|part| part.as_os_str() == "src")
            {
                files.push(path);
            }
        }
    }
    files
}

#[test]
fn limit_messages_name_an_option_or_an_alternative() {
    for limit in LIMITS {
        match limit.remedy {
            Remedy::Option(option) => assert!(option.starts_with("--"), "{limit:?}"),
            Remedy::Alternative(instead) => assert!(instead.len() > 10 && !instead.ends_with('.'), "{limit:?}"),
        }
        // A code alone does not identify a limit, since other errors have it as well.
        assert!(limit.codes.is_empty() || !limit.message_parts.is_empty(), "{limit:?}");
        for (&code, part) in
            limit.codes.iter().flat_map(|code| limit.message_parts.iter().map(move |part| (code, part)))
        {
            assert!(goalspec::codes::all().iter().any(|doc| doc.code.0 == code), "{code} is not a code");
            // Names in the user's text must not count as advice.
            let message = format!("`lift`: {part}");
            let has_no_remedy = usize::from(!limit.message_has_remedy);
            let found = add_remedy(Diagnostic::new(Code(code), Severity::Error, message.clone()));
            assert_eq!(found.help.iter().filter(|help| help.contains("lift")).count(), has_no_remedy, "{found:?}");
            assert_eq!(add_remedy(found.clone()), found, "the remedy is added once");
            let found = add_remedy(Diagnostic::new(Code(code), Severity::Error, message).with_help("lift the ball"));
            assert_eq!(found.help.len(), 1 + has_no_remedy, "{found:?}");
        }
    }
}

/// Messages that have the code of a limit but do not report it.
const OTHERS: &[(&str, &str)] = &[
    ("trace/cut", "the text stops"),
    ("run/recording", "cut.jsonl: line 5: the recording ends during a game"),
    ("run/recording", "turns.jsonl: the recorded game `berries` is not among the paths"),
    ("pddl/too-many", "the domain exceeds the limit of 4096 types"),
    ("pddl/too-many", "64 errors in `(:init ..)`; the rest of the section is not checked"),
    ("trace/batches", "the export has `batch-3` but no `batch-2`"),
    ("trace/state-too-large", "a row group of the Parquet file has 9 rows, which exceeds the limit of 8"),
    ("run/not-supported", "the game does not define a valid world: two objects have the name `a`"),
];

#[test]
fn other_errors_with_the_codes_of_limits_have_no_remedies() {
    for &(code, message) in OTHERS {
        let diagnostic = Diagnostic::new(Code(code), Severity::Error, message);
        assert_eq!(add_remedy(diagnostic.clone()), diagnostic);
    }
    // A code alone does not indicate a limit.
    let codes: BTreeSet<&str> = LIMITS.iter().flat_map(|limit| limit.codes).copied().collect();
    for code in codes {
        let diagnostic = Diagnostic::new(Code(code), Severity::Error, "anything else");
        assert_eq!(add_remedy(diagnostic.clone()), diagnostic);
    }
}

/// Limits are recognised by their messages, so each substring in the table occurs in the code that writes the message.
#[test]
fn messages_are_those_of_the_code() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in a folder");
    let table = Path::new("goalspec/src/limits.rs");
    let files = sources(crates).into_iter().filter(|file| !file.ends_with(table));
    let texts: Vec<String> = files
        .map(|file| {
            let text = std::fs::read_to_string(&file).expect("sources can be read");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            // Literals may continue on the next line.
            let mut lines = text.split("\\\n");
            let first = lines.next().unwrap_or_default().to_owned();
            lines.fold(first, |all, line| all + line.trim_start())
        })
        .collect();
    for limit in LIMITS {
        for part in limit.message_parts {
            assert!(texts.iter().any(|text| text.contains(part)), "no code says `{part}`: {limit:?}");
        }
    }
}

#[test]
fn the_book_has_the_table() {
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/limits.md");
    let book = std::fs::read_to_string(book).expect("the book has a chapter on limits");
    assert!(book.contains(&table()), "docs/src/limits.md is to have this table:\n{}", table());
}

/// The figures in the table are the values of the constants.
#[test]
fn figures_are_those_of_the_constants() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in a folder");
    let mut values = BTreeMap::new();
    for file in sources(crates) {
        let path = file.strip_prefix(crates).expect("the text was found there").to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(&file).expect("sources can be read");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for line in text.lines() {
            let Some(name) = constant(line) else { continue };
            let Some(limit) = LIMITS.iter().find(|limit| is_of(limit.constant, &path, name)) else { continue };
            let value = line.split_once('=').map(|(_, value)| value.trim().trim_end_matches(';')).unwrap_or_default();
            values.insert(limit.constant, evaluated(value).unwrap_or_else(|| panic!("{}: `{value}`", limit.constant)));
        }
    }
    for limit in LIMITS {
        let figure = limit.description.rsplit(": ").next().unwrap_or_default();
        let value = figured(figure).unwrap_or_else(|| panic!("{}: `{figure}`", limit.constant));
        assert_eq!(Some(&value), values.get(limit.constant), "{}: {}", limit.constant, limit.description);
    }
}

/// Evaluates the expression of a constant: numbers with shifts and products, and durations in seconds.
fn evaluated(text: &str) -> Option<u128> {
    for (unit, seconds) in [("Duration::from_secs(", 1), ("Duration::from_mins(", 60)] {
        if let Some(count) = text.strip_prefix(unit) {
            return Some(evaluated(count.strip_suffix(')')?)? * seconds);
        }
    }
    if let Some((left, right)) = text.split_once("<<") {
        return Some(evaluated(left)? << evaluated(right)?);
    }
    if let Some((left, right)) = text.split_once('*') {
        return Some(evaluated(left)? * evaluated(right)?);
    }
    text.trim().replace('_', "").parse().ok()
}

/// Returns the number at the beginning of a figure such as `64 MiB`, `16,777,216` or `1G, and 1M more for each state`.
fn figured(text: &str) -> Option<u128> {
    let digits: String =
        text.chars().take_while(|c| c.is_ascii_digit() || *c == ',').filter(char::is_ascii_digit).collect();
    let units = [(" KiB", 1 << 10), (" MiB", 1 << 20), (" GiB", 1 << 30), ("G", 1_000_000_000), ("M", 1_000_000)];
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    let unit = units.iter().find(|(unit, _)| rest.starts_with(unit)).map_or(1, |(_, unit)| *unit);
    Some(digits.parse::<u128>().ok()? * unit)
}

/// Engines do not know the command-line options, so the remedy is added to their reasons.
#[test]
fn reasons_without_a_code_have_remedies() {
    let reason = "limit exceeded in state 3: more than 2097152 values must be stored";
    assert_eq!(
        remedy_of(reason).as_deref(),
        Some("the limit cannot be lifted: use fewer variables, or `--semantics spec`, which stores no values")
    );
    assert_eq!(remedy_of("a division by zero"), None);
    for limit in LIMITS.iter().filter(|limit| limit.codes.is_empty()) {
        assert!(!limit.message_parts.is_empty() || limit.message_has_remedy, "{limit:?}");
    }
}
