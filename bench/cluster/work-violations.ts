/** What must hold of the work on repositories after a rehearsal, whatever has happened. */

import type { LogEntry } from '../../engine/index.ts'
import { termMs } from '../../server/timing/term.ts'
import { epochMs } from './database.ts'
import type { Failover, Judged } from './outcome.ts'
import { hosted, quietMs } from './worker.ts'

export const workProperties: Readonly<Record<string, (outcome: Judged) => Iterable<string>>> = {
  'one-works': oneWorks,
  'nothing-outdated-is-told': nothingOutdated,
  'work-goes-on': workGoesOn,
}

/** What the server that works has told: who it was, what it had seen, and who had the term. */
type Fact = {
  readonly server: string
  readonly seenMs: number
  readonly storedMs: number
  readonly holder: string | null
}

function factsOf({ database }: Judged): Fact[] {
  return database.lines.flatMap(({ text, storedAtMs, worker: holder }) => {
    const { queue, command, by }: LogEntry = JSON.parse(text)
    if (queue !== hosted || command.type !== 'reportPush' || by === undefined) return []
    const seenMs = 'commit' in command ? Number(command.commit) : 0
    return [{ server: by.token, seenMs, storedMs: storedAtMs - epochMs, holder }]
  })
}

/** A failover can lose a term too. Then two servers work until they ask again. */
const isAfterFailover = (failovers: readonly Failover[], { storedMs }: Fact): boolean =>
  failovers.some(({ atMs }) => atMs <= storedMs + 1 && storedMs < atMs + termMs)

/** Of all servers one tells at a time: who has the term when that is stored. */
function* oneWorks(judged: Judged): Generator<string> {
  for (const fact of factsOf(judged)) {
    const { server, storedMs, holder } = fact
    if (server === holder || isAfterFailover(judged.failovers, fact)) continue
    yield `${server} told what it saw at ${storedMs} ms, when the term was that of ${holder ?? 'nobody'}`
  }
}

/** What was seen earlier is not told after what was seen later. */
function* nothingOutdated(judged: Judged): Generator<string> {
  let newest = 0
  for (const fact of factsOf(judged)) {
    const { server, seenMs, storedMs } = fact
    if (seenMs < newest && !isAfterFailover(judged.failovers, fact))
      yield `${server} told at ${storedMs} ms what it saw at ${seenMs} ms, after what was seen at ${newest} ms`
    newest = Math.max(newest, seenMs)
  }
}

/** A look each second, with what it takes. */
const latestFactMs = 3_000

/** When the faults are over, somebody works. */
function* workGoesOn(judged: Judged): Generator<string> {
  const last = factsOf(judged).at(-1)
  const silentMs = quietMs - (last?.storedMs ?? 0)
  if (silentMs > latestFactMs) yield `for ${silentMs} ms nobody told what is on the branch`
}
