//! Models as files for the PRISM model checker.

use goalspec_simulator::exact::Model;

/// The files of a model in PRISM's explicit format, each with what its name ends with.
pub fn explicit(model: &Model) -> Vec<(String, String)> {
    let files = model.explicit();
    let parts = [("tra", files.transitions), ("sta", files.states), ("lab", files.labels)];
    let rewards = files.rewards.into_iter().enumerate();
    // As PRISM itself does: numbered from 1, with a header that has the name.
    let rewards = rewards.map(|(place, (name, text))| {
        (format!("{}.srew", place + 1), format!("# Reward structure \"{name}\"\n# State rewards\n{text}"))
    });
    let parts = parts.map(|(ending, text)| (format!(".{ending}"), text));
    parts.into_iter().chain(rewards).collect()
}
