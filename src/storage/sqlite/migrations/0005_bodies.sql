-- Who wrote the body of a card last: of its events those alone that can tell, which are few however many it has.
create index event_body on event (board, task_id, id) where kind in ('edited', 'specified', 'commands_approved');

insert into sqlite_stat1 (tbl, idx, stat) values ('event', 'event_body', '1000000 1000000 2 1');
