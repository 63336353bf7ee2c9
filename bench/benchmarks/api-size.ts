/** The memory and the start time of a server that knows many pull requests. */

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Served, numbersFrom } from './served.ts'
import {
  type Benchmark,
  type Effort,
  atMost,
  cpuNs,
  measured,
  ratioOf,
  spreadOf,
  target,
} from './measurement.ts'

const full = { known: 100_000, listBytes: 20 * 2 ** 20, starts: 5 } as const
const quick = { known: 100, listBytes: 2 ** 16, starts: 1 } as const

const mebibyte = 2 ** 20
const knownLimit = 400 * mebibyte

export const apiSize: Benchmark = {
  name: 'api-size',
  title: 'memory with many pull requests known, and time to start',
  async measure(effort) {
    const { known, listBytes, starts } = effort.isQuick ? quick : full
    effort.progress('a long list of targets')
    const list = await longList(listBytes)
    effort.progress('submitting')
    const filled = await fill(known)
    effort.progress('starting again')
    const started = await startAgain(filled.folder, starts, effort)
    rmSync(filled.folder, { recursive: true, force: true })
    const [filledBytes, startedBytes] = [
      spreadOf([filled.restingBytes]),
      spreadOf(started.restingBytes),
    ]
    const listGrowth = spreadOf([list.addedBytes / listBytes])
    const many = `${known} pull requests known`
    return measured({
      figures: [
        { name: `memory, ${many}`, unit: 'bytes', value: filledBytes },
        {
          name: 'memory at its peak while they are submitted',
          unit: 'bytes',
          value: spreadOf([filled.peakBytes]),
        },
        { name: `memory, ${many}, after a start`, unit: 'bytes', value: startedBytes },
        {
          name: 'memory that a list of targets adds at its peak',
          unit: 'bytes',
          value: spreadOf([list.addedBytes]),
        },
        { name: 'a start with an empty folder', unit: 'ns', value: spreadOf(started.emptyNs) },
        { name: 'parsing the log', unit: 'ns', value: spreadOf(started.parsingNs) },
        {
          name: `a start with ${known} logged commands and no snapshot`,
          unit: 'ns',
          value: spreadOf(started.replayNs),
          ratio: { to: 'parsing the log', value: ratioOf(started.replayNs, started.parsingNs) },
        },
      ],
      targets: [
        target(`memory, ${many}`, 'bytes', filledBytes, atMost(knownLimit)),
        target(`memory, ${many}, after a start`, 'bytes', startedBytes, atMost(knownLimit)),
        target(
          'memory that a list of targets of 20 MiB adds, divided by its size',
          'times',
          listGrowth,
          atMost(10),
        ),
        target(
          `a start with ${known} logged commands, compared with parsing the log`,
          'times',
          ratioOf(started.replayNs, started.parsingNs),
          atMost(10),
        ),
      ],
      notes: [
        'a start is measured from the start of the process until it listens; a start and the parsing are measured in processor time',
      ],
    })
  },
}

/** Sends a request with a list of targets of about `bytes`, and returns the memory that it adds. */
async function longList(bytes: number): Promise<{ readonly addedBytes: number }> {
  const served = await Served.withPullRequests(1)
  try {
    const available = bytes - 1000
    const nameBytes = 24
    const impactedTargets = numbersFrom(0, Math.floor(available / nameBytes)).map((number) =>
      `packages/part-${number}`.padEnd(nameBytes - '"",'.length, '-'),
    )
    const before = await served.process.read()
    await served.client.call('setImpactedTargets', { pr: { number: 1 }, impactedTargets })
    const after = await served.process.read()
    return { addedBytes: after.peakBytes - before.rssBytes }
  } finally {
    await served.remove()
  }
}

type FilledServer = {
  readonly folder: string
  readonly restingBytes: number
  readonly peakBytes: number
}

/** Submits `known` pull requests and kills the server: only what it has logged remains. */
async function fill(known: number): Promise<FilledServer> {
  const served = await Served.withPullRequests(known)
  const { rssBytes, peakBytes } = await served.process.read()
  await served.stop('SIGKILL')
  return { folder: served.folder, restingBytes: rssBytes, peakBytes }
}

type Started = {
  readonly restingBytes: number[]
  readonly emptyNs: number[]
  readonly replayNs: number[]
  readonly parsingNs: number[]
}

/** Starts servers without a snapshot, so that each one has to replay the whole log. */
async function startAgain(folder: string, starts: number, { signal }: Effort): Promise<Started> {
  const found: Started = { restingBytes: [], emptyNs: [], replayNs: [], parsingNs: [] }
  const log = join(folder, 'log')
  for (let round = 0; round < starts && !signal.aborted; round++) {
    rmSync(join(folder, 'snapshot.json'), { force: true })
    found.parsingNs.push(cpuNs({ run: () => Number(parseAll(log) > 0) }))
    const replayed = await Served.start(folder)
    const { cpuNs: replayNs, rssBytes } = await replayed.process.read()
    found.replayNs.push(replayNs)
    found.restingBytes.push(rssBytes)
    await replayed.stop('SIGKILL')
    const empty = await Served.start()
    found.emptyNs.push((await empty.process.read()).cpuNs)
    await empty.remove()
  }
  return found
}

/** Parses each line of each log segment as JSON. Returns the number of fields. */
function parseAll(log: string): number {
  let fields = 0
  for (const name of readdirSync(log).filter((each) => each.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(log, name), 'utf8').split('\n')) {
      if (line === '') continue
      const entry: object = JSON.parse(line)
      fields += Object.keys(entry).length
    }
  }
  return fields
}
