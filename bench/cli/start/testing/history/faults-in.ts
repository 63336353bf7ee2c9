/**
 * Judges a history from the outside: by what clients were told, without a look at any server.
 *
 * Calls overlap, so only those count as earlier whose answer came before the other was sent.
 */

import { groupedBy } from '../../../../../sim/import/landings/grouped.ts'
import type { Call, Found, State } from './clients.ts'

type Answered = Call & { readonly answeredMs: number }

/** Everything that a history shows and that must not be; empty if it is as it should be. */
export function faultsIn(calls: readonly Call[], found: readonly Found[]): readonly string[] {
  const ofEach = groupedBy(calls, nameOf)
  const atTheEnd = new Map(found.map((each) => [nameOf(each), each.state]))
  return [
    ...[...ofEach].flatMap(([name, about]) => [
      ...lost(name, about, atTheEnd.get(name) ?? null),
      ...stale(name, about),
    ]),
    ...invented(ofEach, found),
    ...[...groupedBy(found, ({ repository }) => repository).values()].flatMap((line) =>
      outOfOrder(ofEach, line),
    ),
  ]
}

/** What was acknowledged is there when all is over. */
function lost(name: string, calls: readonly Call[], end: State | null): string[] {
  return answered(calls)
    .filter((call) => call.kind === 'change' && !follows(end, call.leaves))
    .map((call) => `${name}: ${told(call)} was acknowledged by ${asker(call)}, at the end ${end}`)
}

/** A read shows what was acknowledged, or shown to anybody, before it was sent. */
function stale(name: string, calls: readonly Call[]): string[] {
  const known = answered(calls)
  return known.flatMap((read) => {
    if (read.kind !== 'read') return []
    const { shown } = read
    const missed = known.find(
      (earlier) => earlier.answeredMs < read.sentMs && !follows(shown, stateIn(earlier)),
    )
    if (missed === undefined) return []
    return [`${name}: ${asker(read)} showed ${shown} after ${asker(missed)} said ${told(missed)}`]
  })
}

/** Nothing is there that nobody asked for. */
function invented(asked: ReadonlyMap<string, unknown>, found: readonly Found[]): string[] {
  return found
    .map(nameOf)
    .flatMap((name) => (asked.has(name) ? [] : [`${name}: nobody submitted it`]))
}

/** A pull request that was acknowledged before another was sent comes before it in the line of its repository. */
function outOfOrder(
  asked: ReadonlyMap<string, readonly Call[]>,
  line: readonly Found[],
): readonly string[] {
  const submitted = line.flatMap(
    (each) => asked.get(nameOf(each))?.find(({ kind }) => kind === 'change') ?? [],
  )
  return submitted.flatMap((call, place) => {
    const { answeredMs } = call
    const ahead = submitted
      .slice(0, place)
      .find(({ sentMs }) => answeredMs !== null && answeredMs < sentMs)
    if (ahead === undefined) return []
    return [`${nameOf(ahead)} is before ${nameOf(call)}, which was acknowledged before it was sent`]
  })
}

/** Whether a pull request may be in `later` after it was in `earlier`: who left never comes back. */
function follows(later: State | null, earlier: State | null): boolean {
  if (earlier === null) return true
  return earlier === 'WAITING' ? later !== null : later === earlier
}

const answered = (calls: readonly Call[]): Answered[] =>
  calls.flatMap((call) => {
    const { answeredMs } = call
    return answeredMs === null ? [] : [{ ...call, answeredMs }]
  })

const stateIn = (call: Call): State | null => (call.kind === 'read' ? call.shown : call.leaves)
const told = (call: Call): string => `${call.kind} ${stateIn(call)}`
const asker = ({ server, sentMs }: Call): string => `server ${server} at ${Math.round(sentMs)} ms`
const nameOf = ({ repository, number }: Pick<Call, 'repository' | 'number'>): string =>
  `${repository} ${number}`
