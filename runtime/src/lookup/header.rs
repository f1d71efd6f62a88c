//! Lookups in HTTP headers.

use std::fmt;

use http::header::{HeaderMap, HeaderValue};

use super::Lookup;
use crate::part::{KeyPart, PartError, PartWriter};

/// The value of a header.
///
/// Refused at run time when the header was sent more than once, since a proxy may change which of the values comes
/// first, and when it is not visible ASCII.
#[derive(Clone, Copy)]
pub struct HeaderPart<'a> {
    value: &'a HeaderValue,
    repeated: bool,
}

#[diagnostic::do_not_recommend]
impl<'a> Lookup<'a, HeaderPart<'a>> for &'a HeaderMap {
    /// Header names are the same in any case.
    fn look_up(self, name: &str) -> Option<HeaderPart<'a>> {
        let mut values = self.get_all(name).into_iter();
        let value = values.next()?;
        Some(HeaderPart { value, repeated: values.next().is_some() })
    }
}

#[diagnostic::do_not_recommend]
impl crate::part::Classified for HeaderPart<'_> {
    type Kind = crate::part::Fit;
}

#[diagnostic::do_not_recommend]
impl KeyPart for HeaderPart<'_> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        if self.repeated {
            return Err(PartError::Unfit("the header was sent more than once"));
        }
        let text = self.value.to_str().map_err(|_| PartError::Unfit("the header is not visible ASCII"))?;
        text.write_part(out)
    }
}

/// Shows nothing of the value: headers carry credentials.
impl fmt::Debug for HeaderPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HeaderPart").field("repeated", &self.repeated).finish_non_exhaustive()
    }
}
