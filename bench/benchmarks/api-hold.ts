/**
 * How long one request holds the event loop, with many pull requests known: the longest turn of the
 * loop while the request is served, in processor time, beside the time of the whole request.
 */

import { numbersFrom, type Client } from '../api/client.ts'
import { Served } from '../api/served.ts'
import { atMost, measured, target, type Benchmark, type Effort } from '../measuring/measurement.ts'
import { spreadOf } from '../measuring/spread.ts'

const mebibyte = 2 ** 20
const full = { known: 100_000, rounds: 7, listBytes: 20 * mebibyte - 1000 } as const
const quick = { known: 50, rounds: 1, listBytes: 2 ** 17 } as const

const mostNs = 50e6
const nsPerMs = 1e6
const mostReported = 3000

type Kind = { readonly name: string; readonly call: (round: number) => Promise<string> }

export const apiHold: Benchmark = {
  name: 'api-hold',
  title: 'the longest turn of the event loop that a request takes',
  async measure(effort) {
    const size = effort.isQuick ? quick : full
    effort.progress('filling a queue')
    const served = await Served.withPullRequests(size.known)
    try {
      const kinds = kindsOf(served.client, size)
      const { holds, times } = await callInTurns(served, kinds, size.rounds, effort)
      return measured({
        figures: kinds.flatMap(({ name }) => [
          { name: `${name}, longest turn`, unit: 'ns' as const, value: spreadIn(holds, name) },
          { name: `${name}, whole request`, unit: 'ns' as const, value: spreadIn(times, name) },
        ]),
        targets: kinds.map(({ name }) => {
          const worst = spreadOf([spreadIn(holds, name).high])
          return target(`${name}, longest of all turns`, 'ns', worst, atMost(mostNs))
        }),
        notes: [
          `with ${size.known} pull requests waiting; a turn is measured in processor time of its thread, garbage collection included`,
        ],
      })
    } finally {
      await served.remove()
    }
  },
}

type Samples = ReadonlyMap<string, readonly number[]>

const spreadIn = (samples: Samples, name: string) => spreadOf(samples.get(name) ?? [])

function kindsOf(client: Client, { known, listBytes }: typeof full | typeof quick): Kind[] {
  const pr = { number: Math.ceil(known / 2) }
  const testRunId = async (): Promise<string> => {
    const details = await client.call('getMergeQueueTestingDetails', {})
    return /"testRunId":"([^"]+)"/.exec(details)?.[1] ?? ''
  }
  const tests = (round: number) =>
    numbersFrom(0, mostReported).map((each) => ({ name: `test ${each} of ${round}`, file: 'a.ts' }))
  const shortNames = numbersFrom(0, Math.floor(listBytes / 8)).map((each) => each.toString(36))
  const longNames = numbersFrom(0, Math.floor(listBytes / 100)).map((each) =>
    `//packages/part:${each}`.padEnd(96, '-'),
  )
  return [
    {
      name: 'submitPullRequest',
      call: (round) => client.call('submitPullRequest', { pr: { number: 1_000_002 + round } }),
    },
    { name: 'getSubmittedPullRequest', call: () => client.call('getSubmittedPullRequest', { pr }) },
    { name: 'getQueue', call: () => client.call('getQueue', {}) },
    { name: 'getMergeQueueMetrics', call: () => client.scrape() },
    { name: 'listPullRequests', call: () => client.call('listPullRequests', { take: 100 }) },
    {
      name: 'getMergeQueueTestingDetails',
      call: () => client.call('getMergeQueueTestingDetails', {}),
    },
    {
      name: 'setImpactedTargets, 20 MiB of short names',
      call: () => client.call('setImpactedTargets', { pr, impactedTargets: shortNames }),
    },
    {
      name: 'setImpactedTargets, 20 MiB of long names',
      call: () => client.call('setImpactedTargets', { pr, impactedTargets: longNames }),
    },
    {
      name: 'setImpactedTargets, the most names that count',
      call: () =>
        client.call('setImpactedTargets', { pr, impactedTargets: longNames.slice(0, 5000) }),
    },
    {
      name: 'getQueue, with 20 MiB that nobody reads',
      call: () => client.call('getQueue', { unknown: [shortNames] }),
    },
    {
      name: `reportTestRun, ${mostReported} failed tests`,
      call: async (round) =>
        client.call('reportTestRun', {
          testRunId: await testRunId(),
          outcome: 'failed',
          failedTests: tests(round),
        }),
    },
    {
      name: 'updateQueue, pause and resume',
      call: async () => {
        await client.call('updateQueue', { state: 'PAUSED' })
        return client.call('updateQueue', { state: 'RUNNING' })
      },
    },
  ]
}

async function callInTurns(
  { process: server }: Served,
  kinds: readonly Kind[],
  rounds: number,
  { progress, signal, isQuick }: Effort,
): Promise<{ readonly holds: Samples; readonly times: Samples }> {
  const holds = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
  const times = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
  // The first round does not count: the collection of the garbage of the submissions falls into it.
  for (let round = isQuick ? 0 : -1; round < rounds && !signal.aborted; round++) {
    progress(round < 0 ? 'warming up' : `round ${round + 1} of ${rounds}`)
    for (const { name, call } of kinds) {
      const hold = await server.worstHoldNs(async () => {
        const begun = performance.now()
        await call(round)
        if (round >= 0) times.get(name)?.push((performance.now() - begun) * nsPerMs)
      })
      if (round >= 0) holds.get(name)?.push(hold)
    }
  }
  return { holds, times }
}
