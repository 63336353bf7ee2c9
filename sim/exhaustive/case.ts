/**
 * A small case: what happens to a few pull requests, step by step, and the scenario in which exactly
 * that happens. Time is abstracted: a step takes ten minutes, in which every batch that waits starts,
 * and what happens together happens at one instant.
 */

import type { FlakyRun, PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { quarantinedTest, type DisturbingEvent, type Scope, type Trait } from './scopes.ts'

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

type Draft = {
  readonly entry: PullRequestEntry
  /** The lengths of its runs; those that have a gap last long. */
  readonly lengths: number[]
  readonly flakyRuns: FlakyRun[]
  breaks: boolean
}

export function scenarioOf(small: SmallCase): Scenario {
  const minutes = minutesOf(small)
  const drafts: Draft[] = []
  const events: ScenarioEvent[] = []
  for (const [index, step] of small.steps.entries()) {
    const at = minutes[index] ?? 0
    if (step.is === 'submission') drafts.push(draftOf(drafts.length + 1, at, step.trait))
    else if (step.is === 'result') settle(drafts, step, at)
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

const draftOf = (number: number, at: number, trait: Trait | null): Draft => ({
  entry: { number, at, ...traitOf(trait, number) },
  lengths: [],
  flakyRuns: [],
  breaks: false,
})

function traitOf(trait: Trait | null, number: number): Partial<PullRequestEntry> {
  switch (trait) {
    case null:
      return {}
    case 'conflicting':
      return { conflictsWith: [number - 1] }
    case 'pairing':
      return { clashesWith: [number - 1] }
    case 'stacked':
      return { dependsOn: [number - 1] }
    case 'early':
      return { dependsOn: [number + 1] }
    case 'urgent':
      return { priority: 'urgent' }
    case 'alone':
      return { noBatch: true }
  }
}

function settle(
  drafts: readonly Draft[],
  { run, culprits, isFlake, test }: Extract<SmallStep, { is: 'result' }>,
  at: number,
): void {
  for (const number of culprits) {
    const draft = drafts[number - 1]
    if (draft) draft.breaks = true
  }
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

function entryOf({ entry, lengths, flakyRuns, breaks }: Draft): PullRequestEntry {
  const testMinutes = [
    ...Array.from(lengths, (length: number | undefined) => length ?? laterMinutes),
    laterMinutes,
  ]
  return {
    ...entry,
    testMinutes,
    ...(breaks ? { breaks } : {}),
    ...(flakyRuns.length > 0 ? { flakyRuns } : {}),
  }
}
