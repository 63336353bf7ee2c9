/** Brings a scenario into the form that is fair to all queues, so that all get the same input. */

import { type Millis, configurationWith } from '../../engine/index.ts'
import { nameIn, type FaultOf } from '../../server/terminal/readers.ts'
import { lengthOf } from '../../sim/statistics/run-lengths.ts'
import { drawsOf } from '../../sim/random/draw.ts'
import {
  scenarioDefaults,
  type Length,
  type PullRequestEntry,
  type Resubmit,
  type Scenario,
  type Suite,
} from '../../sim/scenario/scenario.ts'
import { toMillis } from '../../sim/scenario/time.ts'
import { lengthLawOf } from '../../sim/theory/length-law.ts'
import { Clashes, TextConflicts } from '../../sim/world/clashes.ts'
import { arrivalsOf } from '../../sim/world/traffic.ts'
import { namesIn } from './names-in.ts'

/** Without another word in the options or the scenario, authors come again after this time. */
export const defaultResubmit: Resubmit = { afterMinutes: 15 }

/** Long enough that no run times out: the other strategies have no timeout. */
const noTimeoutMinutes = 1e6

export type FairScenario = {
  readonly scenario: Scenario
  /** The parts that were removed, as text; empty if none. */
  readonly leftOut: readonly string[]
}

/**
 * Returns the scenario without faults of the test runner and the code host, its habits, events, cancels,
 * pushes, priorities, direct merges and a quarantine. Traffic, truth, text conflicts, run lengths and flakes
 * stay.
 */
export function fairScenario(scenario: Scenario): FairScenario {
  const { faults, events, quarantine = [], codeHost, ...all } = scenario
  const { expect: _expect, mustFail: _mustFail, ...rest } = all
  const { traffic, pullRequests, queue } = rest
  const leftOut = [
    faults && Object.keys(faults).length > 0 ? 'faults' : null,
    events && events.length > 0 ? 'events' : null,
    quarantine.length > 0 ? 'quarantine' : null,
    codeHost ? 'codeHost' : null,
    ...namesIn(plainRates).map((name) => ((traffic?.[name] ?? 0) > 0 ? `traffic.${name}` : null)),
    pullRequests?.some(({ priority }) => priority !== undefined) ? 'priorities' : null,
    pullRequests?.some(({ greenOnTip }) => greenOnTip) ? 'green on the tip' : null,
  ].filter((each) => each !== null)
  return {
    scenario: {
      ...rest,
      queue: { ...queue, testingTimeoutMinutes: noTimeoutMinutes },
      ...(traffic ? { traffic: { ...traffic, ...plainRates } } : {}),
      ...(pullRequests ? { pullRequests: pullRequests.map(plainEntry) } : {}),
    },
    leftOut,
  }
}

const plainRates = { cancelRate: 0, pushRate: 0, urgentRate: 0, greenOnTipRate: 0 } as const

function plainEntry(entry: PullRequestEntry): PullRequestEntry {
  const { priority: _priority, greenOnTip: _greenOnTip, ...plain } = entry
  return plain
}

// Decides all that a scenario draws about arrivals before any queue runs: when each pull request
// comes, what it breaks, and with whom it conflicts as text. In a simulation a generated pull
// request conflicts with those that wait, so a slow queue would get more conflicts than a fast one, and
// more clashes.

/** A change conflicts, and clashes, with changes that came up to an hour before it, or before its base. */
export const conflictWindowMinutes = 60

/** Returns the scenario with every pull request listed, and no traffic. */
export function frozenScenario(scenario: Scenario): Scenario {
  const { traffic, pullRequests: _pullRequests, ...rest } = scenario
  const draw = drawsOf(scenario.seed ?? scenarioDefaults.seed)
  const conflicts = new TextConflicts(traffic?.conflictRate ?? 0, draw)
  const clashes = new Clashes(traffic ?? {}, draw)
  const breaking = new Set<number>()
  const generatedAt = new Map<number, Millis>()
  const pullRequests: PullRequestEntry[] = []
  for (const { at, entry, isGenerated } of arrivalsOf(scenario, draw)) {
    const drawn = clashes.of(entry, at).filter((other) => !entry.breaks && !breaking.has(other))
    clashes.left(entry.number, at + toMillis(conflictWindowMinutes))
    if (entry.breaks) breaking.add(entry.number)
    const clashesWith = [...(entry.clashesWith ?? []), ...drawn]
    const whole = clashesWith.length > 0 ? { ...entry, clashesWith } : entry
    if (!isGenerated) {
      pullRequests.push(whole)
      continue
    }
    generatedAt.set(entry.number, at)
    const since = at - toMillis(conflictWindowMinutes)
    const conflictsWith = conflicts.of(entry.number, (other) =>
      (generatedAt.get(other) ?? -Infinity) >= since ? 'in the queue' : 'gone',
    )
    pullRequests.push(conflictsWith.length > 0 ? { ...whole, conflictsWith } : whole)
  }
  return { ...rest, pullRequests }
}

// The models of run length under which the queues are compared.

export const lengthModels = {
  scenario: 'as the scenario says',
  run: 'drawn for each run',
  constant: 'the same for all runs',
  composition: 'of the slowest pull request in the run, those below included',
} as const satisfies Record<string, string>

export type LengthModel = keyof typeof lengthModels

/** The models that `all` stands for. */
export const allLengthModels: readonly LengthModel[] = ['run', 'constant', 'composition']

/** Parses the option `--lengths`. */
export function readLengthModels(text: string, faultOf: FaultOf): readonly LengthModel[] {
  if (text === 'all') return allLengthModels
  const expected = `all, or one of ${Object.keys(lengthModels).join(', ')}`
  return [nameIn(lengthModels, expected)(text, faultOf)]
}

/**
 * Returns the scenario with this model. The mean length stays the same, except of compositions. Only `constant`
 * leaves out that failing runs differ, and the wait for a runner.
 */
export function withLengths(scenario: Scenario, model: LengthModel): Scenario {
  if (model === 'scenario') return scenario
  const { pullRequests, suite: own } = scenario
  const minutes = lengthIn(scenario)
  const suite: Suite =
    model === 'constant' ? { minutes: lengthLawOf(minutes).mean } : { ...own, minutes, per: model }
  if (model === 'composition') return { ...scenario, suite }
  const plain = pullRequests?.map(({ testMinutes: _testMinutes, ...entry }) => entry)
  return { ...scenario, suite, ...(plain ? { pullRequests: plain } : {}) }
}

/** The length of runs of the suite; in a history, that of the lengths that it records. */
function lengthIn({ pullRequests = [], suite }: Scenario): Length {
  const recorded = pullRequests.flatMap(({ testMinutes }) => testMinutes ?? [])
  return lengthOf(recorded) ?? suite?.minutes ?? scenarioDefaults.suiteMinutes
}

// As many slots for Mergeyard as for every other queue, its slots for bisections included.

const bisectionShare = 2 / 5

/**
 * Returns the scenario with Mergeyard's slots divided so that all together are as many as the
 * concurrency. Without batches there is nothing to bisect, and all are main slots.
 */
export function withEqualSlots(scenario: Scenario): Scenario {
  const { concurrency, batch } = configurationWith(scenario.queue)
  const split = batch
    ? splitOf(concurrency, Math.round(bisectionShare * concurrency))
    : { concurrency, bisectionConcurrency: 1 }
  return { ...scenario, queue: { ...scenario.queue, ...split } }
}

/** Returns a division with so many slots for bisections; each kind has at least one. */
export function splitOf(slots: number, bisections: number) {
  const bisectionConcurrency = Math.max(1, Math.min(slots - 1, bisections))
  return { concurrency: Math.max(1, slots - bisectionConcurrency), bisectionConcurrency }
}
