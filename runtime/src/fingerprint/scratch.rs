//! The buffer in which the entries of maps wait to be sorted.
//!
//! Bytes of the encoding are appended to one buffer. A *frame* is the part of it that belongs to the value of the
//! innermost open map entry (or to the whole encoding). Once a frame holds more than [`LIMIT`] bytes they move into a
//! digest of its own, so that the buffer stays small however large the value is. An entry that was digested is stored as
//! that digest. Whether that happens depends on the length of the encoded value only, so it is part of the canonical
//! form.

use std::cell::RefCell;
use std::mem;

use sha2::{Digest as _, Sha256};

use super::encoder::tag;

/// The longest value of an entry that is kept as it is.
pub(super) const LIMIT: usize = 4096;

pub(super) struct Scratch {
    buffer: Vec<u8>,
    /// Takes the entries in their order, while they are sorted.
    spare: Vec<u8>,
    /// The closed entries of all open maps, those of the innermost map last.
    entries: Vec<Entry>,
    frame: Frame,
    /// The digest of the whole encoding.
    root: Sha256,
    /// Whether the digest of the whole holds any of the encoding yet.
    absorbed: bool,
    /// One for every open entry that is digested, the innermost last.
    nested: Vec<Sha256>,
}

thread_local! {
    /// Buffers that were used before: to allocate and grow them costs as much as a short encoding.
    static USED: RefCell<Vec<Buffers>> = const { RefCell::new(Vec::new()) };
}

#[derive(Default)]
struct Buffers {
    buffer: Vec<u8>,
    spare: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Frame {
    start: usize,
    digested: bool,
}

/// A map whose entries are being written.
pub(super) struct OpenMap {
    start: usize,
    first_entry: usize,
    sorted: bool,
}

/// An entry whose value is being written.
pub(super) struct OpenEntry {
    start: usize,
    name: usize,
    outer: Frame,
}

#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    name: usize,
    value: usize,
    end: usize,
}

impl Entry {
    fn name<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        &buffer[self.name..self.value]
    }

    /// By name; equal names (two keys of one text, a flattened field that repeats one) by value.
    fn compare(&self, other: &Self, buffer: &[u8]) -> std::cmp::Ordering {
        let value = |entry: &Self| &buffer[entry.value..entry.end];
        self.name(buffer).cmp(other.name(buffer)).then_with(|| value(self).cmp(value(other)))
    }
}

impl Scratch {
    pub(super) fn new(root: Sha256) -> Self {
        let Buffers { buffer, spare, entries } = USED.with_borrow_mut(Vec::pop).unwrap_or_else(|| Buffers {
            buffer: Vec::with_capacity(TYPICAL_LEN),
            spare: Vec::with_capacity(TYPICAL_LEN),
            entries: Vec::with_capacity(TYPICAL_ENTRIES),
        });
        Self { buffer, spare, entries, frame: WHOLE, root, absorbed: false, nested: Vec::new() }
    }

    /// Appends a part of a token. The last part goes through [`Self::settle`].
    #[inline]
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Called after every complete token outside the names of entries.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.buffer.len() - self.frame.start > LIMIT {
            self.absorb();
        }
    }

    /// A whole string or byte string. A long one goes to the digest without being copied.
    pub(super) fn text(&mut self, tag: u8, text: &[u8]) {
        self.head(tag, text.len());
        if text.len() > LIMIT {
            self.absorb();
            self.absorbed = true;
            self.nested.last_mut().unwrap_or(&mut self.root).update(text);
        } else {
            self.push(text);
            self.settle();
        }
    }

    /// A string that stays in the buffer whatever its length: a name.
    pub(super) fn name(&mut self, tag: u8, name: &str) {
        self.head(tag, name.len());
        self.push(name.as_bytes());
    }

    /// A string that is written piece by piece. Returns where its text begins.
    pub(super) fn text_from<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<usize, E> {
        self.head(tag::STRING, 0);
        let start = self.buffer.len();
        write(&mut self.buffer)?;
        let len = self.buffer.len() - start;
        match u8::try_from(len) {
            Ok(len) if len < LONG => {
                self.buffer[start - 1] = len;
                Ok(start)
            }
            _ => {
                self.buffer[start - 1] = LONG;
                self.buffer.splice(start..start, (len as u64).to_be_bytes());
                Ok(start + size_of::<u64>())
            }
        }
    }

    pub(super) fn open_map(&mut self) -> OpenMap {
        self.buffer.push(tag::MAP);
        OpenMap { start: self.buffer.len(), first_entry: self.entries.len(), sorted: true }
    }

    pub(super) fn close_map(&mut self, map: &OpenMap) {
        if !map.sorted {
            self.sort(map);
        }
        self.entries.truncate(map.first_entry);
        self.buffer.push(tag::MAP_END);
        self.settle();
    }

    pub(super) fn open_entry(&mut self, name: &str) -> OpenEntry {
        let start = self.buffer.len();
        self.name(tag::STRING, name);
        self.open_value(start, self.buffer.len() - name.len())
    }

    pub(super) fn open_entry_from<E>(
        &mut self,
        write_name: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<OpenEntry, E> {
        let start = self.buffer.len();
        let name = self.text_from(write_name)?;
        Ok(self.open_value(start, name))
    }

    /// The name of an entry whose value was not begun.
    pub(super) fn open_name(&self, open: &OpenEntry) -> String {
        String::from_utf8_lossy(&self.buffer[open.name..self.frame.start]).into_owned()
    }

    fn open_value(&mut self, start: usize, name: usize) -> OpenEntry {
        let frame = Frame { start: self.buffer.len(), digested: false };
        OpenEntry { start, name, outer: mem::replace(&mut self.frame, frame) }
    }

    pub(super) fn close_entry(&mut self, map: &mut OpenMap, open: &OpenEntry) {
        let value = self.frame.start;
        if self.frame.digested {
            self.absorb();
            if let Some(digest) = self.nested.pop() {
                self.buffer.push(tag::DIGEST);
                self.buffer.extend_from_slice(&digest.finalize());
            }
        }
        self.frame = open.outer;
        let entry = Entry { start: open.start, name: open.name, value, end: self.buffer.len() };
        if map.sorted
            && let Some(previous) = self.entries[map.first_entry..].last()
        {
            map.sorted = previous.name(&self.buffer) < entry.name(&self.buffer);
        }
        self.entries.push(entry);
    }

    /// Forgets an entry.
    pub(super) fn drop_entry(&mut self, open: &OpenEntry) {
        if self.frame.digested {
            self.nested.pop();
        }
        self.frame = open.outer;
        self.buffer.truncate(open.start);
    }

    /// The digest of everything so far, to come back to by [`Self::restore`].
    pub(super) fn checkpoint(&mut self) -> Sha256 {
        self.absorb();
        self.root.clone()
    }

    /// Forgets everything since the checkpoint, in whatever state an error left it.
    pub(super) fn restore(&mut self, checkpoint: Sha256) {
        self.buffer.clear();
        self.entries.clear();
        self.nested.clear();
        self.frame = WHOLE;
        self.root = checkpoint;
    }

    pub(super) fn finish(mut self) -> [u8; 32] {
        self.absorb();
        self.root.finalize_reset().into()
    }

    /// Whether both hold the same encoding; without a digest while both are short.
    pub(super) fn same(self, other: Self) -> bool {
        match (self.absorbed, other.absorbed) {
            (false, false) => self.buffer == other.buffer,
            (true, true) => self.finish() == other.finish(),
            _ => false,
        }
    }

    /// The memory in use. Buffers only grow, so this is also the most that was ever in use.
    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.buffer.capacity()
            + self.spare.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.nested.capacity() * size_of::<Sha256>()
    }

    /// Short lengths take one byte: most strings are short, and every byte is hashed.
    fn head(&mut self, tag: u8, len: usize) {
        match u8::try_from(len) {
            Ok(len) if len < LONG => self.buffer.extend_from_slice(&[tag, len]),
            _ => {
                self.buffer.extend_from_slice(&[tag, LONG]);
                self.buffer.extend_from_slice(&(len as u64).to_be_bytes());
            }
        }
    }

    /// Moves what the frame holds into its digest.
    fn absorb(&mut self) {
        if !self.frame.digested {
            self.frame.digested = true;
            self.nested.push(Sha256::new());
        }
        let start = self.frame.start;
        self.absorbed |= self.buffer.len() > start;
        let Self { buffer, nested, root, .. } = self;
        nested.last_mut().unwrap_or(root).update(&buffer[start..]);
        buffer.truncate(start);
    }

    fn sort(&mut self, map: &OpenMap) {
        let Self { buffer, spare, entries, .. } = self;
        let entries = &mut entries[map.first_entry..];
        entries.sort_unstable_by(|a, b| a.compare(b, buffer));
        spare.clear();
        spare.reserve(buffer.len());
        for entry in entries.iter() {
            spare.extend_from_slice(&buffer[entry.start..entry.end]);
        }
        buffer[map.start..].copy_from_slice(spare);
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let mut used = Buffers {
            buffer: mem::take(&mut self.buffer),
            spare: mem::take(&mut self.spare),
            entries: mem::take(&mut self.entries),
        };
        used.buffer.clear();
        used.entries.clear();
        let fits = used.buffer.capacity().max(used.spare.capacity()) <= LARGEST_KEPT;
        if fits && used.buffer.capacity() > 0 && used.entries.capacity() <= LARGEST_KEPT / size_of::<Entry>()
        {
            // The thread may be ending; then the buffers end with it.
            let _ = USED.try_with(|kept| {
                let mut kept = kept.borrow_mut();
                if kept.len() < MOST_KEPT {
                    kept.push(used);
                }
            });
        }
    }
}

/// The frame of the whole encoding.
const WHOLE: Frame = Frame { start: 0, digested: true };
/// Stands before a length that does not fit one byte.
const LONG: u8 = u8::MAX;
/// Room for an ordinary request, so that most are encoded without growing the buffers.
const TYPICAL_LEN: usize = 1024;
const TYPICAL_ENTRIES: usize = 16;
/// Larger buffers are not kept, nor more of them: a thread does not hold on to the memory of a rare large request.
const LARGEST_KEPT: usize = 64 * 1024;
const MOST_KEPT: usize = 4;
