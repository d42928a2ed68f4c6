//! Keeps answers in the order of their questions: an answer that was overtaken is never shown.

/// One question's place in the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ticket(u32);

/// Hands out tickets and says which answers may still be shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sequence {
    issued: u32,
    settled: u32,
}

impl Sequence {
    /// A ticket for a question that is sent now.
    pub(crate) fn issue(&mut self) -> Ticket {
        self.issued += 1;
        Ticket(self.issued)
    }

    /// Whether the answer to this ticket may be shown: only if nothing newer was shown or the questions forgotten.
    /// A `true` settles it.
    pub(crate) fn accept(&mut self, ticket: Ticket) -> bool {
        let fresh = ticket.0 > self.settled;
        if fresh {
            self.settled = ticket.0;
        }
        fresh
    }

    /// Whether this ticket is the newest and still without an answer.
    pub(crate) fn is_awaited(&self, ticket: Ticket) -> bool {
        ticket.0 == self.issued && ticket.0 > self.settled
    }

    /// Whether no question was sent after this ticket's.
    pub(crate) fn is_newest(&self, ticket: Ticket) -> bool {
        ticket.0 == self.issued
    }

    /// Whether the answer on show is this ticket's.
    pub(crate) fn is_on_show(&self, ticket: Ticket) -> bool {
        ticket.0 == self.settled
    }

    /// No answer to any ticket issued so far will be shown: the question box was cleared.
    pub(crate) fn forget(&mut self) {
        // A ticket that nobody has.
        self.settled = self.issue().0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn a_late_answer_never_overwrites_a_newer_one() {
        let mut sequence = Sequence::default();
        let (first, second, third) = (sequence.issue(), sequence.issue(), sequence.issue());
        assert!(sequence.is_awaited(third) && !sequence.is_awaited(second));
        assert!(sequence.is_newest(third) && !sequence.is_newest(second));
        assert!(sequence.accept(second));
        assert!(!sequence.accept(first));
        assert!(sequence.accept(third));
        assert!(!sequence.is_awaited(third));
    }

    #[test]
    fn an_answer_to_a_cleared_question_is_dropped() {
        let mut sequence = Sequence::default();
        let ticket = sequence.issue();
        sequence.forget();
        assert!(!sequence.accept(ticket) && !sequence.is_awaited(ticket));
        let next = sequence.issue();
        assert!(sequence.accept(next));
    }
}
