/**
 * The submission rate of a server whose queue 300 pages watch, compared with a server that nobody
 * watches, in turns; and the memory of a page that watches.
 */

import { numbersFrom } from '../api/client.ts'
import { Served } from '../api/served.ts'
import { watchWith, type Watching } from '../api/watching.ts'
import {
  atLeast,
  atMost,
  measured,
  target,
  type Benchmark,
  type Effort,
  type Measured,
} from '../measuring/measurement.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'

const full = { rounds: 12, requests: 2_000, pages: 300 } as const
const quick = { rounds: 1, requests: 20, pages: 3 } as const

const warmupRounds = 3
const submit = 'submitPullRequest'

type Subject = {
  readonly name: string
  readonly served: Served
  readonly perSecond: number[]
  readonly cpuNs: number[]
}

export const page: Benchmark = {
  name: 'page',
  title: 'submissions to a queue that many pages watch',
  async measure(effort) {
    const { pages } = effort.isQuick ? quick : full
    const alone = await subjectOf('nobody watches')
    const watched = await subjectOf(`${pages} pages watch`)
    let watching: Watching | null = null
    try {
      const before = await watched.served.process.read()
      watching = await watchWith(watched.served.process.url, pages)
      const after = await watched.served.process.read()
      const bytes = (after.rssBytes - before.rssBytes) / pages
      await loadInTurns([alone, watched], effort)
      return reportOn({ alone, watched, bytes, frames: await watching.frames() })
    } finally {
      await watching?.stop()
      for (const { served } of [alone, watched]) await served.remove()
    }
  },
}

/** Warmed up, so that its memory does not grow for other reasons. */
async function subjectOf(name: string): Promise<Subject> {
  const served = await Served.start(undefined, ['--public-page'])
  await served.client.call('createQueue', {})
  await served.client.callForEach(submit, numbersFrom(1_000_001, 2_000))
  await served.client.callForEach('cancelPullRequest', numbersFrom(1_000_001, 2_000))
  return { name, served, perSecond: [], cpuNs: [] }
}

async function loadInTurns(subjects: readonly Subject[], effort: Effort): Promise<void> {
  const { rounds, requests } = effort.isQuick ? quick : full
  let first = 1
  for (let round = effort.isQuick ? 0 : -warmupRounds; round < rounds; round++) {
    if (effort.signal.aborted) return
    effort.progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    const numbers = numbersFrom(first, requests)
    first += requests
    // The order alternates, so that no server is always the first.
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      await load(subject, numbers, round >= 0)
    }
  }
}

async function load(
  { served, perSecond, cpuNs }: Subject,
  numbers: readonly number[],
  isCounted: boolean,
): Promise<void> {
  const before = await served.process.read()
  const begun = performance.now()
  await served.client.callForEach(submit, numbers)
  const seconds = (performance.now() - begun) / 1000
  const after = await served.process.read()
  if (isCounted) {
    perSecond.push(numbers.length / seconds)
    cpuNs.push((after.cpuNs - before.cpuNs) / numbers.length)
  }
  await served.client.callForEach('cancelPullRequest', numbers)
}

type Result = {
  readonly alone: Subject
  readonly watched: Subject
  /** Of one page. */
  readonly bytes: number
  readonly frames: number
}

function reportOn({ alone, watched, bytes, frames }: Result): Measured {
  const rate = ratioOf(watched.perSecond, alone.perSecond)
  const work = ratioOf(watched.cpuNs, alone.cpuNs)
  const figureOf = ({ name, perSecond }: Subject) =>
    ({ name: `${submit}, ${name}`, unit: 'per second', value: spreadOf(perSecond) }) as const
  const workOf = ({ name, cpuNs }: Subject) =>
    ({ name: `processor time, ${name}`, unit: 'ns', value: spreadOf(cpuNs) }) as const
  return measured({
    figures: [
      figureOf(alone),
      { ...figureOf(watched), ratio: { to: figureOf(alone).name, value: rate } },
      workOf(alone),
      { ...workOf(watched), ratio: { to: workOf(alone).name, value: work } },
      { name: 'memory of a page that watches', unit: 'bytes', value: spreadOf([bytes]) },
    ],
    targets: [
      target(`${submit} while ${watched.name}, of the rate without`, 'share', rate, atLeast(0.9)),
      target('memory of a page that watches', 'bytes', spreadOf([bytes]), atMost(100_000)),
    ],
    notes: [
      `the pages got ${frames} frames; changes are gathered for 100 ms and encoded once for all pages`,
      'one process holds all pages, and shares the processors with the server and the client',
    ],
  })
}
