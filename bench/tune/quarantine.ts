/** Whether a quarantine of a flaky test would be worth it, with the advised setting (S-363). */

import type { FlakyTest, Scenario } from '../../sim/scenario/scenario.ts'
import { intervalOf } from '../../sim/statistics/interval.ts'
import { within } from './candidates.ts'
import type { TuneFigures } from './figures.ts'
import { type Decided, firstSeeds } from './final.ts'
import { eventsIn, meanCost } from './runner.ts'
import { type Effects, effectsOf } from './verdict.ts'

export type QuarantineAdvice = {
  readonly results: readonly QuarantineResult[]
  /** The tests for which the budget did not suffice. */
  readonly untried: readonly string[]
}

type QuarantineResult = ReturnType<typeof resultOf>

const quarantineShare = 0.1

/** Runs the choice with each flaky test in quarantine, the one that fails most runs first. Null without any. */
export async function quarantineAdvice({
  verdict: { kind, choice },
  request: { scenario, seeds, budget, other },
  runner,
  least,
}: Decided): Promise<QuarantineAdvice | null> {
  const { quarantine = [] } = scenario
  const known = new Set(quarantine.map(({ test }) => test))
  const tests = (scenario.suiteFlakes?.tests ?? [])
    .filter(({ name }) => !known.has(name))
    .toSorted((a, b) => failing(b) - failing(a))
  if (other || tests.length === 0 || kind === 'empty') return null
  const own = firstSeeds(seeds)
  const affordable = eventsIn(budget, quarantineShare) / (meanCost([choice]) * own.length)
  const tried = tests.slice(0, Math.floor(affordable))
  const settings = tried.map(({ name }) =>
    within(choice.candidate, { quarantine: [...quarantine, { test: name }] }),
  )
  const trials = settings.length > 0 ? await runner.run(settings, own, 'tests in quarantine') : []
  const base = { ...choice, runs: choice.runs.slice(0, own.length) }
  const effects = effectsOf(trials, base, least)
  const results = tried.map((test, index) =>
    resultOf(test, scenario, {
      runs: trials[index]?.runs ?? [],
      before: base.runs,
      effects: effects[index] ?? {},
    }),
  )
  return { results, untried: tests.slice(tried.length).map(({ name }) => name) }
}

const failing = ({ rate, retryPassRate = 0 }: FlakyTest): number => rate * (1 - retryPassRate)

type Found = {
  /** Those with the quarantine, and those without it. */
  readonly runs: readonly TuneFigures[]
  readonly before: readonly TuneFigures[]
  readonly effects: Effects
}

function resultOf(
  { name, catches }: FlakyTest,
  { pullRequests = [] }: Scenario,
  { runs, before, effects }: Found,
) {
  const more = (field: 'hiddenBreaks' | 'leaningMerges'): number[] =>
    runs.map((run, index) => run[field] - (before[index]?.[field] ?? 0))
  const breaks = more('hiddenBreaks')
  return {
    test: name,
    verdict: verdictOn(
      effects,
      breaks.some((each) => each > 0),
    ),
    /** Merged pull requests that break only what is in quarantine, more than without it. */
    breaksLetThrough: intervalOf(breaks),
    /** Pull requests that merged by a run in which only such tests failed, more than without it. */
    mergedByIt: intervalOf(more('leaningMerges')),
    /** False if the scenario does not say which breaks only this test would catch: then it is none. */
    isCatchKnown:
      catches !== undefined || pullRequests.some(({ breaksTest }) => breaksTest === name),
    /** Compared with the same setting without it. */
    againstChoice: effects,
  }
}

/** `has a price`: it helps, and lets breaks through. */
type QuarantineVerdict = 'worth it' | 'has a price' | 'not worth it' | 'cannot tell'

export const quarantineGoals = ['evicted', 'ciMinutes', 'p95'] as const

/** It helps if one goal is surely better by the least effect, and none surely worse. */
function verdictOn(effects: Effects, breaks: boolean): QuarantineVerdict {
  const kinds = quarantineGoals.map((name) => effects[name]?.verdict.kind)
  if (kinds.includes('do not')) return 'not worth it'
  if (kinds.includes('do')) return breaks ? 'has a price' : 'worth it'
  return kinds.every((kind) => kind === 'no difference') ? 'not worth it' : 'cannot tell'
}
