-- With this version, the long texts of a card move to the end of its row, as after every migration (long-texts-last.ts).
select 1;
