/**
 * A small case: what happens to a few pull requests, step by step, and the scenario in which exactly
 * that happens. Time is abstracted: a step takes ten minutes, in which every batch that waits starts,
 * and what happens together happens at one instant.
 */

import type { FlakyRun, PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { quarantinedTest, traits, type DisturbingEvent, type Scope, type Trait } from './scopes.ts'

/** A test run that is under way: which run of each pull request it is, as in `flakyRuns`. */
export type RunUnderWay = {
  readonly startedAt: number
  readonly tested: readonly { readonly number: number; readonly run: number }[]
  /** All that it holds and that have not merged. */
  readonly held: readonly number[]
}

export type SmallStep =
  | {
      readonly is: 'submission'
      readonly trait: Trait | null
      /** At the same instant as the submission before. */
      readonly isTogether: boolean
    }
  | {
      readonly is: 'result'
      readonly run: RunUnderWay
      /** Of those of which nothing was known before, these break. The others are good. */
      readonly culprits: readonly number[]
      readonly isFlake: boolean
      /** The test that flakes; absent if the report names none. */
      readonly test?: string
    }
  | { readonly is: DisturbingEvent; readonly number: number }

export type SmallCase = { readonly scope: Scope; readonly steps: readonly SmallStep[] }

/** Long enough for a batch that is not full to start, and for the tip to be tested, between two steps. */
export const stepMinutes = 10

/** No run that a case says nothing of ends before all that it says. */
const laterMinutes = 500

/** Runs do not time out. */
const timeoutMinutes = 100_000

/** They are tested alone and one after the other, so each is judged before the next one comes. */
const brokenBefore = ({ brokenBefore: count }: Scope): PullRequestEntry[] =>
  Array.from({ length: count }, (_, index) => ({
    number: 101 + index,
    at: stepMinutes * index,
    testMinutes: stepMinutes / 2,
    breaks: true,
    noBatch: true,
  }))

/** The instant of each step, in minutes. */
export function minutesOf({ scope, steps }: SmallCase): number[] {
  let minutes = stepMinutes * scope.brokenBefore
  return steps.map((step, index) => {
    const isTogether = step.is === 'submission' && step.isTogether
    if (index > 0 && !isTogether) minutes += stepMinutes
    return minutes
  })
}

/** While its steps are read; runs of which nothing is said have no length. */
type Draft = PullRequestEntry & {
  readonly lengths: (number | undefined)[]
  readonly flakyRuns: FlakyRun[]
  breaks: boolean
}

export function scenarioOf(small: SmallCase): Scenario {
  const minutes = minutesOf(small)
  const drafts: Draft[] = []
  const events: ScenarioEvent[] = []
  for (const [index, step] of small.steps.entries()) {
    const at = minutes[index] ?? 0
    if (step.is === 'submission') {
      const number = drafts.length + 1
      const trait = step.trait === null ? {} : traits[step.trait](number)
      drafts.push({ number, at, ...trait, lengths: [], flakyRuns: [], breaks: false })
    } else if (step.is === 'result') settle(drafts, step, at)
    else events.push(eventOf(step, at))
  }
  return {
    name: 'small',
    queue: { ...small.scope.queue, testingTimeoutMinutes: timeoutMinutes },
    ...(small.scope.hasQuarantine ? { quarantine: [{ test: quarantinedTest }] } : {}),
    // Only the tip by itself has this length.
    suite: { minutes: 1 },
    pullRequests: [...brokenBefore(small.scope), ...drafts.map(entryOf)],
    events,
  }
}

function settle(
  drafts: readonly Draft[],
  { run, culprits, isFlake, test }: Extract<SmallStep, { is: 'result' }>,
  at: number,
): void {
  for (const draft of drafts) draft.breaks ||= culprits.includes(draft.number)
  for (const [index, { number, run: position }] of run.tested.entries()) {
    const draft = drafts[number - 1]
    if (!draft) continue
    draft.lengths[position - 1] = at - run.startedAt
    if (isFlake && index === 0)
      draft.flakyRuns.push(test === undefined ? position : { run: position, tests: [test] })
  }
}

function eventOf(
  { is, number }: Extract<SmallStep, { is: DisturbingEvent }>,
  at: number,
): ScenarioEvent {
  if (is === 'release') return { at, do: is, test: quarantinedTest }
  return is === 'pushToBranch' ? { at, do: is } : { at, do: is, number }
}

function entryOf({ lengths, flakyRuns, breaks, ...entry }: Draft): PullRequestEntry {
  return {
    ...entry,
    testMinutes: [...Array.from(lengths, (length) => length ?? laterMinutes), laterMinutes],
    ...(breaks ? { breaks } : {}),
    ...(flakyRuns.length > 0 ? { flakyRuns } : {}),
  }
}
