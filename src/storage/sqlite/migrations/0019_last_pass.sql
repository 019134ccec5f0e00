-- The dispatcher's last pass as JSON; null before its first pass.
alter table dispatcher add column last_pass text;
