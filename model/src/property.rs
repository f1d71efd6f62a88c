//! What must never happen, each with a bit of its own in a state.

use idempotency_runtime::protocol::attempt::Ending;
use idempotency_runtime::{Claim, Epoch, OnExpired, Record, Refusal, Status, Timestamp, Written};
use stateright::Property as Checked;

use crate::Protocol;
use crate::calls::{Answer, ticks};
use crate::state::{Content, Key, Message, State};

/// A property of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Property {
    /// Two bodies may never be polled at the same time.
    OneBody = 1,
    /// A final outcome never changes while it is retained.
    FinalStays = 1 << 1,
    /// The epoch grows with every grant, also over a purge.
    EpochGrows = 1 << 2,
    /// A write of somebody who is not the owner changes nothing and is not acknowledged.
    ZombiesChangeNothing = 1 << 3,
    /// An announced or held attempt that ended without a verdict is not run again.
    NoRerunAfterAnnouncement = 1 << 4,
    /// Unknown is left only by who finds out; neither it nor an attempt that is to become it is forgotten.
    UnknownStays = 1 << 5,
    /// The effect of an announced or held operation happens at most once.
    OneEffect = 1 << 6,
    /// An acknowledged outcome is the record's, and no caller takes another for its own.
    AcknowledgedIsRecorded = 1 << 7,
    /// A claim ends once.
    EndsOnce = 1 << 8,
    /// A lease never gets shorter under its owner.
    LeasesGrow = 1 << 9,
    /// A removed record is not brought back by a write.
    GoneStaysGone = 1 << 10,
    /// No request gets or replaces the outcome of another request.
    RequestsAreKeptApart = 1 << 11,
    /// A caller is not refused because of its own claim.
    OwnClaimIsRecognised = 1 << 12,
    /// Nobody gets the right to find out while another who has it may still look.
    OneProbe = 1 << 13,
    /// An owner that released the key is not granted it by a late duplicate of its claim.
    ReleasedOwnerIsDone = 1 << 14,
    /// All callers of a key are told the same outcome while it is retained.
    RepliesAgree = 1 << 15,
    /// No key stays stuck: a fresh caller gets the key or a verdict once the faults are over.
    NeverStuck = 1 << 16,
}

impl Property {
    /// Every property.
    pub const ALL: [Self; 17] = [
        Self::OneBody,
        Self::FinalStays,
        Self::EpochGrows,
        Self::ZombiesChangeNothing,
        Self::NoRerunAfterAnnouncement,
        Self::UnknownStays,
        Self::OneEffect,
        Self::AcknowledgedIsRecorded,
        Self::EndsOnce,
        Self::LeasesGrow,
        Self::GoneStaysGone,
        Self::RequestsAreKeptApart,
        Self::OwnClaimIsRecognised,
        Self::OneProbe,
        Self::ReleasedOwnerIsDone,
        Self::RepliesAgree,
        Self::NeverStuck,
    ];

    /// Whether the property has been violated on the way to this state.
    pub fn is_violated(self, state: &State) -> bool {
        state.broken & self as u32 != 0
    }
}

/// What an exploration must have seen somewhere, or it would prove nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// An attempt completes after an earlier one.
    CompletesAfterTakeover,
    /// An outcome is unknown.
    Unknown,
    /// An unknown outcome was found out to be applied.
    FoundOut,
    /// An unknown outcome was found out not to be applied.
    FoundOutNot,
    /// A body ends with a terminal error.
    Failed,
    /// A record that was forgotten is gone.
    Purged,
    /// A body runs on a lease that was renewed.
    Renewed,
    /// A message is under way for which nobody waits.
    Stray,
}

/// The properties as the model checker wants them.
pub(crate) fn all() -> Vec<Checked<Protocol>> {
    fn holds<const BIT: u32>(_: &Protocol, state: &State) -> bool {
        state.broken & BIT == 0
    }
    fn seen<const SIGHT: u32>(world: &Protocol, state: &State) -> bool {
        Sight::ALL[SIGHT as usize].is_in(world, state)
    }
    macro_rules! checked {
        ($($property:ident)*; $($sight:ident)*) => {
            vec![
                $(Checked::always(stringify!($property), holds::<{ Property::$property as u32 }>),)*
                $(Checked::sometimes(stringify!($sight), seen::<{ Sight::$sight as u32 }>),)*
            ]
        };
    }
    checked![
        OneBody FinalStays EpochGrows ZombiesChangeNothing NoRerunAfterAnnouncement UnknownStays OneEffect
        AcknowledgedIsRecorded EndsOnce LeasesGrow GoneStaysGone RequestsAreKeptApart OwnClaimIsRecognised OneProbe
        ReleasedOwnerIsDone RepliesAgree NeverStuck;
        CompletesAfterTakeover Unknown FoundOut FoundOutNot Failed Purged Renewed Stray
    ]
}

impl Sight {
    /// Every sight.
    pub const ALL: [Self; 8] = [
        Self::CompletesAfterTakeover,
        Self::Unknown,
        Self::FoundOut,
        Self::FoundOutNot,
        Self::Failed,
        Self::Purged,
        Self::Renewed,
        Self::Stray,
    ];

    fn is_in(self, world: &Protocol, state: &State) -> bool {
        let any = |is: &dyn Fn(&Record) -> bool| {
            state.keys.iter().any(|key| key.record.as_ref().is_some_and(|stored| is(&stored.0)))
        };
        // A first attempt has the first epoch of its key, unless somebody has had the right to find out.
        let probed = |it: &Record| it.attempt == 1 && it.epoch != Epoch::first(it.claimed_at);
        match self {
            Self::CompletesAfterTakeover => any(&|it| it.status == Status::Completed && it.attempt > 1),
            Self::Unknown => any(&|it| it.status == Status::Unknown),
            Self::FoundOut => any(&|it| it.status == Status::Completed && probed(it)),
            Self::FoundOutNot => any(&|it| it.status == Status::Released && probed(it)),
            Self::Failed => any(&|it| it.status == Status::Failed),
            Self::Purged => state.keys.iter().any(|key| key.record.is_none() && key.highest > 0),
            Self::Renewed => any(&|it| it.lease_until > it.claimed_at.plus(ticks(world.config.lease))),
            Self::Stray => state.messages.iter().any(|message| message.awaited_by.is_none()),
        }
    }
}

/// Collects what a transition violates.
pub(crate) struct Watch {
    pub(crate) broken: u32,
}

impl Watch {
    pub(crate) fn forbid(&mut self, property: Property, happens: bool) {
        if happens {
            self.broken |= property as u32;
        }
    }

    /// A claim has been decided. `now` is the claimer's time, `highest` the highest epoch before.
    pub(crate) fn claimed(
        &mut self,
        before: Option<&Record>,
        request: &Asked,
        answer: &Claim,
        written: Option<&Record>,
    ) {
        let Some(before) = before else {
            return self.granted(request, written);
        };
        let other = before.fingerprint != request.fingerprint;
        self.forbid(Property::RequestsAreKeptApart, other && matches!(answer, Claim::Final(_)));
        let is_own = before.owner == request.owner;
        let in_progress = matches!(answer, Claim::InProgress { .. });
        self.forbid(Property::OwnClaimIsRecognised, is_own && in_progress);
        let Some(after) = written else { return };
        let ended = is_over(before, request);
        self.forbid(Property::FinalStays, before.status.is_final() && !ended);
        if after.epoch != before.epoch || after.owner != before.owner {
            self.granted(request, written);
            let runs = after.status == Status::InProgress;
            let held = before.status == Status::InProgress && before.holds_after_crash();
            self.forbid(Property::NoRerunAfterAnnouncement, held && runs);
            self.forbid(Property::UnknownStays, before.status == Status::Unknown && runs);
            self.forbid(Property::ReleasedOwnerIsDone, before.status == Status::Released && is_own && !ended);
            let left_something = before.holds_after_crash() && !ended;
            self.forbid(Property::RequestsAreKeptApart, other && left_something && runs);
        }
    }

    fn granted(&mut self, request: &Asked, written: Option<&Record>) {
        let falls = written.is_some_and(|record| record.epoch.get() <= request.highest);
        self.forbid(Property::EpochGrows, falls);
    }

    /// An owner's write has been decided.
    pub(crate) fn written(
        &mut self,
        before: Option<&Record>,
        message: &Message,
        answer: &Written,
        after: Option<&Record>,
    ) {
        let acknowledged = matches!(answer, Written::Applied { .. } | Written::AlreadyDone);
        let changed = before != after;
        let Some(before) = before else {
            return self.forbid(Property::GoneStaysGone, changed || acknowledged);
        };
        let owner =
            crate::owner(message.owner) == before.owner && message.epoch() == Some(before.epoch.get());
        self.forbid(Property::ZombiesChangeNothing, !owner && (changed || acknowledged));
        let Some(after) = after else { return };
        self.forbid(Property::FinalStays, before.status.is_final() && changed);
        self.forbid(Property::LeasesGrow, after.lease_until < before.lease_until);
        let Content::Finish { ending, .. } = message.content else {
            return self.forbid(Property::EndsOnce, before.status != Status::InProgress && changed);
        };
        let settles = crate::change(ending, message.owner).settles_unknown();
        let needed = if settles { Status::Unknown } else { Status::InProgress };
        self.forbid(Property::EndsOnce, before.status != needed && changed);
        self.forbid(Property::UnknownStays, before.status == Status::Unknown && changed && !settles);
        let right = crate::says(after, ending, message.owner);
        self.forbid(Property::AcknowledgedIsRecorded, acknowledged && !right);
    }
}

impl Watch {
    /// A caller is told an outcome, if the answer is one: another's, or its own that is now recorded.
    pub(crate) fn told(&mut self, key: &mut Key, answer: &Answer, message: Message) {
        let record = match answer {
            Answer::Claim(Claim::Final(record))
            | Answer::Write(Written::Refused(Refusal::Finished(record))) => {
                Some((record.status, record.value.as_ref().map_or(0, |value| value.version)))
            }
            Answer::Write(Written::Applied { .. } | Written::AlreadyDone) => match message.content {
                Content::Finish { ending: Ending::Complete | Ending::ResolveApplied, .. } => {
                    Some((Status::Completed, message.owner.into()))
                }
                Content::Finish { ending: Ending::Fail, .. } => Some((Status::Failed, message.owner.into())),
                _ => None,
            },
            _ => None,
        };
        let Some(told) = record else { return };
        self.forbid(Property::RepliesAgree, *key.told.get_or_insert(told) != told);
    }
}

/// A claim, as far as the properties look at it.
pub(crate) struct Asked {
    pub(crate) owner: idempotency_runtime::OwnerToken,
    pub(crate) now: Timestamp,
    pub(crate) fingerprint: Option<idempotency_runtime::Fingerprint>,
    pub(crate) highest: u64,
    pub(crate) on_expired: OnExpired,
}

/// Whether the time of a final or released record is over for who asks.
pub(crate) fn is_over(record: &Record, request: &Asked) -> bool {
    let replayed = record.status.is_final() && request.on_expired == OnExpired::Run;
    let until = if replayed { record.expires_at } else { record.retain_until };
    until.is_some_and(|until| request.now > until)
}
