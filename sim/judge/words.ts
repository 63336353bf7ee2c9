/** The lines of text in which the engine and the model are compared. */

import type { TestRun } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'

/** Something that the engine did, or that the model expects. */
export type Said = {
  /** Lines of one subject have an order among themselves. */
  readonly subject: string
  /** What kind of deed it is, or the new state of the pull request. */
  readonly topic: string
  readonly text: string
  readonly numbers: readonly number[]
}

export const said = (topic: string, text: string, numbers: readonly number[] = []): Said => {
  return { subject: topic, topic, text, numbers }
}

/** What happened to one pull request. Departures also have an order among themselves. */
export function lifeOf(number: number, to: string, text: string): Said[] {
  const life = said(to, `${number}: ${text}`, [number])
  const isEnd = to === 'MERGED' || to === 'FAILED' || to === 'CANCELLED'
  const departures = isEnd ? [{ ...life, subject: 'departures', text: `${number} ${to}` }] : []
  return [{ ...life, subject: `pull request ${number}` }, ...departures]
}

type Tested = Pick<TestRun, 'id' | 'tip' | 'base' | 'tested'>

/** What a run tests: "main run 9 on 7 commits 1 2 > 3" is 3 on top of 1, 2 and the seventh commit. */
export const textOfRun = (
  kind: TestRun['owner']['kind'],
  { id, tip, base, tested }: Tested,
): string => `${kind} run ${id} on ${[tip, 'commits', ...base, '>', ...tested].join(' ')}`

/** A run that starts: also how often it was tried, and when it times out. */
export const textOfStart = (
  kind: TestRun['owner']['kind'],
  run: Tested & Pick<TestRun, 'attempt' | 'deadline'>,
): string =>
  `${textOfRun(kind, run)} (attempt ${run.attempt}, until minute ${toMinutes(run.deadline)})`

/** A failure waits for its successors from now on. */
export const held = (run: number, until: number): Said =>
  said('holds', `hold the failure of run ${run} until minute ${toMinutes(until)}`)

/** Cancelled runs have no order among themselves. */
export function cancelled(run: string, cause: string, numbers: readonly number[]): Said {
  const text = `cancel ${run} (${cause})`
  return { ...said('cancelled runs', text, numbers), subject: text }
}

type Evidence = {
  readonly failedIn: number | null
  readonly tests: readonly string[]
  readonly passedWithout: number | null
}

/** The evidence of a pull request that is FAILED (E-21). */
export function textOfEvidence({ failedIn, tests, passedWithout }: Evidence): string {
  if (failedIn === null) return ', failed in no run'
  return `, failed in run ${failedIn} [${tests.join(', ')}], passed in run ${passedWithout ?? 'none'}`
}

/** The tests in quarantine in spite of which a run passed (E-272). */
export const textOfQuarantine = (tests: readonly string[]): string =>
  tests.length === 0 ? '' : `, in spite of [${tests.join(', ')}]`
