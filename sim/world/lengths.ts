/** Lengths of test runs. */

import type { Millis, TestRun } from '../../engine/index.ts'
import { longestLognormalMs, type Draw, type Key, type Lognormal } from '../random/draw.ts'
import { scenarioDefaults } from '../scenario/scenario.ts'
import type { Length, PullRequestEntry, Suite } from '../scenario/scenario.ts'
import { toMillis } from '../scenario/time.ts'

export type Lengths = {
  learn(entry: PullRequestEntry): void
  /**
   * Returns the length of a run: that of the slowest pull request that counts for it. One that fails may
   * end earlier or later, and a run waits for a runner (S-273, S-274).
   */
  of(run: TestRun, key: Key, fails: boolean): Millis
  /** A pull request is submitted, and its own checks begin. */
  submitted(at: Millis): void
  /** Returns the length drawn for a pull request; undefined unless each has its own. */
  ofPullRequest(number: number): Millis | undefined
}

export function lengthsOf(suite: Suite, draw: Draw): Lengths {
  const length = suite.minutes ?? scenarioDefaults.suiteMinutes
  const drawn = (key: Key): Millis => drawnLength(draw, length, key)
  const isPerPullRequest = (suite.per ?? 'run') !== 'run' && typeof length === 'object'
  const own = new Map<number, Millis>()
  const listed = new ListedLengths(own)
  const waitOf = startDelayOf(suite, draw)
  const passing = ({ base, tested }: TestRun, key: Key): Millis => {
    const counted = suite.per === 'composition' ? [...base, ...tested] : tested
    // A run of the branch by itself.
    if (counted.length === 0) return drawn(key)
    if (isPerPullRequest) return longest(counted, (number) => own.get(number) ?? drawn(number))
    const known = longest(counted, (number) => own.get(number) ?? 0)
    return counted.every((number) => own.has(number)) ? known : Math.max(known, drawn(key))
  }
  const { minutesFailing = 1 } = suite
  return {
    learn({ number, testMinutes }) {
      if (typeof testMinutes === 'number') own.set(number, toMillis(testMinutes))
      else if (testMinutes) listed.learn(number, testMinutes)
    },
    of(run, key, fails) {
      listed.next(run)
      const wait = waitOf.now(run.startedAt, key)
      if (!fails || minutesFailing === 1) return wait + passing(run, key)
      if (typeof minutesFailing === 'number')
        return wait + Math.round(passing(run, key) * minutesFailing)
      return wait + drawnLength(draw, minutesFailing, `failing ${key}`)
    },
    submitted: waitOf.submitted,
    ofPullRequest: (number) => (isPerPullRequest ? drawn(number) : undefined),
  }
}

/** Lengths that are given run by run: those of the run that has just started. Rule: S-341. */
class ListedLengths {
  readonly #own: Map<number, Millis>
  readonly #left = new Map<number, readonly number[]>()

  constructor(own: Map<number, Millis>) {
    this.#own = own
  }

  learn(number: number, minutes: readonly number[]): void {
    this.#left.set(number, minutes)
  }

  next({ tested }: TestRun): void {
    for (const number of tested) {
      const [first, ...later] = this.#left.get(number) ?? []
      if (first === undefined) continue
      this.#own.set(number, toMillis(first))
      this.#left.set(number, later)
    }
  }
}

type StartDelays = {
  readonly submitted: (at: Millis) => void
  /** How long a run waits for a runner that starts now. */
  readonly now: (at: Millis, key: Key) => Millis
}

/** The wait grows with the pull requests that were submitted within the length of a typical run. */
function startDelayOf(suite: Suite, draw: Draw): StartDelays {
  const { startDelay } = suite
  if (!startDelay) return { submitted: () => undefined, now: () => 0 }
  const { minutes, perCheck = 0 } = startDelay
  const typical = typicalMs(suite)
  let submissions: Millis[] = []
  return {
    submitted: (at) => void submissions.push(at),
    now(at, key) {
      submissions = submissions.filter((each) => at - each < typical)
      const wait = drawnLength(draw, minutes, `wait of ${key}`)
      return Math.round(wait * (1 + perCheck * submissions.length))
    },
  }
}

function longest(numbers: readonly number[], lengthOf: (number: number) => Millis): Millis {
  return numbers.reduce((soFar, number) => Math.max(soFar, lengthOf(number)), 0)
}

export function drawnLength(draw: Draw, length: Length, key: Key): Millis {
  if (typeof length === 'number') return toMillis(length)
  if ('uniform' in length) {
    const [from, to] = length.uniform
    return draw.uniformMs('run minutes', key, [toMillis(from), toMillis(to)])
  }
  if ('exponential' in length) {
    return draw.exponentialMs('run minutes', key, toMillis(length.exponential))
  }
  return draw.lognormalMs(key, lognormalOf(length))
}

/** The longest that can be drawn. */
export function longestLength(length: Length): Millis {
  if (typeof length === 'number') return toMillis(length)
  if ('uniform' in length) return toMillis(length.uniform[1])
  return 'exponential' in length ? Infinity : longestLognormalMs(lognormalOf(length))
}

type MedianAndP95 = Extract<Length, { median: number }>

const lognormalOf = ({ median, p95 }: MedianAndP95): Lognormal => ({
  medianMs: toMillis(median),
  p95Ms: toMillis(p95),
})

/** Returns the typical length of a run of the suite: the median or the mean. */
export function typicalMs({ minutes = scenarioDefaults.suiteMinutes }: Suite): Millis {
  if (typeof minutes === 'number') return toMillis(minutes)
  if ('uniform' in minutes) return toMillis((minutes.uniform[0] + minutes.uniform[1]) / 2)
  return toMillis('exponential' in minutes ? minutes.exponential : minutes.median)
}
