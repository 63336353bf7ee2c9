/**
 * A day of pull requests on the fake GitHub, in a process of its own. Arguments: how many, in how many hours,
 * and how many times faster than real time. Prints what was asked of GitHub, as `GitHubDay`.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { isTerminal, type PullRequestView } from '../../../engine/index.ts'
import { serverDefaults } from '../../../server/server-defaults.ts'
import { FakeGitHub, personalToken } from '../../../server/github/testing/fake-github.ts'
import { hookSecret } from '../../../server/forge/testing/fake-hooks.ts'
import { openPull } from '../../../server/forge/testing/open-pull.ts'
import { ToyCi } from '../../../server/forge/testing/toy-ci.ts'
import { nameOfQueue } from '../../../server/identity/queue-ref.ts'
import { startServer } from '../../../server/server.ts'
import { drawsOf } from '../../../sim/random/draw.ts'
import type { GitHubDay } from '../github-day.ts'

const [count = 0, hours = 0, speed = 1] = process.argv.slice(2).map(Number)
const hourMs = 3_600_000 / speed
const minuteMs = hourMs / 60
const ref = { host: 'github.com', owner: 'acme', name: 'shop', targetBranch: 'main' }
const label = 'merge-queue-submit'
const testMinutes = 10

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-bench-'))
const fake = new FakeGitHub({ folder })
await fake.state.repository.make()
await fake.listen()
const ci = new ToyCi(fake, ['ci'])
const server = await startServer(
  {
    ...serverDefaults,
    port: 0,
    data: join(folder, 'data'),
    token: 'secret',
    hosting: [
      {
        ref,
        url: `${fake.url}/acme/shop.git`,
        pollMs: minuteMs / 2,
        forge: {
          kind: 'github',
          ...{ owner: 'acme', name: 'shop', api: fake.api },
          auth: { kind: 'token', token: () => personalToken },
          webhookSecrets: [() => hookSecret],
        },
        tests: { kind: 'host', noCiMinutes: 60 },
        set: {
          ...{ batch: true, batchingMinSize: 4, batchingMaxWaitTimeMinutes: 0, concurrency: 8 },
          ...{ mergeMethod: 'merge_commit', requiredStatuses: ['ci'] },
        },
      },
    ],
  },
  {
    logger: pino({ enabled: false }),
    onFirstToken: () => undefined,
    onFailure: () => undefined,
    forge: {
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { gapMs: minuteMs / 6, againMs: minuteMs / 15 },
    },
  },
)
fake.hooks.plan = 'once'
fake.hooks.target = () => `${server.url}/hooks/github`

function pullRequests(): PullRequestView[] {
  const queue = server.manager.registry.find(nameOfQueue(ref))
  return Object.values(queue?.engine.queue.pullRequests ?? {})
}

/** Ends the runs that have taken their time; a folder `broken` fails them. */
async function endRuns(): Promise<void> {
  for (const run of ci.going) {
    if (Date.now() - run.createdAt < testMinutes * minuteMs) continue
    const files = await fake.state.repository.files(run.sha)
    ci.finish(run, files.some((path) => path.startsWith('broken/')) ? 'failure' : 'success')
  }
}

const begun = Date.now()
const draws = drawsOf(1)
const numbers = Array.from({ length: count }, (_, index) => index + 1)
// At any time of the day, so that some minutes have many.
const arrivals = numbers.map((number) => draws.unit('arrivals', number) * hours * hourMs)
arrivals.sort((a, b) => a - b)

async function arrive(): Promise<void> {
  for (const [index, after] of arrivals.entries()) {
    await wait(Math.max(0, begun + after - Date.now()))
    const number = index + 1
    const isBroken = draws.chance('breaks', number, 0.03)
    const path = isBroken ? `broken/${number}` : `change-${number}.txt`
    // Numbers of drafts, which the server opens, come in between.
    await openPull(fake, 10_000 + number, { [path]: 'new\n' }, { labels: [label] })
  }
}

const isOver = (): boolean => {
  const all = pullRequests()
  return all.length === count && all.every(({ state }) => isTerminal(state))
}

const arriving = arrive()
// A day that does not end tells what it has asked for until then.
const lastAt = begun + 3 * hours * hourMs + 60_000
while (!isOver() && Date.now() < lastAt) {
  await endRuns()
  await wait(minuteMs / 4)
}
await arriving
await server.stop()
fake.close()

const { requests, faults } = fake
const paid = requests.filter(({ status }) => status !== 304)
const day: GitHubDay = {
  merged: pullRequests().filter(({ state }) => state === 'MERGED').length,
  hours: (Date.now() - begun) / hourMs,
  requests: requests.length,
  perHour: most(paid, hourMs),
  perMinute: most(
    paid.filter(({ name }) => !name.startsWith('GET')),
    minuteMs,
  ),
  faults: faults.slice(0, 3),
}
process.stdout.write(JSON.stringify(day))
rmSync(folder, { recursive: true, force: true })

/** The most of them within such a time, wherever it begins. */
function most(all: readonly { readonly at: number }[], withinMs: number): number {
  const times = all.map(({ at }) => at).sort((a, b) => a - b)
  let [first, found] = [0, 0]
  for (const [last, at] of times.entries()) {
    while (at - (times[first] ?? at) >= withinMs) first++
    found = Math.max(found, last - first + 1)
  }
  return found
}
