/** What left a queue long ago leaves memory, by a command that a replay repeats. */

import { expect, test } from 'vitest'
import type { LogEntry, RecordedCommand } from '../../engine/index.ts'
import { linesOfState, stateOfLines } from '../store/snapshot-file.ts'
import { silent } from '../testing/recording.ts'
import { getSubmittedPullRequest, listPullRequests } from '../operations/pull-requests.ts'
import { errorResponseOf } from '../operations/operation.ts'
import { main } from '../testing/client.ts'
import type * as wire from '../contract/wire.ts'
import { QueueManager } from './queue-manager.ts'
import { entranceOf } from './entrance.ts'
import { Forgetful } from './forgetful.ts'
import { QueueRegistry } from './queue-registry.ts'

const dayMs = 24 * 60 * 60_000
/** Minutes: no run times out. */
const never = 4_294_967_295
const shop = 'github.com/acme/shop:main'

function server() {
  let now = 1_000 * dayMs
  const log: LogEntry[] = []
  const ports = {
    now: () => now,
    log: { append: (entry: LogEntry) => void log.push(entry), durable: () => undefined },
  }
  const manager = new QueueManager(new QueueRegistry(silent), ports)
  const faults: unknown[] = []
  const forgetful = new Forgetful(90, {
    enter: entranceOf(manager),
    now: () => now,
    onFault: (error) => void faults.push(error),
  })
  const send = (command: RecordedCommand): void => {
    const outcome = manager.send(shop, command)
    if (!outcome.accepted) throw new Error(outcome.rejection.code)
  }
  send({
    type: 'createQueue',
    incarnation: '0c9a5a2e-5b1f-4a33-8c1d-000000000001',
    set: { mode: 'parallel', concurrency: 1, testingTimeoutMinutes: never },
  })
  const queue = manager.registry.find(shop)
  if (!queue) throw new Error('no queue')
  const merge = (from: number, to: number): void => {
    for (let number = from; number <= to; number++) {
      send({ type: 'setImpactedTargets', number, targets: [`t${number}`] })
      send({ type: 'submitPullRequest', number, sha: `sha-${number}` })
      send({ type: 'finishTestRun', testRun: queue.engine.queue.last.testRun, outcome: 'passed' })
    }
  }
  const wait = (days: number): void => void (now += days * dayMs)
  const caller = { id: 'a', name: 'ci', scope: 'admin', repos: null, expiresAt: null } as const
  const hosting = { of: () => null, all: [] }
  const context = { manager, caller, hosting, stateCase: 'upper' } as const
  const forgets = (): LogEntry[] => log.filter(({ command }) => command.type === 'forget')
  return { queue, send, merge, wait, log, manager, forgetful, faults, context, forgets }
}

// A-144, E-211
test('given 1,200 that left 91 days ago, all are forgotten, 500 in each command', async () => {
  const { queue, merge, wait, forgetful, forgets, faults } = server()
  merge(1, 1200)
  wait(60)
  merge(2001, 2003)
  wait(31)

  await forgetful.forget()

  expect(faults).toEqual([])
  expect(Object.keys(queue.engine.queue.pullRequests)).toEqual(['2001', '2002', '2003'])
  expect(Object.keys(queue.engine.queue.impactedTargets)).toEqual(['2001', '2002', '2003'])
  expect([...queue.history.pullRequests.keys()]).toEqual([2001, 2002, 2003])
  expect(queue.history.testRuns.size).toBe(3)
  expect(queue.history.conclusions.numbers).toEqual([2001, 2002, 2003])
  expect(queue.history.reported.size).toBe(0)
  expect(forgets()).toHaveLength(3)
  await forgetful.forget()
  expect(forgets()).toHaveLength(3)
})

//
test('given a queue that stops at an error of its engine, the others forget all the same', async () => {
  const { queue, merge, wait, manager, forgetful, faults } = server()
  const next = 'github.com/acme/shop:next'
  merge(1, 3)
  const incarnation = '0c9a5a2e-5b1f-4a33-8c1d-000000000002'
  manager.send(next, { type: 'createQueue', incarnation, set: {} })
  manager.send(next, { type: 'submitPullRequest', number: 7 })
  manager.send(next, { type: 'cancelPullRequest', number: 7, reason: 'USER_REQUESTED' })
  wait(91)
  queue.engine.subscribe(() => {
    throw new Error('an error of the engine')
  })
  for (let hour = 0; hour < 2; hour++) await forgetful.forget()

  expect(manager.registry.find(next)?.engine.queue.pullRequests).toEqual({})
  expect(faults.map(String)).toEqual(['Error: an error of the engine'])
})

//
test('the response about a forgotten pull request says that it may be one, and pages end at them', async () => {
  const { merge, wait, forgetful, context } = server()
  merge(1, 3)
  wait(50)
  merge(4, 6)
  const list = (cursor?: string): wire.PullRequestPage => {
    const answer = listPullRequests(context, {
      ...main,
      take: 2,
      ...(cursor === undefined ? {} : { cursor }),
    })
    if (!('body' in answer)) throw new Error('refused')
    return answer.body
  }
  const numbersOf = ({ pullRequests }: wire.PullRequestPage) =>
    pullRequests.map((each) => each.prNumber)
  const first = list()
  expect(numbersOf(first)).toEqual([6, 5])
  wait(41)

  await forgetful.forget()

  // The cursor from before still means the same place.
  const second = list(first.nextCursor)
  expect(numbersOf(second)).toEqual([4])
  expect(second.nextCursor).toBeUndefined()
  const asked = getSubmittedPullRequest(context, { ...main, pr: { number: 1 } })
  if (!('rejection' in asked)) throw new Error('accepted')
  const until = new Date(1_000 * dayMs).toISOString()
  expect(errorResponseOf(asked.rejection)).toEqual({
    status: 404,
    text: `pull request 1 was never submitted, or left the queue by ${until}, up to when the server has forgotten`,
  })
})

//
test('an upload for a pull request that is never submitted is forgotten 90 days after the last', async () => {
  const { queue, send, wait, forgetful } = server()
  send({ type: 'setImpactedTargets', number: 7, targets: ['web'] })
  send({ type: 'setImpactedTargets', number: 8, targets: ['web'] })
  wait(60)
  send({ type: 'setImpactedTargets', number: 8, targets: ['api'] })
  wait(31)
  await forgetful.forget()
  expect(queue.engine.queue.impactedTargets).toEqual({ 8: ['api'] })
})

test('an upload that came after a pull request left keeps it, for its next submission', async () => {
  const { queue, send, merge, wait, forgetful } = server()
  merge(1, 2)
  wait(60)
  send({ type: 'setImpactedTargets', number: 1, targets: ['new'] })
  wait(31)
  await forgetful.forget()
  expect(queue.engine.queue.impactedTargets).toEqual({ 1: ['new'] })
})

test('what is in the queue is never forgotten, and nothing is while an older one is tested', async () => {
  const { queue, send, merge, wait, forgetful, forgets } = server()
  merge(1, 1)
  wait(1)
  for (const number of [2, 3]) {
    send({ type: 'setImpactedTargets', number, targets: ['t'] })
    send({ type: 'submitPullRequest', number })
  }
  send({ type: 'cancelPullRequest', number: 3, reason: 'USER_REQUESTED' })
  wait(200)
  await forgetful.forget()
  expect(Object.keys(queue.engine.queue.pullRequests)).toEqual(['2', '3'])
  await forgetful.forget()
  expect(forgets()).toHaveLength(1)
})

//
test('a replay of the log, and a snapshot, give the state that was left', async () => {
  const { merge, wait, forgetful, log, manager, send } = server()
  merge(1, 5)
  wait(91)
  send({ type: 'setImpactedTargets', number: 9, targets: ['web'] })
  await forgetful.forget()
  merge(3, 4)
  const state = manager.registry.state()

  const replayed = new QueueRegistry(silent)
  for (const entry of log) expect(replayed.apply(entry).accepted).toBe(true)
  expect(linesOfState(replayed.state())).toEqual(linesOfState(state))

  const read = stateOfLines(state, linesOfState(state))
  expect(linesOfState(read)).toEqual(linesOfState(state))
})
