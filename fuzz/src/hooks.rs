//! The callbacks of the compiler's instrumentation, at comparisons and at program start, for binaries without libFuzzer, which has its own.

use goalspec_fuzz::growth::counter::add;

#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmp1(_: u8, _: u8) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmp2(_: u16, _: u16) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmp4(_: u32, _: u32) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_cmp8(_: u64, _: u64) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_const_cmp1(_: u8, _: u8) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_const_cmp2(_: u16, _: u16) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_const_cmp4(_: u32, _: u32) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_const_cmp8(_: u64, _: u64) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_switch(_: u64, _: *const u64) {
    add();
}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_trace_pc_indir(_: usize) {}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_8bit_counters_init(_: *mut u8, _: *mut u8) {}
#[unsafe(no_mangle)]
extern "C" fn __sanitizer_cov_pcs_init(_: *const usize, _: *const usize) {}
