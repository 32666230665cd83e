//! The diagnostic codes of installed releases.

goalspec_syntax::codes! {
    /// An activity that is in no installed release.
    NO_ACTIVITY = "input/no-activity", Error,
    "`bddl:NAME` names an activity of a release of the Python package `bddl`: its first definition or, with a number as in \
     `bddl:storing_food-0`, another one. `bddl:storing_*` names all matching activities.\n\n\
     Releases are searched in the folder given by `--knowledge`, otherwise in those of the environment variable `GOALSPEC_BDDL`, in \
     those of the configuration file, or in the folder into which `goalspec fetch bddl` downloads them.";
    /// An invalid configuration file.
    CONFIGURATION = "input/configuration", Error,
    "The configuration is `goalspec/config.toml` in the configuration folder of the platform, such as `~/.config`, or the file \
     named by the environment variable `GOALSPEC_CONFIG`. It contains the folders of releases of the Python package `bddl`.\n\n\
     Example: `[bddl]`, and below it `knowledge = \"/home/ada/bddl-3.6.0\"`, or a list of folders.";
}
