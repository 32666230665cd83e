//! Diagnostics as text for people, lines, JSON, GitHub annotations and SARIF.
