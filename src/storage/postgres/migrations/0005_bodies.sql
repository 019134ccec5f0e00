-- To find the last writer of a card's body: an index of the few events that can change the body or approve it.
create index event_body on event (board, task_id, id) where kind in ('edited', 'specified', 'commands_approved');
