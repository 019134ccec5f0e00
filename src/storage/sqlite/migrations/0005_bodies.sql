-- An index of the few events that can change a card's body or approve it. Muster uses it to find the last writer of the
-- body.
create index event_body on event (board, task_id, id) where kind in ('edited', 'specified', 'commands_approved');

insert into sqlite_stat1 (tbl, idx, stat) values ('event', 'event_body', '1000000 1000000 2 1');
