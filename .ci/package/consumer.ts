/**
 * Uses the package from TypeScript. `.ci/package.mjs` compiles and runs it in a folder in which the
 * tarball is installed.
 */

import {
  Engine,
  newQueue,
  type Command,
  type Event,
  type Ports,
  type TestRun,
} from 'mergeyard/engine'
import { simulate, type Property, type ResultDocument, type Scenario } from 'mergeyard/sim'
import { ApiError, connect, type QueueRef } from 'mergeyard/client'
import { startServer, type ServerOptions } from 'mergeyard/server'

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (left !== right) throw new Error(`${what}: expected ${right}, got ${left}`)
}

const scenario: Scenario = {
  name: 'two-at-once',
  queue: { batch: true, batchingMinSize: 2 },
  suite: { minutes: 10 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
}
const result: ResultDocument = simulate(scenario, { seed: 7 })
expectEqual('merged in the simulation', result.mergeOrder, [1])
expectEqual('seed of the simulation', result.seed, 7)

const seen: number[] = []
const oneAtATime: Property = {
  name: 'one-at-a-time',
  sentence: 'No two pull requests merge at the same instant.',
  watch({ check }) {
    let last = -1
    return {
      on: {
        pullRequestEnded({ number, to }, point) {
          if (to !== 'MERGED') return
          seen.push(number)
          check(point.at > last, point, () => ({
            story: `Pull request ${number} merged together with another one.`,
            pullRequests: [number],
          }))
          last = point.at
        },
      },
    }
  },
}
const batch: Scenario = { ...scenario, pullRequests: [{ number: 1 }, { number: 2 }] }
const { properties } = simulate(batch, { properties: [oneAtATime] })
const own = properties.find(({ name }) => name === oneAtATime.name)
expectEqual('merges that the property received', seen, [1, 2])
expectEqual('violations of the property', own?.violations.length, 1)

const started: TestRun[] = []
const ports: Ports = {
  clock: { wakeAt: () => undefined },
  testRunner: { start: (run) => started.push(run), cancel: () => undefined },
}
const engine = new Engine(newQueue({ configuration: { concurrency: 2 } }), ports)
const events: Event['type'][] = []
engine.subscribe((_command, made) => events.push(...made.map(({ type }) => type)))
const send = (command: Command): boolean => engine.dispatch(command).accepted
send({ type: 'submitPullRequest', number: 7, at: 0 })
expectEqual(
  'runs of the engine',
  started.map(({ tested }) => tested),
  [[7]],
)
send({ type: 'finishTestRun', testRun: started[0]?.id ?? 0, outcome: 'passed', at: 600_000 })
expectEqual('state in the engine', engine.queue.pullRequests[7]?.state, 'MERGED')
expectEqual('the last event', events.includes('pullRequestMoved'), true)

const token = 'secret-of-the-consumer'
const options: ServerOptions = { data: 'data-of-typescript', port: 0, token }
const server = await startServer(options)
const call = connect({ url: server.url, token })
const queue: QueueRef = {
  repo: { host: 'github.com', owner: 'acme', name: 'shop' },
  targetBranch: 'main',
}
await call('createQueue', queue)
await call('submitPullRequest', { ...queue, pr: { number: 7 } })
const { enqueuedPullRequests } = await call('getQueue', queue)
expectEqual(
  'the pull requests of the client',
  enqueuedPullRequests.map(({ prNumber }) => prNumber),
  [7],
)
const refused: unknown = await call('getQueue', { ...queue, targetBranch: 'none' }).catch(
  (error: unknown) => error,
)
expectEqual('a refusal', refused instanceof ApiError && refused.status, 404)
await server.stop()
console.log('TypeScript consumer: ok')
