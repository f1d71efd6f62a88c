//! What is found before any lint runs, while names are resolved or types are checked: the pages about it.

use super::{Hosts, Lint};

pub(super) const CONSTANT_KEY: Lint = Lint::law(
    "constant-key",
    Hosts::Both,
    "the key holds no argument",
    include_str!("explain/constant-key.md"),
);

pub(super) const DUPLICATE_PART: Lint = Lint::law(
    "duplicate-part",
    Hosts::Both,
    "something stands twice in the key, in `validate` or in `ignore`",
    include_str!("explain/duplicate-part.md"),
);

pub(super) const OPTIONAL_PART: Lint = Lint::law(
    "optional-part",
    Hosts::Compiler,
    "a part is an `Option` without `?`",
    include_str!("explain/optional-part.md"),
);

pub(super) const UNKNOWN_ARGUMENT: Lint = Lint::law(
    "unknown-argument",
    Hosts::Both,
    "a name is no parameter of the function",
    include_str!("explain/unknown-argument.md"),
);

pub(super) const UNUSABLE_PART: Lint = Lint::law(
    "unusable-part",
    Hosts::Compiler,
    "the type of a part cannot stand in a key",
    include_str!("explain/unusable-part.md"),
);
