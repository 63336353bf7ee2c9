/** What happens in the queue, as lines for a person who watches. */

import type { Event, TestRun, TestRunId } from '../../../engine/index.ts'
import { oneLine } from '../../../sim/terminal/visible.ts'

const reasons: Readonly<Record<string, string>> = {
  TEST_RUN_REQUIRED_STATUS_FAILED: 'its tests fail',
  START_TEST_RUN_MERGE_CONFLICT: 'it has a text conflict',
  TEST_RUN_TIMEOUT: 'its tests took too long',
  PR_UPDATED_AT_MERGE_TIME: 'somebody pushed to it',
}

export class Teller {
  readonly #runs = new Map<TestRunId, TestRun>()

  /** The lines about the events of one command, `ms` after the start. */
  linesOf(events: readonly Event[], ms: number): string {
    const rows = events.map((event) => this.#rowOf(event)).filter((row) => row !== null)
    const merged = events.flatMap((event) =>
      event.type === 'pullRequestMoved' && event.to === 'MERGED' ? [event.number] : [],
    )
    if (merged.length > 0) rows.push(['MERGED', listed(merged), ''])
    const stamp = clock(ms)
    return rows.map(([what = '', who = '', why = '']) => lineOf(stamp, what, who, why)).join('')
  }

  #rowOf(event: Event): string[] | null {
    if (event.type === 'testRunStarted') {
      this.#runs.set(event.run.id, event.run)
      return [verbOf(event.run), listed(event.run.tested), below(event.run)]
    }
    if (event.type === 'testRunFinished') {
      const run = this.#runs.get(event.testRun)
      const tests = event.failedTests.map(({ name }) => name).join(', ')
      return run ? [event.outcome, listed(run.tested), tests] : null
    }
    if (event.type === 'groupConflicted') {
      return ['conflict', '', `git cannot build it on top of #${event.with}`]
    }
    if (event.type === 'verdictContradicted') return ['flake', '', event.flakyTests.join(', ')]
    if (event.type !== 'pullRequestMoved' || event.to !== 'FAILED') return null
    return ['FAILED', listed([event.number]), this.#whyOf(event)]
  }

  #whyOf({ reason, evidence }: Extract<Event, { type: 'pullRequestMoved' }>): string {
    const words = reasons[reason ?? ''] ?? ''
    const { failedIn = null, passedWithout = null } = evidence ?? {}
    if (failedIn === null || passedWithout === null) return words
    return `${words}: run ${passedWithout} passed without it, run ${failedIn} failed with it`
  }
}

const verbOf = ({ owner }: TestRun): string =>
  owner.kind === 'bisection' ? 'bisecting' : 'testing'

const below = ({ base }: TestRun): string => (base.length > 0 ? `on top of ${listed(base)}` : '')

export function listed(numbers: readonly number[]): string {
  return numbers.map((number) => `#${number}`).join(' ')
}

function lineOf(stamp: string, what: string, who: string, why: string): string {
  const line = `${stamp}  ${what.padEnd(9)}  ${who.padEnd(15)}  ${why}`
  return `${oneLine(line.trimEnd())}\n`
}

/** `00:07`: minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}
