//! Passes the linker options that extension modules need on macOS, so that `cargo build` works there as maturin does.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
