/** Searches for the worst day of a scenario, and shrinks it to what a reader needs. */

import { isDeepStrictEqual } from 'node:util'
import type { Spread } from '../campaign/over-cores.ts'
import { longestName } from '../scenario/scenario.ts'
import type { BoundedFigure, PullRequestEntry, Scenario } from '../scenario/scenario.ts'
import { shrink } from '../shrink/shrink.ts'
import { count, rounded, several } from '../../server/terminal/text.ts'
import { type Genome, dayOf, genomeOf, scenarioOf } from './day.ts'
import { type WorstAnswer, type WorstTask, noValue, valueOf } from './worst-worker.ts'

type Objective = {
  readonly figure: BoundedFigure
  readonly unit: string
  readonly means: string
  /** What is said of a day without a value. */
  readonly none?: string
}

export const objectives = {
  p99: {
    figure: 'p99TimeToLandMinutes',
    unit: 'min',
    means: 'p99 of the time to land',
    none: 'nobody landed',
  },
  starvation: {
    figure: 'maxWaitMinutes',
    unit: 'min',
    means: 'longest wait for a first test run',
    none: 'nobody was tested',
  },
  broken: { figure: 'brokenMainMinutes', unit: 'min', means: 'time with main broken' },
  evicted: { figure: 'healthyEvicted', unit: '', means: 'healthy pull requests evicted' },
} as const satisfies Readonly<Record<string, Objective>>

export type ObjectiveName = keyof typeof objectives

/** With its unit, as `291.6 min`. */
export function worthOf(of: ObjectiveName, value: number): string {
  const { unit, none = '' }: Objective = objectives[of]
  return value === noValue ? none : `${count(rounded(value, 1))} ${unit}`.trimEnd()
}

export type WorstRequest = {
  readonly scenario: Scenario
  readonly of: ObjectiveName
  /** How many random days are measured first. */
  readonly seeds: number
  /** Events of the climbs. */
  readonly events: number
}

export type Searched = {
  readonly genome: Genome
  readonly value: number
  /** The worst of the random days, without named events. */
  readonly random: number
  /** How many days were simulated in all. */
  readonly days: number
}

type Bench = {
  readonly spread: Spread
  readonly signal: AbortSignal
  readonly onProgress: (events: number, worst: number) => void
}

const seedsPerTask = 50

/** As many climbs at once, from the worst days so far, of so many steps each. */
const climbs = 8
const stepsEach = 60

/** As many rounds without a worse day end the search. */
const patience = 6

/** Returns the worst day found; an interrupt returns the worst so far, null before the random days. */
export async function searched(request: WorstRequest, bench: Bench): Promise<Searched | null> {
  const { scenario, of, seeds } = request
  const { figure } = objectives[of]
  const all = Array.from({ length: seeds }, (_, index) => index + 1)
  const tasks = Array.from({ length: Math.ceil(seeds / seedsPerTask) }, (_, index): WorstTask => {
    const own = all.slice(index * seedsPerTask, (index + 1) * seedsPerTask)
    return { kind: 'random', figure, scenario, seeds: own }
  })
  const values = (await answersTo(tasks, bench)).flatMap((answer) => answer.values)
  if (values.length < seeds) return null
  const random = Math.max(noValue, ...values)
  const worst = all.toSorted((a, b) => (values[b - 1] ?? 0) - (values[a - 1] ?? 0)).slice(0, climbs)
  let pool = worst.map((seed) => ({
    genome: genomeOf(dayOf(scenario, seed)),
    value: values[seed - 1] ?? noValue,
  }))
  let [events, days, idle] = [0, seeds, 0]
  for (
    let round = 1;
    events < request.events && idle < patience && !bench.signal.aborted;
    round++
  ) {
    const starts = Array.from({ length: climbs }, (_, index) => pool[index % pool.length])
    const found = await answersTo(
      starts.flatMap((start, index): WorstTask[] =>
        start
          ? [
              {
                kind: 'climb',
                figure,
                from: start.genome,
                seed: round * climbs + index,
                steps: stepsEach,
              },
            ]
          : [],
      ),
      bench,
    )
    events += found.reduce((sum, each) => sum + each.events, 0)
    days += found.length * stepsEach
    const before = pool[0]?.value ?? noValue
    const climbed = found.flatMap(({ genome, value }) => (genome ? [{ genome, value }] : []))
    pool = [...climbed, ...pool].toSorted((a, b) => b.value - a.value).slice(0, climbs / 2)
    idle = (pool[0]?.value ?? noValue) > before ? 0 : idle + 1
    bench.onProgress(events, pool[0]?.value ?? noValue)
  }
  const [best] = pool
  return best ? { ...best, random, days } : null
}

async function answersTo(
  tasks: readonly WorstTask[],
  { spread, signal }: Bench,
): Promise<WorstAnswer[]> {
  const answers: WorstAnswer[] = []
  await spread<WorstTask, WorstAnswer>({
    worker: { url: new URL('./worst-worker.js', import.meta.url), name: 'worstWorker' },
    tasks,
    onAnswer: (answer) => answers.push(answer),
    signal,
  })
  return answers
}

// The day as a file, with what is needed to see it and nothing else.

/** The shrunk day is at least so bad as this share of the day that was found. */
const kept = 0.9

export type WorstDay = {
  readonly scenario: Scenario
  readonly value: number
  readonly sentence: string
}

/** Shrinks the day, and says in one sentence why it is bad. */
export function worstDayOf({ genome, value }: Searched, { scenario, of }: WorstRequest): WorstDay {
  const { figure } = objectives[of]
  const max = Math.floor(kept * value)
  const { $schema: _schema, description: _description, ...day } = scenarioOf(genome)
  const asked: Scenario = { ...day, expect: { [figure]: { max } } }
  const expectation = { name: figure, expected: { max }, actual: value, holds: false }
  const isExcused = (candidate: Scenario): boolean => !isStillOf(candidate, asked)
  const shrunk = shrink(asked, { kind: 'expectation', name: figure, expectation }, { isExcused })
  const { expect: _expect, ...least } = shrunk?.scenario ?? asked
  const found = valueOf(least, figure).value
  const sentence = sentenceOf(least, of, found)
  return {
    scenario: {
      $schema: './scenario.schema.json',
      ...least,
      name: `worst-${of}-of-${scenario.name}`.slice(0, longestName),
      description: sentence,
      expect: { [figure]: { min: Math.floor(found) } },
    },
    value: found,
    sentence,
  }
}

/** What the team and its queue are like. */
const given = ['queue', 'suite', 'suiteFlakes', 'codeHost', 'resubmit'] as const

/**
 * Whether a smaller day is still one of these settings: nobody comes at another time, what breaks is mended, and a
 * fault is as frequent as it was, or is left out.
 */
function isStillOf(day: Scenario, original: Scenario): boolean {
  const isMended = original.mend === undefined || day.mend !== undefined || !hasPush(day)
  const faults = new Map<string, unknown>(Object.entries(original.faults ?? {}))
  const times = new Set((original.pullRequests ?? []).flatMap(({ at = 0 }) => [at, Math.floor(at)]))
  return (
    isMended &&
    given.every((name) => JSON.stringify(day[name]) === JSON.stringify(original[name])) &&
    Object.entries(day.faults ?? {}).every(
      ([name, value]) => name === 'outages' || isDeepStrictEqual(value, faults.get(name)),
    ) &&
    (day.pullRequests ?? []).every(({ at = 0 }) => times.has(at))
  )
}

const hasPush = ({ events = [] }: Scenario): boolean =>
  events.some((event) => event.do === 'pushToBranch')

/** Says what happens on the day, and what comes of it. */
function sentenceOf(day: Scenario, of: ObjectiveName, value: number): string {
  const { pullRequests = [], faults } = day
  const many = (is: (entry: PullRequestEntry) => boolean, does: string): string[] => {
    const found = pullRequests.filter(is).length
    return found === 0 ? [] : [`${found} ${does}`]
  }
  const happens = [
    ...many(({ breaks }) => breaks === true, 'breaking'),
    ...many(({ flakyRuns = [] }) => flakyRuns.length > 0, 'with flakes'),
    ...many(
      (entry) => entry.clashesWith !== undefined || entry.breaksWith !== undefined,
      'clashing',
    ),
    ...many(({ conflictsWith }) => conflictsWith !== undefined, 'in conflict'),
    ...many(({ priority }) => priority === 'urgent', 'urgent'),
    ...(hasPush(day) ? ['somebody pushes past the queue'] : []),
    ...(faults?.outages ?? []).map(
      ({ from, minutes }) => `CI is down from minute ${from} to ${from + minutes}`,
    ),
  ]
  const result = `${objectives[of].means} ${worthOf(of, value)}`
  const what = happens.length === 0 ? 'at their times' : happens.join(', ')
  return `${several(pullRequests.length, 'pull request')}, ${what}: ${result}.`
}
