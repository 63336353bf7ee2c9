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
const firstSeed = 201
const full = {
  seeds: 12,
  moments: 10,
  simulations: simulationsEach,
  count: null,
  names: archetypes,
} as const
const quick = {
  ...{ seeds: 1, moments: 2, simulations: 20, count: 80 },
  names: archetypes.slice(2, 4),
} as const

type Size = typeof full | typeof quick

export const forecast: Benchmark = {
  name: 'forecast',
  title: 'when a pull request lands: how often the 80 % range of the live page holds the truth',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    const runs = await toldRuns(size, effort)
    const names = size.names.filter((name) => runs.some(({ archetype }) => archetype === name))
    const judged = names.map((name) => judgedArchetype(runs, name))
    const shares = judged.flatMap(({ share }) => share ?? [])
    const overall = spreadOf([shares.reduce((sum, each) => sum + each, 0) / shares.length])
    return measured({
      figures: [
        { name: 'mean of the archetypes', unit: 'share', value: overall },
        ...judged.flatMap(({ figures }) => figures),
      ],
      targets: [
        target('mean of the archetypes, in the range', 'share', overall, atLeast(0.75)),
        target('mean of the archetypes, in the range', 'share', overall, atMost(0.85)),
        ...judged.flatMap(({ targets }) => targets),
      ],
      notes: [
        'each archetype is judged by a calibration that was found on the others',
        'a landing counts unless somebody changed the settings or the state of the queue before it',
        'width: that of the median range, compared with one range for everybody',
        'not told: no range, or one without an end, of all that were in the queue',
      ],
    })
  },
}

async function toldRuns(
  { seeds, moments, simulations, count, names }: Size,
  { progress, signal }: Effort,
): Promise<ToldRun[]> {
  const tasks: ToldTask[] = Array.from({ length: seeds }, (_, index) => firstSeed + index).flatMap(
    (seed) => names.map((archetype) => ({ archetype, seed, moments, simulations, count })),
  )
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
  readonly share: number | null
  readonly figures: readonly Figure[]
  readonly targets: readonly Target[]
}

function judgedArchetype(all: readonly ToldRun[], name: string): Judged {
  const runs = all.filter(({ archetype }) => archetype === name)
  const landed = runs.flatMap(landedIn)
  const calibration = calibrationWithout(all, name)
  const share = coverage(landed, calibration)
  if (share === null) return { share, figures: [], targets: [] }
  const bySeed = runs.flatMap((run) => coverage(landedIn(run), calibration) ?? [])
  // Of all landings together, beside the range from seed to seed.
  const value = { ...spreadOf(bySeed), median: share }
  const figure = (what: string, found: number): Figure => ({
    name: `${name}, ${what}`,
    unit: 'share',
    value: spreadOf([found]),
  })
  return {
    share,
    figures: [
      { name: `${name}, in the range`, unit: 'share', value },
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
