//! The header line of a trace.

use goalspec_atari::recording::FORMATS;
use goalspec_core::world::{ObjectDecl, World};
use goalspec_syntax::suggest::did_you_mean;
use goalspec_syntax::{Diagnostic, Severity};
use rustc_hash::FxHashSet;

use super::{FORMAT_NAME, FORMAT_VERSION, decode};
use crate::codes;
use crate::error::{Result, TraceError};
use crate::json::{FieldSet, ScanProblem, ScanStop, Scanner, Stop};
use crate::reader::{DeclaredAttribute, DeclaredObject, Header};

const FIELDS: [&str; 10] =
    ["format", "version", "world", "scene", "id", "participant", "replay", "time", "attributes", "objects"];

enum HeaderError {
    Scan(Stop),
    Error(TraceError),
}

impl From<Stop> for HeaderError {
    fn from(stop: Stop) -> Self {
        Self::Scan(stop)
    }
}

/// Reads a header line into `header`; `number` is the number of the line.
pub(crate) fn read(line: &[u8], number: u64, header: &mut Header) -> Result<()> {
    let mut scanner = Scanner::new(line);
    members(&mut scanner, header).map_err(|fail| match (fail, scanner.fault()) {
        (HeaderError::Error(error), _) => error,
        (HeaderError::Scan(Stop), ScanStop::Incomplete) => TraceError::new(codes::SYNTAX, "unclosed header"),
        (HeaderError::Scan(Stop), ScanStop::At(at, problem)) => explain(problem, line, number, at),
    })
}

/// Returns the error for a problem at a byte of the header line.
#[cold]
fn explain(problem: ScanProblem, line: &[u8], number: u64, at: usize) -> TraceError {
    let place = format!("in the header, line {number}, at byte {at} of the line");
    let error = match problem {
        ScanProblem::DuplicateField => {
            let name = line.get(at + 1..).unwrap_or_default();
            let name = name.split(|&byte| byte == b'"').next().unwrap_or_default();
            let message = format!("duplicate field `{}` {place}", String::from_utf8_lossy(name));
            TraceError::new(codes::DOUBLED_FIELD, message)
        }
        other => other.into_error(&place),
    };
    error.with_quote(decode::quote(line, number, at))
}

fn members(scanner: &mut Scanner<'_>, header: &mut Header) -> std::result::Result<(), HeaderError> {
    let mut has_more = scanner.object()?;
    let mut version = None;
    let mut seen = FieldSet::default();
    while has_more {
        let token = scanner.key()?;
        let name = scanner.decode_key(token)?;
        if FIELDS.iter().position(|field| *field == name).is_some_and(|field| !seen.insert(field)) {
            return Ok(scanner.duplicate_field(token)?);
        }
        match &*name {
            "format" => check_format(&scanner.text()?)?,
            "version" => version = scanner.number()?.whole(),
            "world" => header.world = Some(scanner.text()?.into_owned()),
            "scene" => header.scene = Some(scanner.text()?.into_owned()),
            "id" => header.id = Some(scanner.text()?.into_owned()),
            "participant" => header.participant = Some(scanner.text()?.into_owned()),
            "replay" => header.replay = Some(scanner.text()?.into_owned()),
            "time" => {
                scanner.peek()?;
                let at = scanner.position();
                if scanner.text()? != "s" {
                    return Ok(scanner.stop(at, ScanProblem::Expected("\"s\", seconds,"))?);
                }
            }
            "attributes" => attributes(scanner, header)?,
            "objects" => objects(scanner, header)?,
            unknown => {
                let error = TraceError::new(codes::UNKNOWN_FIELD, format!("unknown field `{unknown}` of the header"));
                return Err(HeaderError::Error(match did_you_mean(unknown, FIELDS) {
                    Some(help) => error.with_help(help),
                    None => error.with_help(format!("the fields are {}", FIELDS.join(", "))),
                }));
            }
        }
        has_more = scanner.has_next_element(b'}')?;
    }
    scanner.end()?;
    check_version(version)
}

/// Checks the name of the format.
fn check_format(name: &str) -> std::result::Result<(), HeaderError> {
    if name == FORMAT_NAME {
        return Ok(());
    }
    let [screens, older] = FORMATS;
    let message = format!(
        "unknown format `{name}` in the header; the formats are `{FORMAT_NAME}`, and `{screens}` and `{older}` for screens"
    );
    let error = TraceError::new(codes::UNKNOWN_FORMAT, message);
    Err(HeaderError::Error(match did_you_mean(name, [FORMAT_NAME, screens, older]) {
        Some(help) => error.with_help(help),
        None => error,
    }))
}

/// Checks that the version of the format is present and supported.
fn check_version(version: Option<i64>) -> std::result::Result<(), HeaderError> {
    let known = i64::try_from(FORMAT_VERSION).unwrap_or(i64::MAX);
    match version {
        Some(version) if (1..=known).contains(&version) => Ok(()),
        Some(version) => {
            let message = format!(
                "unsupported version {version} of the trace format; the latest supported version is {FORMAT_VERSION}"
            );
            Err(HeaderError::Error(TraceError::new(codes::VERSION, message)))
        }
        None => {
            Err(HeaderError::Error(TraceError::new(codes::MISSING_FIELD, "missing integer `version` in the header")))
        }
    }
}

fn attributes(scanner: &mut Scanner<'_>, header: &mut Header) -> std::result::Result<(), Stop> {
    let mut has_more = scanner.object()?;
    let mut seen = FxHashSet::default();
    while has_more {
        let token = scanner.key()?;
        let name = scanner.decode_key(token)?.into_owned();
        if !seen.insert(name.clone()) {
            return scanner.duplicate_field(token);
        }
        header.attributes.push(DeclaredAttribute { name, kind: scanner.text()?.into_owned() });
        has_more = scanner.has_next_element(b'}')?;
    }
    Ok(())
}

fn objects(scanner: &mut Scanner<'_>, header: &mut Header) -> std::result::Result<(), Stop> {
    let mut has_more = scanner.object()?;
    let mut seen = FxHashSet::default();
    while has_more {
        let token = scanner.key()?;
        let id = scanner.decode_key(token)?.into_owned();
        if !seen.insert(id.clone()) {
            return scanner.duplicate_field(token);
        }
        let mut types = Vec::new();
        let mut another = scanner.list()?;
        while another {
            types.push(scanner.text()?.into_owned());
            another = scanner.has_next_element(b']')?;
        }
        header.objects.push(DeclaredObject { id, types });
        has_more = scanner.has_next_element(b'}')?;
    }
    Ok(())
}

/// Checks that a trace with this header can be read with this world, and returns remarks on discrepancies. With `any_world`, an exclusive
/// world accepts the traces of other worlds.
pub(crate) fn check(header: &Header, world: &World, any_world: bool) -> Result<Vec<Diagnostic>> {
    if let Some(name) = other_name(header, world).filter(|_| world.requires_own_traces() && !any_world) {
        let message = format!("the trace is of `{name}`, not of `{}`", world.name());
        let help = format!("use it with `{name}`, or accept it as a trace of `{}` with `--any-world`", world.name());
        return Err(TraceError::new(codes::WRONG_WORLD, message).with_help(help));
    }
    check_attributes(header, world).map_err(|error| with_other_world(error, header, world))?;
    let remark = |message| Diagnostic::new(codes::OTHER_WORLD, Severity::Warning, message);
    Ok(other_world(header, world).map(remark).into_iter().collect())
}

/// Returns the name of the world that the trace was written for, if it is not the name of `world`.
fn other_name<'h>(header: &'h Header, world: &World) -> Option<&'h str> {
    header.world.as_deref().filter(|name| *name != world.name())
}

/// Returns a remark if the trace was written for a world of another name.
fn other_world(header: &Header, world: &World) -> Option<String> {
    let name = other_name(header, world)?;
    Some(format!("the trace was written for world `{name}`, but is read with world `{}`", world.name()))
}

/// Adds the probable cause to an error if the trace was written for a world of another name.
pub(super) fn with_other_world(error: TraceError, header: &Header, world: &World) -> TraceError {
    match other_world(header, world) {
        Some(cause) => error.with_help(cause),
        None => error,
    }
}

fn check_attributes(header: &Header, world: &World) -> Result<()> {
    for declared in &header.attributes {
        let Some(id) = world.attribute_named(&declared.name) else {
            let message =
                format!("the header declares attribute `{}`, which is not in world `{}`", declared.name, world.name());
            let error = TraceError::new(codes::UNKNOWN_NAME, message);
            let names = world.attributes().iter().map(|attribute| &*attribute.name);
            return Err(match did_you_mean(&declared.name, names) {
                Some(help) => error.with_help(help),
                None => error,
            });
        };
        let kind = world.attributes()[id.index()].kind.name();
        if kind != declared.kind {
            let message = format!(
                "the header declares attribute `{}` as {}, but world `{}` declares it as {kind}",
                declared.name,
                declared.kind,
                world.name()
            );
            return Err(TraceError::new(codes::WRONG_TYPE, message));
        }
    }
    Ok(())
}

/// Returns the world extended by the objects that the header declares; `None` if there are none to add.
pub(crate) fn extend(header: &Header, world: &World) -> Result<Option<World>> {
    extended(header, world).map_err(|error| with_other_world(error, header, world))
}

fn extended(header: &Header, world: &World) -> Result<Option<World>> {
    let mut objects = Vec::new();
    for declared in &header.objects {
        let mut types = Vec::with_capacity(declared.types.len());
        for name in &declared.types {
            let Some(id) = world.type_named(name) else {
                let message = format!("unknown type `{name}` of object `{}`", declared.id);
                let error = TraceError::new(codes::UNKNOWN_NAME, message);
                return Err(match did_you_mean(name, world.types().iter().map(|decl| &*decl.name)) {
                    Some(help) => error.with_help(help),
                    None => error,
                });
            };
            types.push(id);
        }
        match world.object_with_recorded_name(&declared.id) {
            None => objects.push(ObjectDecl { id: declared.id.as_str().into(), types }),
            Some(object) if types.iter().all(|&id| world.is_a(object, id)) => {}
            Some(_) => {
                let message = format!(
                    "the header declares types of object `{}` that it does not have in world `{}`",
                    declared.id,
                    world.name()
                );
                return Err(TraceError::new(codes::WRONG_OBJECT, message));
            }
        }
    }
    if objects.is_empty() {
        return Ok(None);
    }
    let names: Vec<_> = objects.iter().map(|object| object.id.clone()).collect();
    world.with_objects(objects).map(Some).map_err(|problems| {
        let first = &problems[0];
        let place = match first.declaration {
            goalspec_core::world::DeclarationRef::Object(id) => id.index().checked_sub(world.objects().len()),
            _ => None,
        };
        let name = place.and_then(|at| names.get(at)).map_or("", |name| &**name);
        TraceError::new(codes::WRONG_OBJECT, format!("object `{name}` of the header: {}", first.kind))
    })
}
