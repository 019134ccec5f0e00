-- How far a person moved the card in its column, in milliseconds of its rank.
alter table task add column rank_shift integer not null default 0;
