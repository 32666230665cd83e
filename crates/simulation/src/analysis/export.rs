//! Models in the file format of the PRISM model checker.

use goalspec_simulator::exact::Model;

/// Returns the files of a model in PRISM's explicit format, each with the suffix of its file name.
pub fn prism_files(model: &Model) -> Vec<(String, String)> {
    let files = model.explicit();
    let parts = [("tra", files.transitions), ("sta", files.states), ("lab", files.labels)];
    let rewards = files.rewards.into_iter().enumerate();
    // As in PRISM, the files are numbered from 1 and have the name in a header.
    let rewards = rewards.map(|(place, (name, text))| {
        (format!("{}.srew", place + 1), format!("# Reward structure \"{name}\"\n# State rewards\n{text}"))
    });
    let parts = parts.map(|(extension, text)| (format!(".{extension}"), text));
    parts.into_iter().chain(rewards).collect()
}
