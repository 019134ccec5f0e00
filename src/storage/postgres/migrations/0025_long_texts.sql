-- PostgreSQL stores a long text outside of its row, so its position in the row does not matter.
select 1;
