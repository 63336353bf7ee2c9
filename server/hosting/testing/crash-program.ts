/**
 * A server as a process of its own: the test that started it kills it by its effects. Arguments: what to
 * do, the data folder, the repository, the test command, the program that counts. `enter` ends when all
 * pull requests are in the queue, which is PAUSED; `merge` ends when nobody is in it.
 */

import { spawnSync } from 'node:child_process'
import { pino } from 'pino'
import { isTerminal, type PullRequestView } from '../../../engine/index.ts'
import { serverDefaults } from '../../embedded-server.ts'
import { nameOfQueue } from '../../identity/queue-ref.ts'
import { startServer } from '../../server.ts'
import { crashNumbers, crashQueue } from './crash-story.ts'

const [what, data = '', url = '', run = '', count = ''] = process.argv.slice(2)
const name = nameOfQueue(crashQueue.ref)
const state = what === 'merge' ? 'RUNNING' : 'PAUSED'
// In a sandbox a test command could not kill the server at its end.
const others = {
  setup: null,
  setupWhen: [],
  junit: [],
  keep: [],
  environment: [],
  bubblewrap: false,
}

const server = await startServer(
  {
    ...serverDefaults,
    port: 0,
    data,
    token: 'secret',
    hosting: [
      {
        ...crashQueue,
        set: { ...crashQueue.set, state },
        url,
        tests: { kind: 'command', run, ...others },
      },
    ],
  },
  {
    logger: pino({ enabled: false }),
    onFirstToken: () => undefined,
    onFailure: () => undefined,
  },
)

function pullRequests(): PullRequestView[] {
  return Object.values(server.manager.registry.find(name)?.engine.queue.pullRequests ?? {})
}

function isOver(): boolean {
  const all = pullRequests()
  if (all.length < crashNumbers.length) return false
  return what === 'enter' || all.every((each) => isTerminal(each.state))
}

await new Promise<void>((resolve) => {
  const check = (): void => {
    if (isOver()) resolve()
  }
  server.manager.subscribe(() => {
    spawnSync(count, [String(process.pid)])
    check()
  })
  check()
})
await server.stop()

const states = pullRequests().map((each): [number, string] => [
  each.number,
  each.state === 'FAILED' ? `FAILED ${each.reason}` : each.state,
])
process.stdout.write(JSON.stringify(Object.fromEntries(states)))
