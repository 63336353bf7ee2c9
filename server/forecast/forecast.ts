/** Many forward simulations of a queue, and what they say about each pull request in it. */

import {
  type CommandBody,
  Engine,
  type Event,
  firstIndex,
  type Millis,
  type Ports,
  type PullRequestNumber,
  type PullRequestView,
  type Queue,
  testKey,
  type TestName,
  type TestRun,
  type TestRunId,
  turnOf,
} from '../../engine/index.ts'
import { Beliefs, type World, evidenceOf } from './beliefs.ts'
import { Draws, Lengths, ascending, nextQuantile, quantile } from './draws.ts'
import type { Observed, ObservedArrival } from './observed.ts'

export type ForecastTask = {
  /** The state of the queue as text; `copyOf` makes it. */
  readonly copy: string
  readonly now: Millis
  readonly observed: Observed
  readonly seed: string
  /** At most so many simulations; fewer when they take many commands. */
  readonly simulations: number
}

/** What the simulations say about one pull request, before calibration. */
export type RawForecast = {
  /** Minutes from now until it lands; infinite if later than the horizon. */
  readonly low: number
  readonly median: number
  readonly high: number
  /** The share of simulations in which it does not leave without landing. */
  readonly lands: number
}

const minuteMs = 60_000
/** A day, or for slow tests so many of their runs. */
const horizonMs: Millis = 24 * 60 * minuteMs
const horizonRuns = 16
/** All simulations of a forecast together. */
const mostCommands = 80_000
const fewestSimulations = 20

/** Those who wait behind so many others get no estimate: it would say little. */
const mostAwaited = 200

/** The instant after which a forecast says no more. */
function horizonOf(now: Millis, { lengths }: Pick<Observed, 'lengths'>): Millis {
  const whole = lengths.filter(({ isWhole }) => isWhole).map(({ ms }) => ms)
  const typical = whole.length === 0 ? 0 : quantile(ascending(whole), 0.5)
  return now + Math.max(horizonMs, horizonRuns * typical)
}

/** Returns a forecast by number for those who can be known. The same task gives the same answer. */
export function forecastOf(task: ForecastTask): Map<PullRequestNumber, RawForecast> {
  const queue: Queue = JSON.parse(task.copy)
  const { observed, now, seed, simulations } = task
  const draws = new Draws(seed)
  const evidence = evidenceOf(observed, suspicionOf(queue))
  const beliefs = new Beliefs(evidence, draws)
  const lengths = new Lengths(observed.lengths)
  const awaited = awaitedIn(queue)
  const until = horizonOf(now, observed)
  const runs: Forward[] = []
  let left = mostCommands
  while (runs.length < simulations && (left > 0 || runs.length < fewestSimulations)) {
    const newcomers = new Newcomers(observed, now, draws)
    const parts = { world: beliefs.next(), lengths, newcomers, draws }
    const run = new Forward(
      task.copy,
      { now, awaited },
      { ...parts, flakyTests: evidence.flakyTests },
    )
    runs.push(run.run({ until, mostCommands: mostCommands / fewestSimulations }))
    left -= run.commands
  }
  return new Map(
    awaited.flatMap((number) => {
      const raw = rawOf(number, now, runs)
      return raw ? [[number, raw] as const] : []
    }),
  )
}

function suspicionOf(queue: Queue): Parameters<typeof evidenceOf>[1] {
  const present = Object.values(queue.pullRequests).filter(({ home }) => home.in !== 'nowhere')
  const isProven = (each: (typeof present)[number]): boolean =>
    each.verifiedBy !== null || each.state === 'TESTS_PASSED'
  return {
    live: present.map(({ submission }) => submission),
    proven: present.filter(isProven).map(({ submission }) => submission),
    isKnownFlake: (test) => queue.flakyTests[testKey({ name: test })] === true,
  }
}

/** Those in line and those that start next. Nobody knows when one that is not ready will be. */
function awaitedIn(queue: Queue): PullRequestNumber[] {
  const startsNew = queue.state === 'RUNNING'
  return Object.values(queue.pullRequests)
    .filter(({ home, state }) => {
      if (home.in === 'nowhere' || state === 'NOT_READY') return false
      return startsNew || home.in !== 'order'
    })
    .sort((a, b) => Number(a.home.in === 'order') - Number(b.home.in === 'order') || before(a, b))
    .slice(0, mostAwaited)
    .map(({ number }) => number)
}

const before = (a: PullRequestView, b: PullRequestView): number =>
  a.priority - b.priority || turnOf(a) - turnOf(b)

/** Null if it lands in too few simulations to say when. */
function rawOf(
  number: PullRequestNumber,
  now: Millis,
  runs: readonly Forward[],
): RawForecast | null {
  const known = runs.filter(({ lost }) => !lost.has(number))
  if (known.length < fewestSimulations / 4) return null
  const minutes = known.map(({ landed }) => ((landed.get(number) ?? Infinity) - now) / minuteMs)
  const sorted = ascending(minutes)
  // The truth is one more draw, and a long line is simulated only twenty times.
  const [low, median, high] = [0.1, 0.5, 0.9].map((share) => nextQuantile(sorted, share))
  if (low === undefined || median === undefined || high === undefined) return null
  return { low, median, high, lands: known.length / runs.length }
}

// One forward simulation: a copy of the queue runs on in a drawn world until its line has left.

/** What a code host takes for a merge. */
const mergeMs: Millis = 5000

type ForwardParts = {
  readonly world: World
  readonly lengths: Lengths
  readonly newcomers: Newcomers
  /** The tests that failed in flakes of late; an empty list where none was named. */
  readonly flakyTests: readonly (readonly string[])[]
  readonly draws: Draws
}

type Limits = {
  readonly until: Millis
  /** A line that grows faster than it moves would take forever. */
  readonly mostCommands: number
}

class Forward {
  /** When each pull request that lands has merged. */
  readonly landed = new Map<PullRequestNumber, Millis>()
  /** Those that left without merging. */
  readonly lost = new Set<PullRequestNumber>()
  commands = 0
  readonly #engine: Engine
  readonly #agenda = new Agenda()
  readonly #parts: ForwardParts
  readonly #broken: Set<number>
  readonly #cancelled = new Set<TestRunId>()
  /** Those of whom nobody knows yet how they leave. */
  readonly #awaited: Set<PullRequestNumber>
  #lastBreaks: boolean
  #now: Millis

  /** `copy` is the state of a queue as text; the simulation begins at `now`. */
  constructor(
    copy: string,
    { now, awaited }: { readonly now: Millis; readonly awaited: Iterable<PullRequestNumber> },
    parts: ForwardParts,
  ) {
    const queue: Queue = JSON.parse(copy)
    this.#parts = parts
    this.#broken = new Set(parts.world.broken)
    this.#lastBreaks = parts.world.lastBreaks
    this.#awaited = new Set(awaited)
    this.#now = Math.max(now, queue.now)
    this.#engine = new Engine(queue, this.#ports())
    this.#engine.resume()
    this.#expectNewcomer()
  }

  /** Runs until everybody awaited has left, or a limit is reached. */
  run({ until, mostCommands: most }: Limits): this {
    while (this.#awaited.size > 0 && this.commands < most) {
      const next = this.#agenda.next()
      if (!next || next.at > until) break
      this.#now = Math.max(this.#now, next.at)
      const command = next.command()
      if (command) this.#dispatch(command)
    }
    return this
  }

  #dispatch(body: CommandBody): void {
    this.commands++
    const outcome = this.#engine.dispatch({ ...body, at: this.#now })
    if (outcome.accepted) for (const event of outcome.events) this.#read(event)
  }

  #read(event: Event): void {
    if (event.type === 'pullRequestSubmitted') this.#drawNewcomer(event.submission)
    if (event.type !== 'pullRequestMoved') return
    const { number, to } = event
    if (!this.#awaited.has(number)) return
    if (to === 'MERGED') this.landed.set(number, this.#now)
    else if (to === 'FAILED' || to === 'CANCELLED') this.lost.add(number)
    else return
    this.#awaited.delete(number)
  }

  #ports(): Ports {
    return {
      clock: { wakeAt: (at) => this.#agenda.add({ at, command: () => ({ type: 'wake' }) }) },
      testRunner: {
        start: (run) => this.#plan(run),
        cancel: (id) => void this.#cancelled.add(id),
      },
      codeHost: { merge: (numbers) => this.#merge(numbers) },
    }
  }

  /** Plans the end of a run; one that is in progress already lasts longer than it has. */
  #plan({ id, startedAt, submissions }: TestRun): void {
    const { lengths, draws, world, flakyTests } = this.#parts
    const lengthMs = lengths.draw(Math.max(0, this.#now - startedAt), draws)
    const at = Math.max(this.#now + 1, startedAt + lengthMs)
    const culprit = submissions.find((submission) => this.#broken.has(submission))
    const flakes = draws.chance(world.flakeRate)
    const flaky = flakes ? (draws.oneOf(flakyTests) ?? []) : []
    const failedTests: TestName[] = flaky.map((name) => ({ name }))
    if (culprit !== undefined) failedTests.push({ name: `broken by submission ${culprit}` })
    const outcome = flakes || culprit !== undefined ? 'failed' : 'passed'
    const command = (): CommandBody | null =>
      this.#cancelled.has(id) ? null : { type: 'finishTestRun', testRun: id, outcome, failedTests }
    this.#agenda.add({ at, command })
  }

  #merge(numbers: readonly PullRequestNumber[]): void {
    const [number] = numbers
    if (number === undefined) return
    const command = (): CommandBody => ({ type: 'finishMerge', number, numbers, refused: null })
    this.#agenda.add({ at: this.#now + mergeMs, command })
  }

  #expectNewcomer(): void {
    const newcomer = this.#parts.newcomers.next()
    if (!newcomer || newcomer.at === Infinity) return
    const [last, ...others] = newcomer.commands.toReversed()
    if (!last) return
    const command = (): CommandBody => {
      for (const each of others.toReversed()) this.#dispatch(each)
      this.#expectNewcomer()
      return last
    }
    this.#agenda.add({ at: newcomer.at, command })
  }

  #drawNewcomer(submission: number): void {
    const { draws, world } = this.#parts
    const { afterBroken, afterHealthy } = world.breakRate
    this.#lastBreaks = draws.chance(this.#lastBreaks ? afterBroken : afterHealthy)
    if (this.#lastBreaks) this.#broken.add(submission)
  }
}

// What is to come in a forward simulation, by instant; what was added first comes first.

type Appointment = { readonly at: Millis; readonly command: () => CommandBody | null }

class Agenda {
  /** Latest first, so that the next one is taken from the end. */
  readonly #entries: Appointment[] = []

  add(entry: Appointment): void {
    const entries = this.#entries
    const isSooner = (index: number): boolean => (entries[index]?.at ?? 0) <= entry.at
    entries.splice(firstIndex(0, entries.length, isSooner), 0, entry)
  }

  next(): Appointment | undefined {
    return this.#entries.pop()
  }
}

// Who else is submitted while the line moves: at the rate of late, and like those that came.

const hourMs = 3_600_000
/** The rate is that of so much time. */
const windowMs = 2 * hourMs
/** Newcomers get numbers that no pull request has. */
const firstNumber: PullRequestNumber = 1_000_000_000

class Newcomers {
  readonly #likes: readonly ObservedArrival[]
  readonly #draws: Draws
  readonly #meanGapMs: Millis
  #at: Millis
  #number = firstNumber

  constructor({ arrivals }: Pick<Observed, 'arrivals'>, now: Millis, draws: Draws) {
    this.#likes = arrivals
    this.#draws = draws
    this.#at = now
    const oldest = arrivals[0]?.at ?? now
    const since = Math.max(now - windowMs, oldest)
    const count = arrivals.filter(({ at }) => at > since).length
    const rate = draws.gamma(count + 0.5) / Math.max(hourMs / 2, now - since)
    this.#meanGapMs = arrivals.length === 0 ? Infinity : 1 / rate
  }

  /** The instant of the next one, and the commands that submit it; null if nobody comes any more. */
  next(): { readonly at: Millis; readonly commands: readonly CommandBody[] } | null {
    const like = this.#draws.oneOf(this.#likes)
    if (!like) return null
    this.#at += Math.ceil(this.#draws.exponential(this.#meanGapMs))
    const number = this.#number++
    const { priority, noBatch, targets } = like
    const submit: CommandBody = {
      type: 'submitPullRequest',
      number,
      noBatch,
      ...(priority === null ? {} : { priority }),
    }
    if (targets === null) return { at: this.#at, commands: [submit] }
    return { at: this.#at, commands: [{ type: 'setImpactedTargets', number, targets }, submit] }
  }
}
