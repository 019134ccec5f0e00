-- How long a card has been in review, and how reviews went: those events alone, newest last.
alter table task add column review_requested_at bigint;

create index event_review on event (board, kind, id) where kind in ('approved', 'changes_requested');
