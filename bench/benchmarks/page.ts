/**
 * The submission rate of a server whose queue 300 pages watch, compared with a server that nobody
 * watches, in turns; and the memory of a page that watches. Several pairs of servers are measured, because
 * two processes of the same program differ by more than their turns do.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Served, numbersFrom, turnOf, type Turn } from './served.ts'
import { atLeast, atMost, measured, medianRatioOf, spreadOf, target } from './measurement.ts'
import type { Benchmark, Effort, Measured } from './measurement.ts'

const full = { pairs: 4, rounds: 30, requests: 600, pages: 300, warmups: 2_000 } as const
const quick = { pairs: 1, rounds: 1, requests: 20, pages: 3, warmups: 20 } as const

const warmupRounds = 5
const submit = 'submitPullRequest'
/** Longer than a server gathers changes for its pages. */
const quietMs = 150

type Subject = {
  readonly served: Served
  readonly turns: Turn[]
}

type Pair = {
  readonly alone: readonly Turn[]
  readonly watched: readonly Turn[]
  /** Of one page. */
  readonly bytes: number
  readonly frames: number
}

export const page: Benchmark = {
  name: 'page',
  title: 'submissions to a queue that many pages watch',
  async measure(effort) {
    const { pairs, pages } = effort.isQuick ? quick : full
    const found: Pair[] = []
    while (found.length < pairs && !effort.signal.aborted) {
      found.push(await measurePair(effort, `servers ${found.length + 1} of ${pairs}`))
    }
    return reportOn(found, pages)
  },
}

async function measurePair(effort: Effort, name: string): Promise<Pair> {
  const { pages, warmups } = effort.isQuick ? quick : full
  const alone = await startSubject(warmups)
  const watched = await startSubject(warmups)
  let watching: Watching | null = null
  try {
    const before = await watched.served.process.read()
    watching = await watchWith(watched.served.process.url, pages)
    const after = await watched.served.process.read()
    const bytes = (after.rssBytes - before.rssBytes) / pages
    await loadInTurns({ alone, watched, watching }, effort, name)
    const frames = await watching.frames()
    return { alone: alone.turns, watched: watched.turns, bytes, frames }
  } finally {
    await watching?.stop()
    for (const { served } of [alone, watched]) await served.remove()
  }
}

/** Warmed up, so that its memory does not grow for other reasons. */
async function startSubject(warmups: number): Promise<Subject> {
  const served = await Served.start(['--public-page'])
  await served.client.call('createQueue', {})
  const numbers = numbersFrom(1_000_001, warmups)
  await served.client.callForEach(submit, numbers)
  await served.client.callForEach('cancelPullRequest', numbers)
  return { served, turns: [] }
}

type Subjects = {
  readonly alone: Subject
  readonly watched: Subject
  readonly watching: Watching
}

async function loadInTurns(
  { alone, watched, watching }: Subjects,
  effort: Effort,
  name: string,
): Promise<void> {
  const { rounds, requests } = effort.isQuick ? quick : full
  let first = 1
  for (let round = effort.isQuick ? 0 : -warmupRounds; round < rounds; round++) {
    if (effort.signal.aborted) return
    effort.progress(`${name}, ${round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`}`)
    const numbers = numbersFrom(first, requests)
    first += requests
    // The order alternates, so that no server is always the first.
    for (const subject of round % 2 === 0 ? [alone, watched] : [watched, alone]) {
      const turn = await turnOf(subject.served, submit, numbers)
      await subject.served.client.callForEach('cancelPullRequest', numbers)
      if (round >= 0) subject.turns.push(turn)
      // What pages still get of this turn would take time from the next one.
      await quiet(watching)
    }
  }
}

/** Settles when no page gets anything any more. */
async function quiet(watching: Watching): Promise<void> {
  let last = -1
  for (let frames = await watching.frames(); frames !== last; frames = await watching.frames()) {
    last = frames
    await pause(quietMs)
  }
}

function reportOn(pairs: readonly Pair[], pages: number): Measured {
  const [alone, watched] = [
    pairs.flatMap((pair) => pair.alone),
    pairs.flatMap((pair) => pair.watched),
  ]
  const name = `${pages} pages watch`
  const perSecond = (turns: readonly Turn[]) => turns.map((turn) => turn.perSecond)
  const cpuNs = (turns: readonly Turn[]) => turns.map((turn) => turn.cpuNs)
  const rate = medianRatioOf(perSecond(watched), perSecond(alone))
  const work = medianRatioOf(cpuNs(watched), cpuNs(alone))
  const bytes = spreadOf(pairs.map((pair) => pair.bytes))
  const frames = pairs.reduce((sum, pair) => sum + pair.frames, 0)
  const rateOf = (whose: string, turns: readonly Turn[]) =>
    ({
      name: `${submit}, ${whose}`,
      unit: 'per second',
      value: spreadOf(perSecond(turns)),
    }) as const
  const workOf = (whose: string, turns: readonly Turn[]) =>
    ({ name: `processor time, ${whose}`, unit: 'ns', value: spreadOf(cpuNs(turns)) }) as const
  const nobody = 'nobody watches'
  return measured({
    figures: [
      rateOf(nobody, alone),
      { ...rateOf(name, watched), ratio: { to: `${submit}, ${nobody}`, value: rate } },
      workOf(nobody, alone),
      { ...workOf(name, watched), ratio: { to: `processor time, ${nobody}`, value: work } },
      { name: `processor time of a submission while ${name}`, unit: 'times', value: work },
      { name: 'memory of a page that watches', unit: 'bytes', value: bytes },
    ],
    targets: [
      target(`${submit} while ${name}, of the rate without`, 'share', rate, atLeast(0.9)),
      target('memory of a page that watches', 'bytes', bytes, atMost(100_000)),
    ],
    notes: [
      `the pages got ${frames} frames; changes are gathered for 100 ms and encoded once for all pages`,
      'one process holds all pages, and shares the processors with the server and the client',
      'ranges of ratios hold the median in 95 of 100 cases, as far as rounds are independent',
    ],
  })
}

/** A process of its own that watches a queue with many pages, and reads all that they get. */
type Watching = {
  /** Frames that all pages together have got so far. */
  readonly frames: () => Promise<number>
  readonly stop: () => Promise<void>
}

const program = fileURLToPath(new URL('./watching-process.js', import.meta.url))

/** Settles when all pages have got their first frame. */
async function watchWith(url: string, pages: number): Promise<Watching> {
  const child = fork(program, [url, String(pages)], { stdio: 'inherit' })
  const counted = async (): Promise<number> => {
    const [frames]: number[] = await once(child, 'message')
    return frames ?? 0
  }
  await counted()
  const frames = (): Promise<number> => {
    const answer = counted()
    child.send('count')
    return answer
  }
  const stop = async (): Promise<void> => {
    const exit = once(child, 'exit')
    child.kill()
    await exit
  }
  return { frames, stop }
}
