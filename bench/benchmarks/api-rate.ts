/**
 * The request rate of the API, compared with a bare Express route that parses and returns the same
 * JSON. Each server is a separate process. This process loads them in turns, over 64 connections.
 *
 * The server writes each submission to disk before it responds. After each turn its pull requests
 * are cancelled, so that the next turn begins with a queue of the same length. The cancellation is
 * not measured.
 */

import { fileURLToPath } from 'node:url'
import { Client, ProcessUnderTest, Served, numbersFrom, turnOf } from './served.ts'
import type { Loaded, Turn } from './served.ts'
import { atLeast, measured, ratioOf, spreadOf, target } from './measurement.ts'
import type { Benchmark, Effort, Figure, Target } from './measurement.ts'

/** Many short turns, because the speed of the machine rarely stays the same for a second. */
const full = { rounds: 80, requests: 640, few: 100, many: 10_000 } as const
const quick = { rounds: 1, requests: 20, few: 10, many: 20 } as const

const warmupRounds = 6

const bareName = 'bare Express'

const submit = 'submitPullRequest'
const read = 'getSubmittedPullRequest'
const firstSubmitted = 1_000_001

type Subject = Loaded & { readonly name: string }

type ServerSamples = { readonly perSecond: number[]; readonly cpuNs: number[] }

export const apiRate: Benchmark = {
  name: 'api-rate',
  title: 'requests served, compared with a bare Express route',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    effort.progress('filling queues')
    const few = await Served.withPullRequests(size.few)
    const many = await Served.withPullRequests(size.many)
    const bare = await bareExpress(few)
    const bareClient = new Client(bare.url)
    const subjects: Subject[] = [
      { name: bareName, client: bareClient, process: bare },
      { name: `${size.few} known`, client: few.client, process: few.process },
      { name: `${size.many} known`, client: many.client, process: many.process },
    ]
    try {
      return reportOn(await loadInTurns(subjects, size, effort), size)
    } finally {
      await Promise.all([few.remove(), many.remove(), bareClient.close().then(() => bare.stop())])
    }
  },
}

/** Starts the bare Express app. It sends the same response bodies as the real server. */
async function bareExpress({ client }: Served): Promise<ProcessUnderTest> {
  const answers: Record<string, unknown> = {}
  for (const operation of [submit, read]) {
    answers[`/v1/${operation}`] = JSON.parse(await client.call(operation, { pr: { number: 1 } }))
  }
  const program = fileURLToPath(new URL('./bare-express.js', import.meta.url))
  return ProcessUnderTest.start({ program, env: { BENCH_ANSWERS: JSON.stringify(answers) } })
}

type Size = typeof full | typeof quick
type SamplesByServer = ReadonlyMap<string, ServerSamples>

const keyOf = (operation: string, { name }: Pick<Subject, 'name'>): string =>
  `${operation}, ${name}`

async function loadInTurns(
  subjects: readonly Subject[],
  { rounds, requests, few }: Size,
  { progress, isQuick, signal }: Effort,
): Promise<SamplesByServer> {
  const found = new Map<string, ServerSamples>()
  const submitted = numbersFrom(firstSubmitted, requests)
  const requested = Array.from({ length: requests }, (_, index) => 1 + (index % few))
  // The rounds below 0 are warm-up rounds and do not count.
  for (let round = isQuick ? 0 : -warmupRounds; round < rounds && !signal.aborted; round++) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    // The order alternates, so that no server is always the first.
    const inOrder = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of inOrder) {
      const turn = await turnOf(subject, submit, submitted)
      if (round >= 0) record(found, keyOf(submit, subject), turn)
      if (subject.name !== bareName)
        await subject.client.callForEach('cancelPullRequest', submitted)
    }
    for (const subject of inOrder) {
      const turn = await turnOf(subject, read, requested)
      if (round >= 0) record(found, keyOf(read, subject), turn)
    }
  }
  return found
}

function record(found: Map<string, ServerSamples>, key: string, { perSecond, cpuNs }: Turn): void {
  const turns = found.get(key) ?? { perSecond: [], cpuNs: [] }
  turns.perSecond.push(perSecond)
  turns.cpuNs.push(cpuNs)
  found.set(key, turns)
}

function reportOn(found: SamplesByServer, { few, many }: Size): ReturnType<typeof measured> {
  const figures: Figure[] = []
  const targets: Target[] = []
  for (const [operation, share] of [
    [submit, 0.75],
    [read, 0.9],
  ] as const) {
    const turnsOf = (name: string): ServerSamples => {
      const turns = found.get(keyOf(operation, { name }))
      if (!turns) throw new Error(`${operation} was not measured: ${name}`)
      return turns
    }
    const bare = turnsOf(bareName)
    const [withFew, withMany] = [turnsOf(`${few} known`), turnsOf(`${many} known`)]
    const names = [bareName, `${few} known`, `${many} known`]
    const to = keyOf(operation, { name: bareName })
    for (const name of names)
      figures.push(...figuresOf(keyOf(operation, { name }), turnsOf(name), bare, to))
    const ofBare = ratioOf(withFew.perSecond, bare.perSecond)
    targets.push(target(`${operation}, of the bare rate`, 'share', ofBare, atLeast(share)))
    const ofFew = ratioOf(withMany.perSecond, withFew.perSecond)
    const what = `${operation} with ${many} known, of its rate with ${few}`
    targets.push(target(what, 'share', ofFew, atLeast(0.9)))
  }
  return measured({
    figures,
    targets,
    notes: [
      '64 connections, each with one request at a time; the server responds when a submission is on disk',
      'processor time is that of the server process with all its threads',
    ],
  })
}

function figuresOf(name: string, turns: ServerSamples, bare: ServerSamples, to: string): Figure[] {
  const isBare = name === to
  const rate = { name, unit: 'per second', value: spreadOf(turns.perSecond) } as const
  const cpu = { name: `${name}, processor time`, unit: 'ns', value: spreadOf(turns.cpuNs) } as const
  if (isBare) return [rate, cpu]
  return [
    { ...rate, ratio: { to, value: ratioOf(turns.perSecond, bare.perSecond) } },
    { ...cpu, ratio: { to: `${to}, processor time`, value: ratioOf(turns.cpuNs, bare.cpuNs) } },
  ]
}
