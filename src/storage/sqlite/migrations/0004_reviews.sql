-- The time when a card entered review, and an index of the events that end a review.
alter table task add column review_requested_at integer;

create index event_review on event (board, kind, id) where kind in ('approved', 'changes_requested');

insert into sqlite_stat1 (tbl, idx, stat) values ('event', 'event_review', '100000 100000 50000 1');
