/**
 * A server as a process of its own, for a queue on the fake GitHub: the test that started it kills it by its
 * effects. Arguments: what to do, the data folder, the address of the fake, the program that counts, and a
 * file. `enter` ends when all pull requests are in the queue, which is PAUSED; `merge` ends when nobody is in
 * it and the file is there.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { isTerminal, type PullRequestView } from '../../../engine/index.ts'
import { serverDefaults } from '../../embedded-server.ts'
import { crashNumbers, crashQueue } from '../../hosting/testing/crash-story.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import { startServer } from '../../server.ts'

const [what, data = '', fake = '', count = '', told = ''] = process.argv.slice(2)
const name = nameOfQueue(crashQueue.ref)
const state = what === 'merge' ? 'RUNNING' : 'PAUSED'
const token = process.env['MERGEYARD_GITHUB_TOKEN'] ?? ''

const server = await startServer(
  {
    ...serverDefaults,
    port: 0,
    data,
    token: 'secret',
    hosting: [
      {
        ...crashQueue,
        set: { ...crashQueue.set, state, mergeMethod: 'merge_commit', requiredStatuses: ['ci'] },
        url: `${fake}/acme/shop.git`,
        forge: {
          kind: 'github',
          ...{ owner: 'acme', name: 'shop', api: `${fake}/api/v3` },
          auth: { kind: 'token', token: () => token },
          webhookSecrets: [],
        },
        tests: { kind: 'host', noCiMinutes: 15 },
      },
    ],
  },
  {
    logger: pino({ enabled: false }),
    onFirstToken: () => undefined,
    onFailure: () => undefined,
    forge: {
      pace: { isThrottled: false, retryAfterMs: 1 },
      intervals: { rulesMs: 0, gapMs: 0, againMs: 1 },
    },
  },
)
server.manager.subscribe(() => void spawnSync(count, [String(process.pid)]))

function pullRequests(): PullRequestView[] {
  return Object.values(server.manager.registry.find(name)?.engine.queue.pullRequests ?? {})
}

function isOver(): boolean {
  const all = pullRequests()
  if (all.length < crashNumbers.length) return false
  return what === 'enter' || (all.every((each) => isTerminal(each.state)) && existsSync(told))
}

while (!isOver()) await wait(20)
await server.stop()

const states = pullRequests().map((each): [number, string] => [
  each.number,
  each.state === 'FAILED' ? `FAILED ${each.reason}` : each.state,
])
process.stdout.write(JSON.stringify(Object.fromEntries(states)))
