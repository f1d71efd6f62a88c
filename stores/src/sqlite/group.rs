//! The claims and writes that are served together.

use std::time::Instant;

use idempotency_runtime::{Claim, ClaimRequest, OwnerWrite, StoreError, Written};

use super::store::Database;
use super::together::{Answer, Call, Together};
use super::writer::{Job, Queued, Reply};

/// How many calls share a transaction at most: the first waits for the last.
pub(super) const LARGEST: usize = 256;

/// Calls that wait for one transaction, in the order of their coming.
#[derive(Default)]
pub(super) struct Group(Vec<Member>);

struct Member {
    request: Request,
    /// Taken by the answer.
    reply: Option<To>,
    since: Instant,
}

enum Request {
    Claim(ClaimRequest),
    Write(OwnerWrite),
}

enum To {
    Claim(Reply<Claim>),
    Write(Reply<Written>),
}

impl Group {
    /// Takes a job that can be served with others; gives back any other.
    ///
    /// A caller that is gone wants nothing claimed any more. Its writes are still made: they tell the truth about
    /// something that has already happened.
    pub(super) fn take(&mut self, queued: Queued) -> Option<Queued> {
        let Queued { job, since } = queued;
        let (request, reply) = match job {
            Job::Claim { reply, .. } if reply.is_closed() => return None,
            Job::Claim { request, reply } => (Request::Claim(request), To::Claim(reply)),
            Job::Write { request, reply } => (Request::Write(request), To::Write(reply)),
            job => return Some(Queued { job, since }),
        };
        self.0.push(Member { request, reply: Some(reply), since });
        None
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Serves them; gives back those that have to wait for the lock of another connection.
    pub(super) fn serve(mut self, database: &mut Database) -> Vec<Queued> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let (calls, mut replies): (Vec<Call<'_>>, Vec<_>) =
            self.0.iter_mut().map(|member| (member.request.as_call(), &mut member.reply)).unzip();
        let mut answer = |number: usize, answer| {
            if let Some(reply) = replies[number].take() {
                reply.send(answer);
            }
        };
        match database.together(&calls, &mut answer) {
            Together::Done(answers) => {
                for (number, done) in answers {
                    answer(number, done);
                }
                Vec::new()
            }
            Together::Busy => self.remaining().filter_map(|queued| queued.wait_or_fail(database)).collect(),
            Together::Alone => self.remaining().filter_map(|queued| queued.run(database)).collect(),
        }
    }

    /// Those that have not been answered.
    fn remaining(self) -> impl Iterator<Item = Queued> {
        self.0.into_iter().filter_map(|Member { request, reply, since }| {
            let job = match (request, reply?) {
                (Request::Claim(request), To::Claim(reply)) => Job::Claim { request, reply },
                (Request::Write(request), To::Write(reply)) => Job::Write { request, reply },
                // A reply is made with its request.
                _ => return None,
            };
            Some(Queued { job, since })
        })
    }
}

impl Request {
    fn as_call(&self) -> Call<'_> {
        match self {
            Self::Claim(request) => Call::Claim(request),
            Self::Write(request) => Call::Write(request),
        }
    }
}

impl To {
    /// Nobody may be waiting for the answer any more; that is no error.
    fn send(self, answer: Result<Answer, StoreError>) {
        match (self, answer) {
            (Self::Claim(reply), Ok(Answer::Claim(claim))) => drop(reply.send(Ok(claim))),
            (Self::Write(reply), Ok(Answer::Write(written))) => drop(reply.send(Ok(written))),
            (Self::Claim(reply), Err(error)) => drop(reply.send(Err(error))),
            (Self::Write(reply), Err(error)) => drop(reply.send(Err(error))),
            // An answer is made for its call.
            (Self::Claim(_) | Self::Write(_), Ok(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests;
