/**
 * Whether the estimates of the live page come true: how often a pull request lands within the 80 % range
 * that people were told, archetype by archetype. The calibration is found on the other archetypes, so
 * each one is judged as a queue that nobody has seen before.
 */

import { overCores } from '../../sim/campaign/over-cores.ts'
import { simulationsEach } from '../../server/forecast/forecaster.ts'
import { shippedCalibration } from '../../server/forecast/shipped-calibration.ts'
import { archetypes } from '../forecast/archetypes.ts'
import {
  calibrationWithout,
  coverage,
  landedIn,
  raw,
  standardError,
  untoldShare,
  widthShare,
} from '../forecast/judged.ts'
import type { ToldRun, ToldTask } from '../forecast/told.ts'
import {
  atLeast,
  atMost,
  measured,
  target,
  type Benchmark,
  type Effort,
  type Figure,
  type Target,
} from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'

/** The shipped calibration was found on other seeds. */
const firstSeed = 301

type Size = Omit<ToldTask, 'archetype' | 'seed'> & {
  readonly names: readonly string[]
  readonly seedsOf: (name: string) => number
}

const full: Size = {
  ...{ moments: 10, simulations: simulationsEach, count: null },
  names: archetypes,
  // In a freeze most get no range, and after it those in line err alike: one seed says little.
  seedsOf: (name) => (name === 'release-freeze' ? 48 : 24),
}
const quick: Size = {
  ...{ moments: 4, simulations: 10, count: 60 },
  names: archetypes.slice(2, 4),
  seedsOf: () => 2,
}

export const forecast: Benchmark = {
  name: 'forecast',
  title: 'when a pull request lands: how often the 80 % range of the live page holds the truth',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    const runs = await toldRuns(size, effort)
    const names = size.names.filter((name) => runs.some(({ archetype }) => archetype === name))
    const judged = names.map((name) => judgedArchetype(runs, name))
    const shares = judged.flatMap(({ share }) => share ?? [])
    const overall = spreadOf([sumOf(shares) / shares.length])
    const errors = judged.flatMap(({ error }) => error ?? [])
    const error = Math.sqrt(sumOf(errors.map((each) => each ** 2))) / shares.length
    return measured({
      figures: [
        { name: 'mean of the archetypes', unit: 'share', value: overall },
        ...(errors.length === shares.length
          ? [shareFigure('mean of the archetypes, standard error', error)]
          : []),
        ...judged.flatMap(({ figures }) => figures),
      ],
      targets: [
        target('mean of the archetypes, in the range', 'share', overall, atLeast(0.75)),
        target('mean of the archetypes, in the range', 'share', overall, atMost(0.85)),
        ...judged.flatMap(({ targets }) => targets),
      ],
      notes: [
        'each archetype is judged by a calibration that was found on the others',
        'a landing counts unless its range reached past a change of the settings or of the state',
        'standard error: from seed to seed, because landings of one seed err alike',
        `landings: ${judged.map(({ name, landings }) => `${name} ${landings}`).join(', ')}`,
        'width: that of the median range, compared with one range for everybody',
        'not told: no range, or one without an end, of all that were in the queue',
      ],
    })
  },
}

async function toldRuns(
  { names, seedsOf, ...task }: Size,
  { progress, signal }: Effort,
): Promise<ToldRun[]> {
  const tasks = names.flatMap((archetype) => {
    const seeds = Array.from({ length: seedsOf(archetype) }, (_, index) => firstSeed + index)
    return seeds.map((seed) => ({ ...task, archetype, seed }))
  })
  const runs: ToldRun[] = []
  await overCores<ToldTask, ToldRun>({
    worker: { url: new URL('../forecast/told-worker.js', import.meta.url), name: 'toldWorker' },
    tasks,
    onAnswer: (run) => {
      runs.push(run)
      progress(`run ${runs.length} of ${tasks.length}`)
    },
    signal,
  })
  return runs
}

type Judged = {
  readonly name: string
  readonly landings: number
  readonly share: number | null
  /** The standard error of the share; null with a single seed. */
  readonly error: number | null
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
}

function judgedArchetype(all: readonly ToldRun[], name: string): Judged {
  const runs = all.filter(({ archetype }) => archetype === name)
  const landedBySeed = runs.map(landedIn)
  const landed = landedBySeed.flat()
  const calibration = calibrationWithout(all, name)
  const share = coverage(landed, calibration)
  const error = standardError(landedBySeed, calibration)
  const judged = { name, landings: landed.length, share, error }
  if (share === null) return { ...judged, figures: [], targets: [] }
  const bySeed = landedBySeed.flatMap((each) => coverage(each, calibration) ?? [])
  // Of all landings together, beside the range from seed to seed.
  const value = { ...spreadOf(bySeed), median: share }
  const figure = (what: string, found: number): Figure => shareFigure(`${name}, ${what}`, found)
  return {
    ...judged,
    figures: [
      { name: `${name}, in the range`, unit: 'share', value },
      ...(error === null ? [] : [figure('standard error', error)]),
      figure('in the range as simulated', coverage(landed, raw) ?? 0),
      figure('in the range as shipped', coverage(landed, shippedCalibration) ?? 0),
      figure('width', widthShare(landed, calibration) ?? 0),
      figure('not told', spreadOf(runs.map(untoldShare)).median),
    ],
    targets: [
      target(`${name}, in the range`, 'share', value, atLeast(0.7)),
      target(`${name}, in the range`, 'share', value, atMost(0.9)),
    ],
  }
}

const shareFigure = (name: string, found: number): Figure => ({
  name,
  unit: 'share',
  value: spreadOf([found]),
})

const sumOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)
