-- The time when a card entered review, and an index of the events that end a review.
alter table task add column review_requested_at bigint;

create index event_review on event (board, kind, id) where kind in ('approved', 'changes_requested');
