/**
 * How fast the API answers, beside a bare Express route that parses and answers the same JSON; all
 * servers are processes of their own, loaded in turns over 64 connections from this one.
 *
 * Every submission is on disk before it is answered. After each turn its pull requests leave again,
 * outside of what is measured, so that the next turn meets a queue of the same length.
 */

import { Client, numbersFrom } from '../api/client.ts'
import { ProcessUnderTest } from '../api/process-under-test.ts'
import { Served } from '../api/served.ts'
import {
  atLeast,
  measured,
  target,
  type Benchmark,
  type Effort,
  type Figure,
  type Target,
} from '../measuring/measured.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'

/** Many short turns: the machine is rarely the same for a whole second. */
const full = { rounds: 80, requests: 640, few: 100, many: 10_000 } as const
const quick = { rounds: 1, requests: 20, few: 10, many: 20 } as const

const warmupRounds = 6

const bareName = 'bare Express'

const submit = 'submitPullRequest'
const look = 'getSubmittedPullRequest'
const firstSubmitted = 1_000_001

type Subject = {
  readonly name: string
  readonly client: Client
  readonly process: ProcessUnderTest
}

/** What one kind of server did in each round. */
type Turns = { readonly perSecond: number[]; readonly cpuNs: number[] }

export const apiRate: Benchmark = {
  name: 'api-rate',
  title: 'requests answered, beside a bare Express route',
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

/** Answers what the real server answers, word for word. */
async function bareExpress({ client }: Served): Promise<ProcessUnderTest> {
  const answers: Record<string, unknown> = {}
  for (const operation of [submit, look]) {
    answers[`/v1/${operation}`] = JSON.parse(await client.call(operation, { pr: { number: 1 } }))
  }
  const program = new URL('../api/bare-express.js', import.meta.url)
  return ProcessUnderTest.start({ program, env: { BENCH_ANSWERS: JSON.stringify(answers) } })
}

type Size = typeof full | typeof quick
type Found = ReadonlyMap<string, Turns>

const keyOf = (operation: string, { name }: Pick<Subject, 'name'>): string =>
  `${operation}, ${name}`

async function loadInTurns(
  subjects: readonly Subject[],
  { rounds, requests, few }: Size,
  { progress, isQuick, signal }: Effort,
): Promise<Found> {
  const found = new Map<string, Turns>()
  const submitted = numbersFrom(firstSubmitted, requests)
  const asked = Array.from({ length: requests }, (_, index) => 1 + (index % few))
  // The first rounds are to warm up.
  for (let round = isQuick ? 0 : -warmupRounds; round < rounds && !signal.aborted; round++) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    // Forth and back, so that nobody always comes first.
    const inOrder = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of inOrder) {
      const turn = await load(subject, submit, submitted)
      if (round >= 0) note(found, keyOf(submit, subject), turn)
      if (subject.name !== bareName)
        await subject.client.callForEach('cancelPullRequest', submitted)
    }
    for (const subject of inOrder) {
      const turn = await load(subject, look, asked)
      if (round >= 0) note(found, keyOf(look, subject), turn)
    }
  }
  return found
}

type Turn = { readonly perSecond: number; readonly cpuNs: number }

async function load(
  { client, process: server }: Subject,
  operation: string,
  numbers: readonly number[],
): Promise<Turn> {
  const before = await server.read()
  const begun = performance.now()
  await client.callForEach(operation, numbers)
  const seconds = (performance.now() - begun) / 1000
  const after = await server.read()
  return {
    perSecond: numbers.length / seconds,
    cpuNs: (after.cpuNs - before.cpuNs) / numbers.length,
  }
}

function note(found: Map<string, Turns>, key: string, { perSecond, cpuNs }: Turn): void {
  const turns = found.get(key) ?? { perSecond: [], cpuNs: [] }
  turns.perSecond.push(perSecond)
  turns.cpuNs.push(cpuNs)
  found.set(key, turns)
}

function reportOn(found: Found, { few, many }: Size): ReturnType<typeof measured> {
  const figures: Figure[] = []
  const targets: Target[] = []
  for (const [operation, share] of [
    [submit, 0.75],
    [look, 0.9],
  ] as const) {
    const turnsOf = (name: string): Turns => {
      const turns = found.get(keyOf(operation, { name }))
      if (!turns) throw new Error(`${operation} was not measured: ${name}`)
      return turns
    }
    const bare = turnsOf(bareName)
    const [ours, crowded] = [turnsOf(`${few} known`), turnsOf(`${many} known`)]
    const names = [bareName, `${few} known`, `${many} known`]
    const to = keyOf(operation, { name: bareName })
    for (const name of names)
      figures.push(...figuresOf(keyOf(operation, { name }), turnsOf(name), bare, to))
    const beside = ratioOf(ours.perSecond, bare.perSecond)
    targets.push(target(`${operation}, of the bare rate`, 'share', beside, atLeast(share)))
    const held = ratioOf(crowded.perSecond, ours.perSecond)
    const what = `${operation} with ${many} known, of its rate with ${few}`
    targets.push(target(what, 'share', held, atLeast(0.9)))
  }
  return measured({
    figures,
    targets,
    notes: [
      '64 connections, each with one request at a time; a submission is answered when it is on disk',
      'processor time is that of the server, with what it leaves to its threads',
    ],
  })
}

function figuresOf(name: string, turns: Turns, bare: Turns, to: string): Figure[] {
  const isBare = name === to
  const rate = { name, unit: 'per second', value: spreadOf(turns.perSecond) } as const
  const cpu = { name: `${name}, processor time`, unit: 'ns', value: spreadOf(turns.cpuNs) } as const
  if (isBare) return [rate, cpu]
  return [
    { ...rate, ratio: { to, value: ratioOf(turns.perSecond, bare.perSecond) } },
    { ...cpu, ratio: { to: `${to}, processor time`, value: ratioOf(turns.cpuNs, bare.cpuNs) } },
  ]
}
