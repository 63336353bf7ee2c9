/**
 * How long a search takes until it finds a planted defect: with fresh seeds of the swarm alone, and with forks
 * as in a soak (S-343). The defects are those that need the most seeds.
 *
 * Both searches begin at the same seeds, in turns. Each runs a seed once, with all judges.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EngineParts } from '../../engine/index.ts'
import { defects, type Defect } from '../../sim/defects/index.ts'
import { judges } from '../../sim/judge/verdict.ts'
import { sequenceOf } from '../../sim/random/draw.ts'
import { simulate } from '../../sim/run/simulate.ts'
import { Forks } from '../../sim/soak/forks.ts'
import { quantileOf } from '../../sim/statistics/interval.ts'
import { swarmScenario } from '../../sim/swarm/swarm.ts'
import { atMost, cpuMs, measured, nsPerMs, spreadOf, target } from './measurement.ts'
import type { Benchmark, Effort, Figure, Spread, Target } from './measurement.ts'

const starts = { full: 20, quick: 1 } as const
const chosen = { full: 2, quick: 1 } as const

/** Far from the seeds by which the defects were chosen, and so far apart that no two searches meet. */
const firstStart = 1_000_001
const seedsBetween = 100_000

const limit = 1 / 3

export const forks: Benchmark = {
  name: 'forks',
  title: 'a search for the defects that need the most seeds, with forks, beside fresh seeds',
  async measure(effort) {
    const figures: Figure[] = []
    const targets: Target[] = []
    const notes: string[] = []
    for (const defect of hardest(effort)) {
      const pairs = await searchesFor(defect, effort)
      if (pairs.length === 0) break
      const [fresh, forked] = [pairs.map((pair) => pair.fresh), pairs.map((pair) => pair.forked)]
      const value = ratioOfSums(forked.map(timeOf), fresh.map(timeOf))
      const to = `${defect.name}: fresh seeds`
      const name = `${defect.name}: with forks`
      figures.push(
        { name: to, unit: 'ns', value: spreadOf(fresh.map(timeOf)) },
        { name, unit: 'ns', value: spreadOf(forked.map(timeOf)), ratio: { to, value } },
      )
      targets.push(target(`time until ${defect.name} is found`, 'times', value, atMost(limit)))
      notes.push(noteOn(defect, fresh, forked))
    }
    return measured({ figures, targets, notes })
  },
}

/** Those with the highest first seeds; for a smoke test one with the lowest. */
function hardest({ isQuick }: Effort): Defect[] {
  const ordered = defects.toSorted((one, other) => other.firstSeed - one.firstSeed)
  return isQuick ? ordered.slice(-chosen.quick) : ordered.slice(0, chosen.full)
}

type Found = {
  readonly cpuNs: number
  readonly seeds: number
  readonly forks: number
  readonly isByFork: boolean
}
type Pair = { readonly fresh: Found; readonly forked: Found }

const timeOf = ({ cpuNs }: Found): number => cpuNs

async function searchesFor({ name, parts }: Defect, effort: Effort): Promise<Pair[]> {
  const pairs: Pair[] = []
  const count = effort.isQuick ? starts.quick : starts.full
  for (let index = 0; index < count; index++) {
    effort.progress(`${name}, search ${index + 1} of ${count}`)
    const search = { parts, start: firstStart + index * seedsBetween, signal: effort.signal }
    const fresh = await searchFrom({ ...search, isForking: false })
    const forked = await searchFrom({ ...search, isForking: true })
    if (!fresh || !forked) break
    pairs.push({ fresh, forked })
  }
  return pairs
}

type Search = {
  readonly parts: EngineParts
  readonly start: number
  readonly isForking: boolean
  readonly signal: AbortSignal
}

/** Returns null after an interrupt. */
async function searchFrom({ parts, start, isForking, signal }: Search): Promise<Found | null> {
  const before = cpuMs()
  let [seed, forked] = [start, 0]
  for (; !signal.aborted; seed++) {
    const forking = new Forks(parts)
    const outcome = simulate(swarmScenario(seed), {
      parts,
      properties: judges,
      isUnhashed: true,
      observers: isForking ? [forking.observer] : [],
    })
    forked += forking.result.forks
    const isByFork = forking.result.found !== null
    if (isByFork || outcome.properties.some(({ violations }) => violations.length > 0)) {
      const cpuNs = (cpuMs() - before) * nsPerMs
      return { cpuNs, seeds: seed - start + 1, forks: forked, isByFork }
    }
    await nextTurn()
  }
  return null
}

const resamples = 999

/**
 * How long a search takes varies as much as it takes. So the ratio is that of the sums, and its range is where 95 of
 * 100 drawings of as many pairs lie.
 */
function ratioOfSums(over: readonly number[], under: readonly number[]): Spread {
  const next = sequenceOf(0, 'ratio of sums')
  const ratioIn = (drawn: readonly number[]): number => {
    const sum = (of: readonly number[]): number =>
      drawn.reduce((total, index) => total + (of[index] ?? 0), 0)
    return sum(over) / sum(under)
  }
  const all = over.map((_, index) => index)
  const drawings = Array.from({ length: resamples }, () =>
    ratioIn(all.map(() => Math.floor(next() * all.length))),
  ).sort((a, b) => a - b)
  const [low, high] = [quantileOf(drawings, 0.025), quantileOf(drawings, 0.975)]
  return { median: ratioIn(all), low, high, samples: all.length }
}

function noteOn({ name }: Defect, fresh: readonly Found[], forked: readonly Found[]): string {
  const meanOf = (all: readonly Found[], of: (found: Found) => number): string =>
    (all.reduce((sum, each) => sum + of(each), 0) / all.length).toFixed(0)
  const byFork = forked.filter(({ isByFork }) => isByFork).length
  return `${name}: ${meanOf(fresh, ({ seeds }) => seeds)} fresh seeds on average, or ${meanOf(forked, ({ seeds }) => seeds)} with ${meanOf(forked, (each) => each.forks)} forks; a fork found it in ${byFork} of ${forked.length} searches`
}
