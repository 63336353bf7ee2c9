/** How many times today's pull requests a queue keeps up with: today's setting, others, and what can be bought. */

import type { Writable } from 'node:stream'
import type { Spreading } from '../../sim/campaign/over-cores.ts'
import { workBar } from '../../sim/cli/progress-bar.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { several } from '../../server/terminal/text.ts'
import { proposed } from '../compare/judge-place.ts'
import { assumptionsIn } from '../tune/assumptions.ts'
import { configurationOf } from '../tune/axes.ts'
import { eventsIn } from '../tune/runner.ts'
import type { CapacityAnswer, CapacityTask } from './capacity-worker.ts'
import { documentOf, todayName, bestOf } from './document.ts'
import type { Candidate, CapacityDocument, CapacityRequest, Measured } from './document.ts'

// What is compared.

const moreSlots = 2
const shorter = 2 / 3
const half = 1 / 2

/** Returns today's setting, the others, and what can be bought. What would change nothing is left out. */
export function candidatesOf(scenario: Scenario): Candidate[] {
  const { queue = {} } = scenario
  const { concurrency, bisectionConcurrency, policy } = configurationOf(scenario)
  const setting = (name: string, set: Scenario['queue']): Candidate[] => {
    const changed = { ...scenario, queue: { ...queue, ...set } }
    const isSame =
      JSON.stringify(configurationOf(changed)) === JSON.stringify(configurationOf(scenario))
    return isSame ? [] : [{ name, isSetting: true, scenario: changed, changes: [] }]
  }
  const assumed = assumptionsIn(scenario)
  const less = (name: string, words: readonly string[], by: number): Candidate[] => {
    const changes = assumed.flatMap((each) =>
      words.includes(each.name) && each.today > 0
        ? [{ name: each.name, from: each.today, to: each.today * by }]
        : [],
    )
    return changes.length === 0 ? [] : [{ name, isSetting: false, scenario, changes }]
  }
  const bought = {
    ...queue,
    concurrency: concurrency + moreSlots,
    ...(bisectionConcurrency === null ? {} : { bisectionConcurrency }),
  }
  return [
    { name: todayName, isSetting: true, scenario, changes: [] },
    ...(policy === 'documented' ? [] : setting('documented', { policy: 'documented' })),
    ...setting('adaptive', { policy: 'adaptive' }),
    ...setting('adaptive, as proposed', proposed),
    {
      name: 'two more slots',
      isSetting: false,
      scenario: { ...scenario, queue: bought },
      changes: [],
    },
    ...less('a suite a third shorter', ['run length'], shorter),
    ...less('half the flakes', ['flakes', 'flaky tests', 'flaky pull requests'], half),
    ...less('half the breaks', ['breaks'], half),
  ]
}

// The search: rounds with one seed for every setting. The first shows how many more the budget is enough for.

type Bench = Spreading & { readonly stderr: Writable; readonly signal: AbortSignal }

/** Measures as much as the budget is enough for. An interrupt keeps whole rounds, or the first part of the first. */
export async function measured(request: CapacityRequest, bench: Bench): Promise<Measured> {
  const { scenario, seeds, budget, limitMinutes, only } = request
  const { spread, note, stderr, signal } = bench
  const candidates = candidatesOf(scenario).filter(({ name }) => only?.includes(name) ?? true)
  const answers: CapacityAnswer[] = []
  const rounds: CapacityAnswer[][] = []
  const events = eventsIn(budget)
  const eventsAtMost = events / candidates.length
  let used = 0
  // What was handed out before the budget was used up does not count, wherever it runs.
  const stop = new AbortController()
  const isEnough = (): boolean =>
    (rounds.length === 0 && used >= events) || answers.some(({ broken }) => broken !== null)
  const bar = workBar(stderr, scenario.name, events, 'events')
  const measure = async (own: readonly number[]): Promise<void> =>
    spread<CapacityTask, CapacityAnswer>({
      worker: { url: new URL('./capacity-worker.js', import.meta.url), name: 'capacityWorker' },
      tasks: own.flatMap((seed) =>
        candidates.map(({ scenario: of, changes }) => {
          return { scenario: of, changes, seed, limitMinutes, eventsAtMost, eventsInAll: events }
        }),
      ),
      onAnswer: (answer) => {
        // After an interrupt there are gaps between the answers.
        if (isEnough() || signal.aborted) return
        answers.push(answer)
        used += answer.events
        if (answers.length % candidates.length === 0) rounds.push(answers.slice(-candidates.length))
        bar.update(Math.min(events, used), `${several(rounds.length, 'seed')}${note()}`)
        if (isEnough()) stop.abort()
      },
      isEnough,
      signal: AbortSignal.any([signal, stop.signal]),
    })
  try {
    await measure(seeds.slice(0, 1))
    if (!isEnough()) await measure(seeds.slice(1, Math.floor(events / used)))
  } finally {
    bar.stop()
  }
  const broken = answers.findIndex((each) => each.broken !== null)
  if (broken !== -1) throw faultOf(candidates, answers, broken, seeds)
  // Where the first round ends early, what is known of it is kept.
  const known = rounds.length > 0 ? candidates : candidates.slice(0, answers.length)
  return {
    request,
    candidates: known,
    isInterrupted: signal.aborted,
    rounds: rounds.length === 0 && known.length > 0 ? [answers] : rounds,
    unmeasured: candidates.slice(known.length).map(({ name }) => name),
  }
}

/** A property that a setting violated at a load. */
export class CapacityFault extends Error {}

function faultOf(
  candidates: readonly Candidate[],
  answers: readonly CapacityAnswer[],
  at: number,
  seeds: readonly number[],
): CapacityFault {
  const { property = '', load = 0 } = answers[at]?.broken ?? {}
  const name = candidates[at % candidates.length]?.name ?? ''
  const seed = seeds[Math.floor(at / candidates.length)] ?? 0
  return new CapacityFault(
    `${property}  with ${name} at ${load} times the pull requests, seed ${seed}`,
  )
}

/** This part of the budget tries the advice on what was kept apart. */
const unseenShare = 1 / 4

/** Measures, and tries the setting that it advises on the part of a history that it has not seen. */
export async function capacityOf(
  request: CapacityRequest,
  bench: Bench,
): Promise<CapacityDocument | null> {
  const { unseen } = request
  const shareOf = (share: number): CapacityRequest => ({
    ...request,
    budget: { ...request.budget, seconds: request.budget.seconds * share },
  })
  const found = await measured(unseen ? shareOf(1 - unseenShare) : request, bench)
  if (found.rounds.length === 0) return null
  const document = documentOf(found)
  const advised = bestOf(document, true)
  if (!unseen || !advised) return document
  const tried = await measured(
    { ...shareOf(unseenShare), scenario: unseen, unseen: null, only: [todayName, advised.name] },
    bench,
  )
  if (tried.rounds.length === 0) return document
  const pullRequests = (unseen.pullRequests ?? []).length
  return { ...document, unseen: { pullRequests, rows: documentOf(tried).rows } }
}
