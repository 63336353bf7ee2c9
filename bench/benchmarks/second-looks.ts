/**
 * What a second look at a failed batch costs and saves (E-141): healthy pull requests evicted, time
 * in queue and CI minutes per merge, as ratios to a queue that convicts by elimination without one.
 * All rules get the same pull requests, run lengths and flakes.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { EngineParts } from '../../engine/index.ts'
import { MeasurementCollector } from '../../sim/judge/measurement.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { loadScenario } from '../../sim/scenario/load.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'
import { measured, type Benchmark, type Figure } from '../measuring/measurement.ts'
import { ratioOf } from '../measuring/spread.ts'
import { oldRule, secondLookRules } from './second-look-rules.ts'

const full = { rounds: 8, seeds: 15 } as const
const quick = { rounds: 1, seeds: 1 } as const

const goals = { evicted: 'healthy evicted', p95: 'p95 in queue', ciMinutes: 'CI minutes' } as const
type Goal = keyof typeof goals
const goalNames = ['evicted', 'p95', 'ciMinutes'] as const satisfies readonly Goal[]

type Queue = { readonly name: string; readonly scenario: Scenario }

/** Means of one round of seeds. */
type Means = Readonly<Record<Goal, number>>

export const secondLooks: Benchmark = {
  name: 'second-looks',
  title: 'conviction by elimination: healthy evicted, p95 in queue, CI minutes per merge',
  async measure({ isQuick, progress, signal }) {
    const { rounds, seeds } = isQuick ? quick : full
    const figures: Figure[] = []
    const notes: string[] = [`each ratio is to "${oldRule.name}", in rounds of ${seeds} seeds`]
    for (const { name, scenario } of queues(isQuick)) {
      const means = new Map<string, Means[]>()
      for (let round = 0; round < rounds && !signal.aborted; round++) {
        progress(`${name}, round ${round + 1} of ${rounds}`)
        for (const rule of [oldRule, ...secondLookRules]) {
          const found = means.get(rule.name) ?? []
          found.push(meansOf(scenario, rule.parts, { from: round * seeds + 1, seeds }))
          means.set(rule.name, found)
          await nextTurn()
        }
      }
      if (signal.aborted) break
      const before = means.get(oldRule.name) ?? []
      for (const rule of secondLookRules) {
        figures.push(...figuresOf(`${name}, ${rule.name}`, means.get(rule.name) ?? [], before))
      }
      notes.push(`${name}, ${oldRule.name}: ${absolute(before)}`)
    }
    return measured({ figures, notes })
  },
}

function queues(isQuick: boolean): Queue[] {
  const folder = new URL('../../../scenarios/', import.meta.url)
  return ['startup-monorepo', 'flaky-storm'].flatMap((name) => {
    const whole = loadScenario(fileURLToPath(new URL(`${name}.json`, folder)))
    const { traffic, queue } = whole
    const short = isQuick && traffic ? { traffic: { ...traffic, count: 20 } } : {}
    const scenario = { ...whole, ...short }
    const oneSlot = { ...scenario, queue: { ...queue, bisectionConcurrency: 1 } }
    return [
      { name, scenario },
      { name: `${name}, one bisection slot`, scenario: oneSlot },
    ]
  })
}

function meansOf(
  scenario: Scenario,
  parts: EngineParts,
  { from, seeds }: { readonly from: number; readonly seeds: number },
): Means {
  const sum = { evicted: 0, p95: 0, ciMinutes: 0 }
  for (let seed = from; seed < from + seeds; seed++) {
    const collector = new MeasurementCollector(scenario)
    const observers = [collector.observer]
    const run = simulate({ ...scenario, seed }, { observers, parts, isUnhashed: true })
    const { totals, timeInQueueMinutes } = collector.measure(run).figures
    const { healthyEvicted, testMinutes, merged } = totals
    const ciMinutes = merged === 0 ? 0 : testMinutes / merged
    const figures = { evicted: healthyEvicted, p95: timeInQueueMinutes.p95, ciMinutes }
    for (const goal of goalNames) sum[goal] += (figures[goal] ?? 0) / seeds
  }
  return sum
}

function figuresOf(name: string, after: readonly Means[], before: readonly Means[]): Figure[] {
  return goalNames.map((goal) => {
    const of = (means: readonly Means[]): number[] => means.map((each) => each[goal])
    // A short run may evict nobody.
    const isEmpty = of(before).some((value) => value === 0)
    const value = isEmpty ? ratioOf([1], [1]) : ratioOf(of(after), of(before))
    return { name: `${name}: ${goals[goal]}`, unit: 'times', value }
  })
}

function absolute(means: readonly Means[]): string {
  const mean = (goal: Goal): string => {
    const sum = means.reduce((total, each) => total + each[goal], 0)
    return (sum / means.length).toFixed(1)
  }
  return `${mean('evicted')} healthy evicted per run, p95 ${mean('p95')} min, ${mean('ciMinutes')} CI min per merge`
}
