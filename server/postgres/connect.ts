/** Connects to the PostgreSQL of the store, checks that it keeps what it acknowledges, and makes the tables. */

import { Client, type ClientConfig, Pool } from 'pg'
import { shownUrl, storeFault, StoreFault } from './store-fault.ts'

/** Of a server: one turn at a time, reads beside it, a state that is saved, and the sender of webhooks. */
const mostConnections = 6
const connectMs = 5_000
/** Longer than a turn can wait for the lock. Afterwards the connection counts as broken. */
const answerMs = 5_000

/** Opens the connections. Throws `StoreFault`. */
export async function connect(url: string): Promise<Pool> {
  if (!/^postgres(?:ql)?:\/\//.test(url) || !URL.canParse(url))
    throw new StoreFault(
      'the store: expected an address such as postgres://user@host/database, got something else, not repeated here',
    )
  const options = {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
  }
  try {
    await onOwnConnection(options, async (client) => {
      await checkPromises(client, url)
      await migrate(client, url)
    })
  } catch (error) {
    throw error instanceof StoreFault ? error : storeFault(url, error)
  }
  const pool = new Pool({ ...options, max: mostConnections })
  // A connection that breaks while nobody uses it is replaced when it is needed.
  pool.on('error', () => undefined)
  // A session that PostgreSQL ends during a turn: what is asked next fails, and nothing else may.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Refuses a PostgreSQL that can lose what it has acknowledged, or that only follows another. */
async function checkPromises(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<Record<'replica' | 'commit' | 'fsync' | 'pages', string>>(
    `select pg_is_in_recovery()::text as replica, current_setting('synchronous_commit') as commit,
            current_setting('fsync') as fsync, current_setting('full_page_writes') as pages`,
  )
  const [found] = rows
  if (found?.replica === 'true')
    throw new StoreFault(`${shownUrl(url)}: this is a replica; name the primary`)
  // `local` does not wait for a standby that was made to lose nothing.
  if (found?.commit === 'off' || found?.commit === 'local')
    throw new StoreFault(
      `${shownUrl(url)}: synchronous_commit is ${found.commit}, so ${lossWith[found.commit]} can lose what was acknowledged; set it to on`,
    )
  if (found?.fsync !== 'on' || found.pages !== 'on')
    throw new StoreFault(
      `${shownUrl(url)}: fsync or full_page_writes is off, so a crash can damage the data; set both to on`,
    )
}

const lossWith = { off: 'a crash', local: 'a failover' } as const

/** Any number that nothing else in this database uses. */
const migrationLock = 5_126_730_941

/** Brings the tables up to this version. Of several servers that start at once one does it. */
async function migrate(client: Client, url: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(${migrationLock})`)
    const done = await stepsDone(client)
    if (done > steps.length)
      throw new StoreFault(
        `${shownUrl(url)}: its tables are of version ${done}, and this server knows up to ${steps.length}; start a newer version of Mergeyard`,
      )
    for (const step of steps.slice(done)) await client.query(step)
    if (done < steps.length)
      await client.query(`update ${schemaName}.version set step = ${steps.length}`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function stepsDone(client: Client): Promise<number> {
  await client.query(
    `create schema if not exists ${schemaName};
     create table if not exists ${schemaName}.version (single boolean primary key default true check (single), step integer not null);
     insert into ${schemaName}.version (step) values (0) on conflict do nothing`,
  )
  const { rows } = await client.query<{ step: number }>(`select step from ${schemaName}.version`)
  return rows[0]?.step ?? 0
}

// The tables of the store, as numbered steps. A step is never changed once it is released: what is to be
// different comes as a new one.

const schemaName = 'mergeyard'

const steps: readonly string[] = [
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

// A connection for one purpose, which is closed afterwards, also if it could not be made.

/**
 * A pool does not close a connection that failed because there is no password, and the process would wait
 * for it. So whatever can be wrong with an address is found on a connection of its own.
 */
export async function onOwnConnection<T>(
  options: ClientConfig,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client(options)
  // The next query reports a broken connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
