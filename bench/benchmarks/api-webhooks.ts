/**
 * The submission rate of servers whose webhook receiver is unavailable, compared with a server
 * without webhooks, in turns. One receiver refuses connections. One accepts them and never
 * responds.
 */

import { createServer, type Server } from 'node:net'
import { numbersFrom } from '../api/client.ts'
import { Served } from '../api/served.ts'
import { folderWithWebhook } from '../api/webhook.ts'
import {
  atLeast,
  measured,
  target,
  type Benchmark,
  type Effort,
  type Measured,
} from '../measuring/measurement.ts'
import { ratioOf, spreadOf } from '../measuring/spread.ts'

const full = { rounds: 20, requests: 320 } as const
const quick = { rounds: 1, requests: 20 } as const

const warmupRounds = 3

const none = 'no webhook'
const submit = 'submitPullRequest'

type Subject = { readonly name: string; readonly served: Served; readonly perSecond: number[] }

export const apiWebhooks: Benchmark = {
  name: 'api-webhooks',
  title: 'submissions, with webhooks that no receiver accepts',
  async measure(effort) {
    const silent = await silentReceiver()
    const closedPort = await unusedPort()
    const subjects: Subject[] = [
      await subjectOf(none, null),
      await subjectOf('a receiver that refuses connections', `http://127.0.0.1:${closedPort}/`),
      await subjectOf('a receiver that never responds', `http://127.0.0.1:${portOf(silent)}/`),
    ]
    try {
      await loadInTurns(subjects, effort)
      return reportOn(subjects)
    } finally {
      for (const { served } of subjects) await served.remove()
      silent.close()
    }
  },
}

async function subjectOf(name: string, url: string | null): Promise<Subject> {
  const served = await (url === null ? Served.start() : Served.start(folderWithWebhook(url)))
  await served.client.call('createQueue', {})
  return { name, served, perSecond: [] }
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
    for (const { served, perSecond } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const begun = performance.now()
      await served.client.callForEach(submit, numbers)
      const seconds = (performance.now() - begun) / 1000
      if (round >= 0) perSecond.push(requests / seconds)
      await served.client.callForEach('cancelPullRequest', numbers)
    }
  }
}

function reportOn(subjects: readonly Subject[]): Measured {
  const bare = subjects.find(({ name }) => name === none)?.perSecond ?? []
  const others = subjects.filter(({ name }) => name !== none)
  const nameOf = (name: string): string => `${submit}, ${name}`
  return measured({
    figures: subjects.map(({ name, perSecond }) => {
      const figure = {
        name: nameOf(name),
        unit: 'per second',
        value: spreadOf(perSecond),
      } as const
      if (name === none) return figure
      return { ...figure, ratio: { to: nameOf(none), value: ratioOf(perSecond, bare) } }
    }),
    targets: others.map(({ name, perSecond }) =>
      target(
        `${submit} with ${name}, of the rate without`,
        'share',
        ratioOf(perSecond, bare),
        atLeast(0.8),
      ),
    ),
    notes: [
      'the cost of a webhook is building and storing its messages; the server does not wait for receivers',
    ],
  })
}

async function silentReceiver(): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => undefined)).unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

async function unusedPort(): Promise<number> {
  const server = await silentReceiver()
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
