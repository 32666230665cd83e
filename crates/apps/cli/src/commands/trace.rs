//! `goalspec trace`

use std::io::Write;
use std::path::Path;

use goalspec::run::Input;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::source::Compression;
use goalspec::trace::{Format, LinesWriter, Reader, Summary, TraceReader, convert, create, head};
use goalspec::traces::{self, Chosen};
use serde_json::{Value, json};

use crate::args::{TraceArgs, TraceCommand, TraceConvertArgs, TraceHeadArgs, TraceInfoArgs, Verdicts, WorldArg};
use crate::output::{Outcome, Output};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

pub(crate) fn run(args: &TraceArgs, output: &mut Output) -> Outcome {
    match &args.command {
        TraceCommand::Info(args) => info(args, output),
        TraceCommand::Convert(args) => report(convert_one(args, output), output),
        TraceCommand::Head(args) => report(head_of(args, output), output),
    }
}

/// Prints what was noticed, or what went wrong.
fn report(done: Result<Vec<Diagnostic>>, output: &Output) -> Outcome {
    let diagnostics = done.unwrap_or_else(|error| vec![*error]);
    output.report(&diagnostics, &Sources::new());
    Ok(!diagnostics.iter().any(Diagnostic::is_error))
}

fn open(path: &Path, world: &WorldArg) -> Result<(Input, Chosen)> {
    let input = Input::of_path(path)?;
    let chosen = traces::choose(&input, world.world.as_deref())?;
    Ok((input, chosen))
}

fn reader<'r>(input: &'r Input, chosen: &'r Chosen, world: &WorldArg) -> Result<Reader<'r>> {
    traces::read(input, &chosen.world, world.partial)
}

fn info(args: &TraceInfoArgs, output: &mut Output) -> Outcome {
    let (paths, mut diagnostics) = traces::paths(&args.paths);
    let mut values = Vec::new();
    for path in paths {
        match summary(&path, args) {
            Ok((summary, remarks)) => {
                match args.format {
                    Verdicts::Text => text(&path, &summary, output)?,
                    Verdicts::Json => values.push(json(&path, &summary)),
                }
                diagnostics.extend(remarks);
            }
            Err(error) => diagnostics.push(*error),
        }
    }
    if args.format == Verdicts::Json {
        writeln!(output, "{:#}", Value::from(values))?;
    }
    report(Ok(diagnostics), output)
}

fn summary(path: &Path, args: &TraceInfoArgs) -> Result<(Summary, Vec<Diagnostic>)> {
    let (input, chosen) = open(path, &args.world)?;
    let mut reader = reader(&input, &chosen, &args.world)?;
    let summary = Summary::of(&mut reader, &chosen.world).map_err(|error| Box::new(error.into_diagnostic()))?;
    Ok((summary, reader.remarks()))
}

fn text(path: &Path, summary: &Summary, output: &mut Output) -> std::io::Result<()> {
    let header = &summary.header;
    writeln!(output, "{}", path.display())?;
    let packed = match header.compression {
        Compression::None => String::new(),
        packed => format!(", packed with {}", packed.name()),
    };
    writeln!(output, "  format      {}{packed}", header.format.name())?;
    writeln!(output, "  world       {}", summary.world)?;
    for (label, value) in
        [("scene", &header.scene), ("id", &header.id), ("participant", &header.participant), ("replay", &header.replay)]
    {
        if let Some(value) = value {
            writeln!(output, "  {label:<11} {value}")?;
        }
    }
    let (first, last) = summary.indices;
    writeln!(output, "  states      {}, numbered {first} to {last}", summary.states)?;
    if let Some(duration) = summary.duration {
        writeln!(output, "  duration    {duration} s")?;
    }
    writeln!(output, "  objects     {} seen", summary.objects.len())?;
    writeln!(output, "  updates     {:.1} values per state", summary.updates_per_state())?;
    let attributes: Vec<&str> = summary.attributes.iter().map(|(name, _)| name.as_str()).collect();
    writeln!(output, "  attributes  {}", attributes.join(", "))
}

fn json(path: &Path, summary: &Summary) -> Value {
    let header = &summary.header;
    let counts =
        |pairs: &[(String, u64)]| -> Value { pairs.iter().map(|(name, count)| (name.clone(), json!(count))).collect() };
    json!({
        "path": path.display().to_string(),
        "format": header.format.name(),
        "compression": header.compression.name(),
        "world": summary.world,
        "scene": header.scene,
        "id": header.id,
        "participant": header.participant,
        "replay": header.replay,
        "states": summary.states,
        "first_index": summary.indices.0,
        "last_index": summary.indices.1,
        "duration": summary.duration,
        "updates": summary.updates,
        "facts": summary.facts,
        "fluents": summary.fluents,
        "actions": summary.actions,
        "foreign": summary.foreign,
        "objects": counts(&summary.objects),
        "attributes": counts(&summary.attributes),
    })
}

fn convert_one(args: &TraceConvertArgs, output: &mut Output) -> Result<Vec<Diagnostic>> {
    let failed = |error: goalspec::trace::TraceError| Box::new(error.into_diagnostic());
    let (input, chosen) = open(&args.input, &args.world)?;
    let mut reader = reader(&input, &chosen, &args.world)?;
    let header = reader.header().clone();
    if args.output == Path::new("-") {
        let mut writer = LinesWriter::new(&mut *output, &chosen.world, &header).map_err(failed)?;
        convert(&mut reader, &mut writer).map_err(failed)?;
    } else {
        let mut writer = create(&args.output, &chosen.world, &header).map_err(failed)?;
        let states = convert(&mut reader, &mut *writer).map_err(failed)?;
        output.note(&format!("{states} states of {} written to {}", Format::Lines.name(), args.output.display()));
    }
    Ok(reader.remarks())
}

fn head_of(args: &TraceHeadArgs, output: &mut Output) -> Result<Vec<Diagnostic>> {
    let failed = |error: goalspec::trace::TraceError| Box::new(error.into_diagnostic());
    let (input, chosen) = open(&args.input, &args.world)?;
    let reader = reader(&input, &chosen, &args.world)?;
    let header = reader.header().clone();
    let mut writer = LinesWriter::new(&mut *output, &chosen.world, &header).map_err(failed)?;
    let mut reader = head(reader, args.number);
    convert(&mut reader, &mut writer).map_err(failed)?;
    Ok(reader.remarks())
}
