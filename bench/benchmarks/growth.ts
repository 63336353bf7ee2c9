/**
 * A simulation of a million pull requests, compared with simulations of ten thousand: time and
 * memory per pull request over the duration of the large one.
 *
 * The large one and the small ones run in separate processes, in turns: a small one completely, a
 * part of the large one, a small one, and so on. Only processor time counts.
 */

import {
  type Benchmark,
  type Effort,
  type Figure,
  type Spread,
  atMost,
  measured,
  ratioOf,
  spreadOf,
  target,
} from './measurement.ts'
import { LoadProcess } from './heavy-load.ts'

const full = { large: 1_000_000, small: 10_000, stretches: 20 } as const
const quick = { large: 200, small: 20, stretches: 4 } as const

const costLimit = 1.5
const memoryLimit = 2 * 2 ** 30
/**
 * A heap limit that is enough for the large simulation: V8 uses as much memory as it is allowed.
 */
const heapMebibytes = 1700

export const growth: Benchmark = {
  name: 'growth',
  title: 'a run of a million pull requests, over its duration',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    const [largeOne, smallOne] = [new LoadProcess(heapMebibytes), new LoadProcess()]
    try {
      return reportOn(await inTurns(largeOne, smallOne, size, effort), size)
    } finally {
      await Promise.all([largeOne.end(), smallOne.end()])
    }
  },
}

type Size = typeof full | typeof quick

type GrowthSamples = {
  /** Nanoseconds per pull request, a number for each stretch. */
  readonly large: number[]
  /** Nanoseconds per pull request: the mean of the small runs before and after each stretch. */
  readonly small: number[]
  readonly peaks: { readonly x: number; readonly y: number }[]
  violations: number
}

async function inTurns(
  largeOne: LoadProcess,
  smallOne: LoadProcess,
  { large, small, stretches }: Size,
  { progress, signal, isQuick }: Effort,
): Promise<GrowthSamples> {
  const found: GrowthSamples = { large: [], small: [], peaks: [], violations: 0 }
  const stretch = large / stretches
  const runSmall = async (): Promise<number> => {
    await smallOne.send({ do: 'begin', pullRequests: small })
    const { cpuNs } = await smallOne.send({ do: 'continue', pullRequests: small })
    return cpuNs / small
  }
  progress('warming up')
  if (!isQuick) await runSmall()
  await largeOne.send({ do: 'begin', pullRequests: large })
  for (let turn = 1; turn <= stretches && !signal.aborted; turn++) {
    progress(`stretch ${turn} of ${stretches}`)
    const before = await runSmall()
    const { cpuNs, peakBytes, submitted, violations } = await largeOne.send({
      do: 'continue',
      pullRequests: stretch,
    })
    const after = await runSmall()
    found.large.push(cpuNs / stretch)
    found.small.push((before + after) / 2)
    found.peaks.push({ x: submitted, y: peakBytes })
    found.violations += violations
  }
  return found
}

function reportOn(found: GrowthSamples, { large, small }: Size): ReturnType<typeof measured> {
  if (found.violations > 0) {
    throw new Error(`the simulation has ${found.violations} violations of properties`)
  }
  const whole = meanRatio(found)
  const peak = found.peaks.at(-1)?.y ?? 0
  const to = `per pull request, runs of ${small}`
  const figures: Figure[] = [
    { name: to, unit: 'ns', value: spreadOf(found.small) },
    {
      name: `per pull request, a run of ${large}`,
      unit: 'ns',
      value: spreadOf(found.large),
      ratio: { to, value: ratioOf(found.large, found.small) },
    },
    { name: `memory at its peak, a run of ${large}`, unit: 'bytes', value: spreadOf([peak]) },
    { name: 'memory per pull request', unit: 'bytes', value: spreadOf([memoryEach(found.peaks)]) },
  ]
  const stretch = large / found.large.length
  return measured({
    figures,
    targets: [
      target(
        `a pull request in a run of ${large}, compared with a run of ${small}`,
        'times',
        whole,
        atMost(costLimit),
      ),
      target(`memory for a run of ${large}`, 'bytes', spreadOf([peak]), atMost(memoryLimit)),
    ],
    curves: [
      {
        name: 'time over the run',
        x: 'pull requests so far',
        y: 'per pull request',
        unit: 'ns',
        points: found.large.map((y, turn) => ({ x: (turn + 1) * stretch, y })),
      },
      {
        name: 'memory over the run',
        x: 'pull requests so far',
        y: 'at its peak, bytes',
        unit: 'bytes',
        points: found.peaks,
      },
    ],
    notes: [
      'with all properties, the result written as a stream; not simulated twice',
      `the large run has a heap limit of ${heapMebibytes} MiB`,
    ],
  })
}

/**
 * The cost of the whole large run divided by that of the small ones, with the range over the
 * stretches.
 */
function meanRatio({ large, small }: GrowthSamples): Spread {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  return { ...ratioOf(large, small), median: sum(large) / sum(small) }
}

/** The memory that each pull request after the first stretch added, in bytes. */
function memoryEach(peaks: GrowthSamples['peaks']): number {
  const [first, last] = [peaks[0], peaks.at(-1)]
  if (!first || !last || last.x === first.x) return last ? last.y / last.x : 0
  return (last.y - first.y) / (last.x - first.x)
}
