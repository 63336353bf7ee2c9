/**
 * The tables of the store, as numbered steps. A step is never changed once it is released: what is to be
 * different comes as a new one.
 */

export const schemaName = 'mergeyard'

export const steps: readonly string[] = [
  `create table mergeyard.head (
     single boolean primary key default true check (single),
     sequence bigint not null default 0,
     at bigint not null default 0,
     chain text not null default '',
     engine integer not null default 0,
     wake_at bigint,
     epoch text not null default substr(md5(gen_random_uuid()::text), 1, 10)
   ) with (fillfactor = 50);
   insert into mergeyard.head default values;
   create table mergeyard.entries (
     sequence bigint primary key,
     entry text not null,
     chain text not null
   );
   create table mergeyard.states (
     sequence bigint primary key,
     at bigint not null,
     chain text not null,
     engine integer not null
   );
   create table mergeyard.state_lines (
     sequence bigint not null references mergeyard.states on delete cascade,
     place integer not null,
     line text not null,
     primary key (sequence, place)
   );
   create table mergeyard.settings (
     name text primary key,
     content text not null
   )`,
  `create table mergeyard.outbox (
     single boolean primary key default true check (single),
     origin text not null default substr(md5(gen_random_uuid()::text), 1, 12),
     sequence bigint not null default 0,
     chain text not null default '',
     revision bigint not null default 0,
     sender text not null default '',
     term bigint not null default 0,
     until bigint not null default 0
   ) with (fillfactor = 50);
   insert into mergeyard.outbox default values;
   create table mergeyard.outbox_lines (
     place bigint primary key,
     message text,
     line text not null
   );
   create index on mergeyard.outbox_lines (message) where message is not null`,
  `create table mergeyard.terms (
     name text primary key,
     server text not null,
     until bigint not null
   ) with (fillfactor = 50);
   create table mergeyard.hints (
     place bigserial primary key,
     hint text not null
   )`,
  `create table mergeyard.questions (
     place bigserial primary key,
     question text not null,
     asked_at timestamptz not null default clock_timestamp(),
     worker text not null default '',
     answer text
   );
   drop table mergeyard.hints`,
  // The term of the sender is a row of `terms`.
  `alter table mergeyard.outbox drop column sender, drop column term, drop column until`,
]
