-- The time when a card last succeeded, which stays when the card is reopened. Archiving a card frees its idempotency
-- key for another card.
alter table task add column succeeded_at bigint;

update task set succeeded_at = completed_at where completed_at is not null;

drop index task_idempotency;

create unique index task_idempotency on task (board, idempotency_key)
where idempotency_key is not null and status <> 'archived';
