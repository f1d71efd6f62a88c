//! Which operation is defined where: two operations of one name in one namespace would answer for each other.

use std::collections::HashMap;
use std::fmt;
use std::panic::Location;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

/// Where an operation is defined. The attribute makes one `static` per function; its address is the operation's
/// identity within the process.
#[derive(Debug)]
pub struct Site {
    file: &'static str,
    line: u32,
    column: u32,
    function: &'static str,
    /// A stamp of the place and name that this site was last found to own; spares the registry's lock.
    verified: AtomicU64,
    /// A field of the request that is compared and looks as if it changed with every request, once the first
    /// request was looked at.
    volatile: OnceLock<Option<Box<str>>>,
}

impl Site {
    /// A definition at this position of the source.
    pub const fn new(file: &'static str, line: u32, column: u32, function: &'static str) -> Self {
        Self { file, line, column, function, verified: AtomicU64::new(0), volatile: OnceLock::new() }
    }
}

impl Site {
    /// Whether no request has been looked at yet.
    pub(crate) fn is_new(&self) -> bool {
        self.volatile.get().is_none()
    }

    /// Records what the first request showed; `true` for the caller that did.
    pub(crate) fn note_volatile(&self, name: Option<&str>) -> bool {
        let mut first = false;
        self.volatile.get_or_init(|| {
            first = true;
            name.map(Box::from)
        });
        first
    }

    /// What the first request showed.
    pub(crate) fn volatile(&self) -> Option<&str> {
        self.volatile.get().and_then(Option::as_deref)
    }
}

/// Which definition a name belongs to.
#[derive(Clone, Copy)]
pub(crate) enum Definition {
    /// With the type whose method it is, where one definition serves several types.
    Site(&'static Site, Option<&'static str>),
    Caller(&'static Location<'static>),
}

impl Definition {
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Site(one, of), Self::Site(two, of_other)) => std::ptr::eq(one, two) && of == of_other,
            (Self::Caller(one), Self::Caller(two)) => one == two,
            _ => false,
        }
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Site(site, of) => {
                write!(f, "`{}`", site.function)?;
                if let Some(of) = of {
                    write!(f, " of `{of}`")?;
                }
                write!(f, " at {}:{}:{}", site.file, site.line, site.column)
            }
            Self::Caller(location) => location.fmt(f),
        }
    }
}

/// A store and a namespace in it, as a number. Never zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place(u64);

#[derive(Default)]
struct Registry {
    places: HashMap<String, Place>,
    operations: HashMap<(Place, String), Definition>,
}

static REGISTRY: LazyLock<Mutex<Registry>> = LazyLock::new(Mutex::default);

fn registry() -> MutexGuard<'static, Registry> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of this store and namespace; the same for every handle on it.
pub(crate) fn place(identity: &str, namespace: Option<&str>) -> Place {
    let mut registry = registry();
    let known = match namespace {
        None => registry.places.get(identity).copied(),
        Some(_) => None,
    };
    known.unwrap_or_else(|| {
        // Namespaces contain no line break, so the two cannot run into each other.
        let name =
            namespace.map_or_else(|| identity.to_owned(), |namespace| format!("{identity}\n{namespace}"));
        let next = Place(registry.places.len() as u64 + 1);
        *registry.places.entry(name).or_insert(next)
    })
}

/// Records that `definition` is the operation `name` of `place`, unless another one is already.
pub(crate) fn register(place: Place, name: &str, definition: Definition) -> Result<(), Definition> {
    let stamp = stamp(place, name, definition);
    if let Definition::Site(site, _) = definition
        && site.verified.load(Ordering::Relaxed) == stamp
    {
        return Ok(());
    }
    let mut registry = registry();
    let first = *registry.operations.entry((place, name.to_owned())).or_insert(definition);
    if !first.is(definition) {
        return Err(first);
    }
    if let Definition::Site(site, _) = definition {
        site.verified.store(stamp, Ordering::Relaxed);
    }
    Ok(())
}

/// FNV-1a over place, name and type. Never zero in practice, which is what a new site holds.
fn stamp(place: Place, name: &str, definition: Definition) -> u64 {
    let of = match definition {
        // The address is enough: where one type's name has two, the registry is asked again.
        Definition::Site(_, Some(of)) => of.as_ptr().addr() as u64,
        _ => 0,
    };
    let start = 0xcbf2_9ce4_8422_2325_u64 ^ place.0 ^ of.rotate_left(32);
    name.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    static FIRST: Site = Site::new("a.rs", 1, 1, "a::go");
    static SECOND: Site = Site::new("b.rs", 2, 1, "b::go");

    #[test]
    fn one_name_in_one_place_belongs_to_one_definition() {
        let here = place("registry-test:1", None);
        assert!(register(here, "go", Definition::Site(&FIRST, None)).is_ok());
        assert!(register(here, "go", Definition::Site(&FIRST, None)).is_ok());
        let Err(first) = register(here, "go", Definition::Site(&SECOND, None)) else {
            panic!("the second definition was accepted");
        };
        assert_eq!(first.to_string(), "`a::go` at a.rs:1:1");
    }

    #[test]
    fn other_places_and_names_are_free() {
        let (here, there) = (place("registry-test:2", None), place("registry-test:2", Some("billing")));
        assert_ne!(here, there);
        assert_eq!(there, place("registry-test:2", Some("billing")));
        assert!(register(here, "go", Definition::Site(&FIRST, None)).is_ok());
        assert!(register(there, "go", Definition::Site(&SECOND, None)).is_ok());
        assert!(register(here, "stop", Definition::Site(&SECOND, None)).is_ok());
        assert!(register(here, "go", Definition::Site(&SECOND, None)).is_err());
    }

    #[test]
    fn one_definition_that_serves_two_types_is_two() {
        let here = place("registry-test:4", None);
        assert!(register(here, "go", Definition::Site(&FIRST, Some("Bank<Eur>"))).is_ok());
        for _ in 0..2 {
            let Err(first) = register(here, "go", Definition::Site(&FIRST, Some("Bank<Usd>"))) else {
                panic!("the second type was accepted");
            };
            assert_eq!(first.to_string(), "`a::go` of `Bank<Eur>` at a.rs:1:1");
        }
        assert!(register(here, "go", Definition::Site(&FIRST, Some("Bank<Eur>"))).is_ok());
    }

    #[test]
    fn the_same_call_site_is_the_same_definition() {
        let here = place("registry-test:3", None);
        let callers: Vec<_> = (0..2).map(|_| Definition::Caller(Location::caller())).collect();
        assert!(callers.into_iter().all(|caller| register(here, "dynamic", caller).is_ok()));
        let elsewhere = Definition::Caller(Location::caller());
        assert!(register(here, "dynamic", elsewhere).is_err());
    }
}
