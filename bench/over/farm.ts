/** The database between a coordinator and its workers: campaigns as queues of pg-boss. */

import { randomBytes } from 'node:crypto'
import { type ClientConfig, Pool } from 'pg'
import PgBoss from 'pg-boss'
import { connectionWords } from '../../server/faults/connection.ts'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { codeOf } from '../../server/terminal/text.ts'
import { onOwnConnection } from '../../server/postgres/connect.ts'
import { build } from '../../sim/campaign/build.ts'
import { runSeed } from '../../sim/campaign/seed-worker.ts'

// The address of the database over which a campaign is spread.

const schemes = new Set(['postgres:', 'postgresql:'])

/** Returns the address without its password. Nothing else of an address that is none is shown. */
export function shownAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  if (!url || !schemes.has(url.protocol)) return 'something else, not repeated here'
  const user = url.username === '' ? '' : `${url.username}@`
  return `postgres://${user}${url.host}${url.pathname}`
}

/** Throws `BadInput` unless the address is that of a PostgreSQL. */
function refuseOtherAddress(address: string, where: string): void {
  if (URL.canParse(address) && schemes.has(new URL(address).protocol)) return
  const expected = 'an address such as postgres://farm@db/farm'
  throw new BadInput(where, [{ where: 'address', expected, actual: shownAddress(address) }])
}

/** What to do about the errors that a wrong address or a wrong role has. */
const advice: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'a PostgreSQL that listens there',
  ENOTFOUND: 'the name of a machine that is known',
  EAI_AGAIN: 'the name of a machine that is known',
  '28P01': 'the right password, in the address, in PGPASSWORD or in ~/.pgpass',
  '28000': 'a role that may connect',
  '3D000': 'a database that exists: createdb makes one',
  '42501': 'a role that may make a schema in this database',
  '25006': 'a database that can be written, not a replica',
}

/** Returns the fault of a connection that failed, in one line and without the password. */
export function connectionFault(address: string, where: string, error: unknown): BadInput {
  const code = codeOf(error)
  const expected = advice[code] ?? 'a PostgreSQL that can be used'
  const actual = withoutPassword(address, connectionWords(error) || code)
  return new BadInput(where, [{ where: shownAddress(address), expected, actual }])
}

function withoutPassword(address: string, text: string): string {
  const { password } = new URL(address)
  return [password, decoded(password)]
    .filter((secret) => secret !== '')
    .reduce((left, secret) => left.replaceAll(secret, '***'), text)
}

/** A password with a percent sign may be written as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Its own, so that nothing is shared with a server that keeps its queues in the same database. */
const schema = 'mergeyard_farm'

/** What this version of pg-boss makes. */
const tablesVersion = 24

const connectWithinMs = 10_000

/** A chunk that no worker has renewed for so long is given to another one. */
export const usualLeaseSeconds = 20

/** A chunk is given to so many workers at most: two more after the first. */
const retryLimit = 2

/** A campaign whose coordinator has said nothing for so long gets no more work, and is then removed. */
const forsakenMs = 60_000
const removedMs = 600_000

export type Campaign = {
  /** The queue of tasks, and that of what workers say. */
  readonly tasks: string
  readonly said: string
}

/** A campaign in the database, and whether workers of this build and machine may join it. */
export type FoundCampaign = Campaign & {
  readonly joins: 'yes' | 'another build' | 'another result for seed 1'
}

export type Farm = {
  readonly boss: PgBoss
  readonly pool: Pool
}

/** Connects, and makes the tables if they are not there. `where` names the option in messages. */
export async function openFarm(address: string, where: string): Promise<Farm> {
  refuseOtherAddress(address, where)
  const options = {
    connectionString: address,
    connectionTimeoutMillis: connectWithinMs,
    application_name: 'mergeyard',
  }
  await refuseUnusable(options, address, where)
  const pool = new Pool(options)
  // The next query tells of a connection that broke while it was idle.
  pool.on('error', () => undefined)
  // Also what fails later says of which database.
  const lost = (error: unknown): never => {
    throw isUsedStill(error) ? error : connectionFault(address, where, error)
  }
  const db = {
    executeSql: (text: string, values: unknown[]) => pool.query(text, values).catch(lost),
  }
  try {
    const boss = new PgBoss({ db, schema, supervise: false, schedule: false })
    boss.on('error', () => undefined)
    await boss.start()
    await refuseOtherTables(boss, address, where)
    return { boss, pool }
  } catch (error) {
    await pool.end()
    throw error instanceof BadInput ? error : connectionFault(address, where, error)
  }
}

/** The tables of pg-boss can be there already, so that nothing but this tells a replica. */
async function refuseUnusable(
  options: ClientConfig,
  address: string,
  where: string,
): Promise<void> {
  const isReplica = await onOwnConnection(options, async (client) => {
    const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is')
    return rows[0]?.is
  }).catch((error: unknown) => {
    throw connectionFault(address, where, error)
  })
  if (isReplica)
    throw new BadInput(where, [
      { where: shownAddress(address), expected: 'the primary', actual: 'a replica' },
    ])
}

/** pg-boss brings older tables up to date, and says nothing about those of a newer one. */
async function refuseOtherTables(boss: PgBoss, address: string, where: string): Promise<void> {
  const version = Number(await boss.schemaVersion())
  if (version === tablesVersion) return
  const expected = `tables of version ${tablesVersion} in the schema ${schema}`
  const actual = `version ${version}, of another version of Mergeyard`
  throw new BadInput(where, [{ where: shownAddress(address), expected, actual }])
}

export async function closeFarm({ boss, pool }: Farm): Promise<void> {
  await boss.stop({ graceful: false })
  await pool.end()
}

const idBytes = 4

/** Campaigns of this build, on machines that compute the same. */
const prefix = (): string => `mergeyard-${build()}-${proof()}-`

/** Makes the queues of a new campaign. Its name says which workers may join. */
export async function createCampaign({ boss }: Farm, leaseSeconds: number): Promise<Campaign> {
  const tasks = `${prefix()}${randomBytes(idBytes).toString('hex')}`
  const said = `${tasks}-said`
  await boss.createQueue(said, { name: said, retryLimit: 0 })
  await boss.createQueue(tasks, { name: tasks, ...taskOptions(leaseSeconds), deadLetter: said })
  return { tasks, said }
}

const taskOptions = (leaseSeconds: number) => ({
  retryLimit,
  retryDelay: 0,
  expireInSeconds: leaseSeconds,
})

/** Says that the coordinator is there, and takes chunks from workers that are not. */
export async function keepAlive(
  { boss }: Farm,
  { tasks }: Campaign,
  leaseSeconds: number,
): Promise<void> {
  await boss.updateQueue(tasks, { name: tasks, ...taskOptions(leaseSeconds) })
  await boss.expire()
}

/** Removes a campaign with all that is handed out. Workers that still work for it notice nothing. */
export async function removeCampaign(farm: Farm, { tasks, said }: Campaign): Promise<void> {
  for (const name of [tasks, said]) await removeQueue(farm, name)
}

/** True if the database refuses to delete what a row names, such as the queue of a job. */
const isUsedStill = (error: unknown): boolean => ['23001', '23503'].includes(codeOf(error))

/** pg-boss refuses to delete a queue with jobs. A worker may send one after the others were removed. */
async function removeQueue(farm: Farm, name: string): Promise<void> {
  await farm.pool.query(`delete from ${schema}.job where name = $1`, [name])
  try {
    await farm.boss.deleteQueue(name)
  } catch (error) {
    if (!isUsedStill(error)) throw error
    await removeQueue(farm, name)
  }
}

/** Returns the campaigns that have a coordinator, and removes those that have had none for long. */
export async function campaigns(farm: Farm): Promise<FoundCampaign[]> {
  const nowMs = await databaseTime(farm)
  const found: FoundCampaign[] = []
  for (const { name, updatedOn } of await farm.boss.getQueues()) {
    if (!name.startsWith('mergeyard-') || name.endsWith('-said')) continue
    const campaign = { tasks: name, said: `${name}-said` }
    const age = nowMs - updatedOn.getTime()
    if (age > removedMs) await removeCampaign(farm, campaign)
    if (age < forsakenMs) found.push({ ...campaign, joins: joinsOf(name) })
  }
  return found
}

function joinsOf(name: string): FoundCampaign['joins'] {
  if (name.startsWith(prefix())) return 'yes'
  const isSameBuild = name.startsWith(`mergeyard-${build()}-`)
  return isSameBuild ? 'another result for seed 1' : 'another build'
}

/** Clocks of machines differ, so only that of the database counts. */
async function databaseTime({ pool }: Farm): Promise<number> {
  const { rows } = await pool.query<{ readonly now: Date }>('select now() as now')
  return rows[0]?.now.getTime() ?? 0
}

/**
 * Renews the leases of chunks that are being done. pg-boss 10 cannot do that: a lease would have to be
 * longer than the longest task, and a lost worker would be noticed as late.
 */
export async function renew(
  { pool }: Farm,
  { tasks }: Campaign,
  ids: readonly string[],
): Promise<void> {
  const update = `update ${schema}.job set started_on = now()
    where name = $1 and id = any($2::uuid[]) and state = 'active'`
  await pool.query(update, [tasks, ids])
}

// What this machine computes for seed 1: a machine that computes something else may not take part.

const digits = 8

let known: string | null = null

function proof(): string {
  const source = { kind: 'swarm', settings: [], features: [] } as const
  known ??= runSeed({ source, seed: 1, once: true }).traceHash.slice(0, digits)
  return known
}
