//! The buffer in which the entries of maps wait to be sorted.
//!
//! Bytes of the encoding are appended to one buffer. A *frame* is the part of it that belongs to the value of the
//! innermost open map entry (or to the whole encoding). Once a frame holds more than [`LIMIT`] bytes they move into a
//! digest of its own, so that the buffer stays small however large the value is. An entry that was digested is stored as
//! that digest. Whether that happens depends on the length of the encoded value only, so it is part of the canonical
//! form.

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
    /// One for every frame that is digested, the innermost last. The first is that of the whole encoding.
    digests: Vec<Sha256>,
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
    outer: Frame,
}

#[derive(Clone, Copy)]
struct Entry {
    start: usize,
    value: usize,
    end: usize,
}

impl Entry {
    fn name<'b>(&self, buffer: &'b [u8]) -> &'b [u8] {
        &buffer[self.start + STRING_HEAD..self.value]
    }

    /// By name; equal names (two keys of one text, a flattened field that repeats one) by value.
    fn compare(&self, other: &Self, buffer: &[u8]) -> std::cmp::Ordering {
        let value = |entry: &Self| &buffer[entry.value..entry.end];
        self.name(buffer).cmp(other.name(buffer)).then_with(|| value(self).cmp(value(other)))
    }
}

impl Scratch {
    pub(super) fn new(digest: Sha256) -> Self {
        Self {
            buffer: Vec::with_capacity(TYPICAL_LEN),
            spare: Vec::new(),
            entries: Vec::new(),
            frame: Frame { start: 0, digested: true },
            digests: vec![digest],
        }
    }

    /// Appends a part of a token. The last part goes through [`Self::settle`].
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Called after every complete token outside the names of entries.
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
            self.digest().update(text);
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

    /// A string that is written piece by piece.
    pub(super) fn text_from<E>(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = self.buffer.len();
        self.head(tag::STRING, 0);
        write(&mut self.buffer)?;
        let len = self.buffer.len() - start - STRING_HEAD;
        self.buffer[start + 1..start + STRING_HEAD].copy_from_slice(&len_bytes(len));
        Ok(())
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
        self.open_value(start)
    }

    pub(super) fn open_entry_from<E>(
        &mut self,
        write_name: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<OpenEntry, E> {
        let start = self.buffer.len();
        self.text_from(write_name)?;
        Ok(self.open_value(start))
    }

    /// The name of an entry whose value was not begun.
    pub(super) fn open_name(&self, open: &OpenEntry) -> String {
        String::from_utf8_lossy(&self.buffer[open.start + STRING_HEAD..]).into_owned()
    }

    fn open_value(&mut self, start: usize) -> OpenEntry {
        let frame = Frame { start: self.buffer.len(), digested: false };
        OpenEntry { start, outer: mem::replace(&mut self.frame, frame) }
    }

    pub(super) fn close_entry(&mut self, map: &mut OpenMap, open: &OpenEntry) {
        let value = self.frame.start;
        if self.frame.digested {
            self.absorb();
            if let Some(digest) = self.digests.pop() {
                self.buffer.push(tag::DIGEST);
                self.buffer.extend_from_slice(&digest.finalize());
            }
        }
        self.frame = open.outer;
        let entry = Entry { start: open.start, value, end: self.buffer.len() };
        if map.sorted
            && let Some(previous) = self.entries[map.first_entry..].last()
        {
            map.sorted = previous.name(&self.buffer) < entry.name(&self.buffer);
        }
        self.entries.push(entry);
    }

    /// Forgets an entry whose value wrote nothing.
    pub(super) fn drop_entry(&mut self, open: &OpenEntry) {
        self.frame = open.outer;
        self.buffer.truncate(open.start);
    }

    /// The digest of everything so far, to come back to by [`Self::restore`].
    pub(super) fn checkpoint(&mut self) -> Sha256 {
        self.absorb();
        self.digest().clone()
    }

    /// Forgets everything since the checkpoint, in whatever state an error left it.
    pub(super) fn restore(&mut self, checkpoint: Sha256) {
        self.buffer.clear();
        self.entries.clear();
        self.frame = Frame { start: 0, digested: true };
        self.digests.clear();
        self.digests.push(checkpoint);
    }

    pub(super) fn finish(mut self) -> [u8; 32] {
        self.absorb();
        self.digest().clone().finalize().into()
    }

    fn head(&mut self, tag: u8, len: usize) {
        self.buffer.push(tag);
        self.buffer.extend_from_slice(&len_bytes(len));
    }

    /// Moves what the frame holds into its digest.
    fn absorb(&mut self) {
        if !self.frame.digested {
            self.frame.digested = true;
            self.digests.push(Sha256::new());
        }
        let start = self.frame.start;
        if let Some(digest) = self.digests.last_mut() {
            digest.update(&self.buffer[start..]);
        }
        self.buffer.truncate(start);
    }

    fn digest(&mut self) -> &mut Sha256 {
        if self.digests.is_empty() {
            self.digests.push(Sha256::new());
        }
        let last = self.digests.len() - 1;
        &mut self.digests[last]
    }

    fn sort(&mut self, map: &OpenMap) {
        let Self { buffer, spare, entries, .. } = self;
        let entries = &mut entries[map.first_entry..];
        entries.sort_unstable_by(|a, b| a.compare(b, buffer));
        spare.clear();
        for entry in entries.iter() {
            spare.extend_from_slice(&buffer[entry.start..entry.end]);
        }
        buffer[map.start..].copy_from_slice(spare);
    }
}

fn len_bytes(len: usize) -> [u8; 8] {
    (len as u64).to_be_bytes()
}

/// A string's tag and length.
const STRING_HEAD: usize = 9;
/// Room for an ordinary request, so that most are encoded without growing the buffer.
const TYPICAL_LEN: usize = 1024;
