//! Tests of the client against a server on this machine, stand-ins and recordings.

mod common;
mod dialects;
mod faults;
mod formats;
mod imports;
mod keys;
mod money;
mod probing;
mod resumption;
mod stand_ins;
