/**
 * A storm of a million pull requests beside storms of ten thousand: time and memory per pull
 * request as the run goes on.
 *
 * Both run in processes of their own and take turns: a stretch of the large one, a small one as a
 * whole, and so on. Only processor time counts.
 */

import {
  atMost,
  measured,
  target,
  type Benchmark,
  type Effort,
  type Figure,
} from '../measuring/measured.ts'
import { ratioOf, spreadOf, type Spread } from '../measuring/spread.ts'
import { StormerProcess } from '../storm/stormer-process.ts'

const full = { large: 1_000_000, small: 10_000, stretches: 20 } as const
const quick = { large: 200, small: 20, stretches: 4 } as const

const costLimit = 1.5
const memoryLimit = 2 * 2 ** 30
/** The heap that it is given, so that all of it fits: V8 takes what it gets. */
const heapMebibytes = 1700

export const growth: Benchmark = {
  name: 'growth',
  title: 'a storm of a million pull requests, as it goes on',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    const [largeOne, smallOne] = [new StormerProcess(heapMebibytes), new StormerProcess()]
    try {
      return reportOn(await inTurns(largeOne, smallOne, size, effort), size)
    } finally {
      await Promise.all([largeOne.end(), smallOne.end()])
    }
  },
}

type Size = typeof full | typeof quick

type Found = {
  /** Nanoseconds per pull request, a number for each stretch. */
  readonly large: number[]
  /** And for each whole small storm after it. */
  readonly small: number[]
  readonly peaks: { readonly x: number; readonly y: number }[]
  violations: number
}

async function inTurns(
  largeOne: StormerProcess,
  smallOne: StormerProcess,
  { large, small, stretches }: Size,
  { progress, signal, isQuick }: Effort,
): Promise<Found> {
  const found: Found = { large: [], small: [], peaks: [], violations: 0 }
  const stretch = large / stretches
  const runSmall = async (): Promise<number> => {
    await smallOne.ask({ do: 'begin', pullRequests: small })
    const { cpuNs } = await smallOne.ask({ do: 'goOn', pullRequests: small })
    return cpuNs / small
  }
  progress('warming up')
  if (!isQuick) await runSmall()
  await largeOne.ask({ do: 'begin', pullRequests: large })
  for (let turn = 1; turn <= stretches && !signal.aborted; turn++) {
    progress(`stretch ${turn} of ${stretches}`)
    const before = await runSmall()
    const { cpuNs, peakBytes, submitted, violations } = await largeOne.ask({
      do: 'goOn',
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

function reportOn(found: Found, { large, small }: Size): ReturnType<typeof measured> {
  if (found.violations > 0) throw new Error(`the storm broke ${found.violations} properties`)
  const whole = meanRatio(found)
  const peak = found.peaks.at(-1)?.y ?? 0
  const to = `per pull request, storms of ${small}`
  const figures: Figure[] = [
    { name: to, unit: 'ns', value: spreadOf(found.small) },
    {
      name: `per pull request, a storm of ${large}`,
      unit: 'ns',
      value: spreadOf(found.large),
      ratio: { to, value: ratioOf(found.large, found.small) },
    },
    { name: `memory at its peak, a storm of ${large}`, unit: 'bytes', value: spreadOf([peak]) },
    { name: 'memory per pull request', unit: 'bytes', value: spreadOf([memoryEach(found.peaks)]) },
  ]
  const stretch = large / found.large.length
  return measured({
    figures,
    targets: [
      target(
        `a pull request in a storm of ${large}, beside one of ${small}`,
        'times',
        whole,
        atMost(costLimit),
      ),
      target(`memory for a storm of ${large}`, 'bytes', spreadOf([peak]), atMost(memoryLimit)),
    ],
    curves: [
      {
        name: 'time as the storm goes on',
        x: 'pull requests so far',
        y: 'per pull request',
        unit: 'ns',
        points: found.large.map((y, turn) => ({ x: (turn + 1) * stretch, y })),
      },
      {
        name: 'memory as the storm goes on',
        x: 'pull requests so far',
        y: 'at its peak, bytes',
        unit: 'bytes',
        points: found.peaks,
      },
    ],
    notes: [
      'watched by every property, result written as a stream; not run twice',
      `the large one has a heap of ${heapMebibytes} MiB`,
    ],
  })
}

/** The whole storm by the small ones: the mean of the stretches, with the least and the most. */
function meanRatio({ large, small }: Found): Spread {
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
  return { ...ratioOf(large, small), median: sum(large) / sum(small) }
}

/** What each further pull request added, once the process had settled. */
function memoryEach(peaks: Found['peaks']): number {
  const [first, last] = [peaks[0], peaks.at(-1)]
  if (!first || !last || last.x === first.x) return last ? last.y / last.x : 0
  return (last.y - first.y) / (last.x - first.x)
}
