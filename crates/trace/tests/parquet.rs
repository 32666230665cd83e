//! Traces as Parquet tables.
#![cfg(feature = "parquet")]

use crate::common::{self, read, yard};
use goalspec_core::state::Delta;
use goalspec_trace::{ParquetWriter, ReadOptions, Source, Trace, TraceReader, TraceWriter, codes};

const LINES: &str = r#"{"format":"goalspec-trace","version":1,"world":"yard","scene":"Yard_1","objects":{"Ball|9":["ball"]}}
{"set":{"Ball|1":{"position":[0.1,-0.0,1e-300],"tilt":[0,359.99999999999994,5e-324],"touches":["shelf_1","Ball|9","Body"],"open":true},"agent":{"holds":"Ball|1","bumps":-9223372036854775808}}}
{"index":7,"clock":9,"t":0.30000000000000004,"action":"throw \"it\"\n","set":{"Ball|9":{},"agent":{"holds":null}},"foreign":2}
{"removed":["Ball|2"],"not":[["on","Ball|1","Ball|2"]],"facts":[["on","Ball|1","Ball|9"]],"fluents":[["fuel","Shelf|1",1.7976931348623157e308]]}
{"set":{"Shelf|1":{"weight":2,"label":"a shelf"}}}
{"set":{}}
"#;

fn table(trace: &Trace, world: &goalspec_core::world::World) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = ParquetWriter::new(&mut bytes, world, trace.header()).unwrap();
    goalspec_trace::convert(&mut trace.cursor(), &mut writer).unwrap();
    drop(writer);
    bytes
}

#[test]
fn written_tables_are_read_back_bit_by_bit() {
    let world = Source::from_reader(LINES.as_bytes()).unwrap().extend_world(&yard()).unwrap().into_owned();
    let expected = read(LINES.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let mut reader = goalspec_trace::from_reader(LINES.as_bytes(), &world, &ReadOptions::default()).unwrap();
    let bytes = table(&Trace::read(&mut reader, &world).unwrap(), &world);
    let source = Source::from_reader(&bytes[..]).unwrap();
    assert_eq!(source.header().scene.as_deref(), Some("Yard_1"));
    assert_eq!(source.extend_world(&yard()).unwrap().objects().len(), world.objects().len());
    assert_eq!(expected.1.len(), 1, "the index has a gap, which is kept as well");
    assert_eq!(read(&bytes, &world, &ReadOptions::default()).unwrap(), expected);
}

#[test]
fn recordings_survive_conversion_through_a_file() {
    let Some(folder) = common::conformance() else { return };
    let world = common::room("many");
    let recording = folder.join("game/traces/building_castle-rerecorded.json.gz");
    let mut reader = goalspec_trace::open(&recording, world, &ReadOptions::default()).unwrap();
    let trace = Trace::read(&mut reader, world).unwrap();
    let path = std::env::temp_dir().join(format!("goalspec-trace-{}.parquet", std::process::id()));
    let mut writer = goalspec_trace::create(&path, world, trace.header()).unwrap();
    assert_eq!(goalspec_trace::convert(&mut trace.cursor(), &mut *writer), Ok(1166));
    drop(writer);
    let mut reader = goalspec_trace::open(&path, world, &ReadOptions::default()).unwrap();
    let (mut expected, mut found) = (Delta::default(), Delta::default());
    let mut cursor = trace.cursor();
    while cursor.next(&mut expected).unwrap() {
        assert!(reader.next(&mut found).unwrap());
        assert_eq!(found, expected);
    }
    assert!(!reader.next(&mut found).unwrap());
    std::fs::remove_file(path).unwrap();
}

#[test]
fn truncated_files_and_infinite_numbers_are_errors() {
    let world = yard();
    let mut reader =
        goalspec_trace::from_reader(&b"{\"t\":0,\"set\":{\"Ball|1\":{}}}"[..], &world, &ReadOptions::default())
            .unwrap();
    let bytes = table(&Trace::read(&mut reader, &world).unwrap(), &world);
    let error = read(&bytes[..bytes.len() - 9], &world, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code(), codes::DAMAGED, "{error}");
    let mut writer = ParquetWriter::new(Vec::new(), &world, reader.header()).unwrap();
    let error = writer.write(&Delta { time: Some(f64::INFINITY), ..Delta::default() }).unwrap_err();
    assert_eq!(error.code(), codes::NOT_FINITE, "{error}");
}
