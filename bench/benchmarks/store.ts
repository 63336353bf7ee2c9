/**
 * Servers that share a PostgreSQL, compared with one that has a data folder. Each server is a process. This
 * process loads them in turns, over 64 connections, and asks one at a time for the latency of a lone call.
 */

import {
  Client,
  ProcessUnderTest,
  Served,
  executable,
  numbersFrom,
  repositoryAt,
  tokenEnvironment,
} from './served.ts'
import {
  type Benchmark,
  type Effort,
  type Figure,
  atLeast,
  atMost,
  measured,
  ratioOf,
  spreadOf,
  target,
} from './measurement.ts'
import { PrivatePostgres } from '../../server/postgres/testing/private-postgres.ts'

const full = { rounds: 24, requests: 320, alone: 30, known: 100, repositories: 100 } as const
const quick = { rounds: 1, requests: 10, alone: 4, known: 5, repositories: 3 } as const
type Size = typeof full | typeof quick

const warmupRounds = 4
const firstSubmitted = 1_000_001

const kinds = ['submit', 'submit to many', 'read', 'submit alone', 'read alone'] as const
type Kind = (typeof kinds)[number]

/** One server or several that are asked in turns. */
type Subject = {
  readonly name: string
  readonly clients: readonly Client[]
  readonly processes: readonly ProcessUnderTest[]
}

type Samples = { readonly seconds: number[]; readonly cpuNs: number[] }

export const store: Benchmark = {
  name: 'store',
  title: 'servers that share a PostgreSQL, compared with a data folder',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    const postgres = await PrivatePostgres.start()
    const folder = await Served.withPullRequests(size.known)
    const [one, two] = [await postgres.database('one'), await postgres.database('two')]
    const servers = await Promise.all([one, two, two].map(sharedServer))
    const clients = servers.map(({ url }) => new Client(url))
    try {
      const subjects: readonly Subject[] = [
        { name: 'folder', clients: [folder.client], processes: [folder.process] },
        { name: 'one shared', clients: clients.slice(0, 1), processes: servers.slice(0, 1) },
        { name: 'two shared', clients: clients.slice(1), processes: servers.slice(1) },
      ]
      for (const {
        clients: [client],
      } of subjects.slice(1)) {
        await client?.call('createQueue', {})
        await client?.callForEach('submitPullRequest', numbersFrom(1, size.known))
      }
      const places = numbersFrom(0, size.repositories)
      for (const {
        clients: [client],
      } of subjects)
        await client?.callForEach('createQueue', places, (at) => ({ repo: repositoryAt(at) }))
      return reportOn(await loadInTurns(subjects, size, effort))
    } finally {
      await Promise.all([...clients.map((client) => client.close()), folder.remove()])
      await Promise.all(servers.map((server) => server.stop()))
      await postgres.remove()
    }
  },
}

function sharedServer(url: string): Promise<ProcessUnderTest> {
  const args = ['start', '--port', '0', '--store', url]
  return ProcessUnderTest.start({ program: executable, args, env: tokenEnvironment })
}

type Found = ReadonlyMap<string, Samples>

async function loadInTurns(
  subjects: readonly Subject[],
  { rounds, requests, alone, known, repositories }: Size,
  { progress, isQuick, signal }: Effort,
): Promise<Found> {
  const found = new Map<string, Samples>()
  const submitted = numbersFrom(firstSubmitted, requests)
  const ofMany = (number: number) => ({ pr: { number }, repo: repositoryAt(number % repositories) })
  const read = Array.from({ length: requests }, (_, index) => 1 + (index % known))
  for (let round = isQuick ? 0 : -warmupRounds; round < rounds && !signal.aborted; round++) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const note = async (kind: Kind, count: number, work: () => Promise<void>): Promise<void> => {
        const turn = await timed(subject, count, work)
        if (round >= 0) record(found, `${kind}, ${subject.name}`, turn)
      }
      await note('submit', requests, () => loadAll(subject, 'submitPullRequest', submitted))
      await loadAll(subject, 'cancelPullRequest', submitted)
      await note('submit to many', requests, () =>
        loadAll(subject, 'submitPullRequest', submitted, ofMany),
      )
      await loadAll(subject, 'cancelPullRequest', submitted, ofMany)
      await note('read', requests, () => loadAll(subject, 'getSubmittedPullRequest', read))
      const few = submitted.slice(0, alone)
      await note('submit alone', alone, () => oneByOne(subject, 'submitPullRequest', few))
      await oneByOne(subject, 'cancelPullRequest', few)
      const some = read.slice(0, alone)
      await note('read alone', alone, () => oneByOne(subject, 'getSubmittedPullRequest', some))
    }
  }
  return found
}

/** Each client has its part of the numbers. */
async function loadAll(
  { clients }: Subject,
  operation: string,
  numbers: readonly number[],
  bodyOf?: (number: number) => object,
): Promise<void> {
  const parts = clients.map((_, place) =>
    numbers.filter((_number, at) => at % clients.length === place),
  )
  await Promise.all(
    clients.map((client, place) => client.callForEach(operation, parts[place] ?? [], bodyOf)),
  )
}

async function oneByOne(
  { clients }: Subject,
  operation: string,
  numbers: readonly number[],
): Promise<void> {
  for (const [at, number] of numbers.entries())
    await clients[at % clients.length]?.call(operation, { pr: { number } })
}

type Turn = { readonly seconds: number; readonly cpuNs: number }

/** The time of a request, and the processor time of all servers for it. */
async function timed(
  { processes }: Subject,
  count: number,
  work: () => Promise<void>,
): Promise<Turn> {
  const cpu = async (): Promise<number> => {
    const readings = await Promise.all(processes.map((server) => server.read()))
    return readings.reduce((sum, { cpuNs }) => sum + cpuNs, 0)
  }
  const before = await cpu()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  return { seconds: seconds / count, cpuNs: ((await cpu()) - before) / count }
}

function record(found: Map<string, Samples>, key: string, { seconds, cpuNs }: Turn): void {
  const samples = found.get(key) ?? { seconds: [], cpuNs: [] }
  samples.seconds.push(seconds)
  samples.cpuNs.push(cpuNs)
  found.set(key, samples)
}

function reportOn(found: Found): ReturnType<typeof measured> {
  const of = (kind: Kind, subject: string): Samples => {
    const samples = found.get(`${kind}, ${subject}`)
    if (!samples) throw new Error(`${kind} was not measured: ${subject}`)
    return samples
  }
  const figures = [...found].flatMap(([name, { seconds, cpuNs }]): Figure[] => [
    { name, unit: 'ns', value: spreadOf(seconds.map((each) => each * nsPerSecond)) },
    { name: `${name}, processor time`, unit: 'ns', value: spreadOf(cpuNs) },
  ])
  const rate = (kind: Kind, subject: string, to: string) =>
    ratioOf(of(kind, to).seconds, of(kind, subject).seconds)
  const cpu = ratioOf(of('submit', 'one shared').cpuNs, of('submit', 'folder').cpuNs)
  const later = ratioOf(
    of('submit alone', 'one shared').seconds,
    of('submit alone', 'folder').seconds,
  )
  return measured({
    figures,
    targets: [
      target(
        'submit, rate of one shared to the folder',
        'share',
        rate('submit', 'one shared', 'folder'),
        atLeast(0.8),
      ),
      target(
        'submit to 100 repositories, rate of one shared to the folder',
        'share',
        rate('submit to many', 'one shared', 'folder'),
        atLeast(0.7),
      ),
      target(
        'submit, rate of two shared to one',
        'share',
        rate('submit', 'two shared', 'one shared'),
        atLeast(0.5),
      ),
      target('submit, processor time of one shared to the folder', 'times', cpu, atMost(1.5)),
      target(
        'read, rate of one shared to the folder',
        'share',
        rate('read', 'one shared', 'folder'),
        atLeast(0.4),
      ),
      target('submit alone, time of one shared to the folder', 'times', later, atMost(3)),
    ],
    notes: [
      '64 connections to each server, each with one request at a time; alone: one request at a time',
      'the processor time is that of the servers, without PostgreSQL; PostgreSQL runs on the same machine',
    ],
  })
}

const nsPerSecond = 1e9
