import { expect, test } from 'vitest'
import type { AppliedCommand } from '../queues/publisher.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { CommittedOnDemand } from './committed.ts'
import { Replica } from './replica.ts'
import { deferred } from '../files/turns.ts'
import { type ManagerOutcome, done } from '../queues/queue-registry.ts'
import { LogInMemory } from './testing/log-in-memory.ts'
import { Sent } from './work-in-term.ts'

const queue = 'github.com/acme/shop:main'
const incarnation = '00000000-0000-8000-8000-000000000001'

type World = {
  readonly log: LogInMemory
  readonly replica: Replica
  readonly timers: ManualTimers
  readonly demand: CommittedOnDemand
  readonly received: string[]
}

/** A log with a saved state behind the creation of a queue, and one command after that. */
async function begin(): Promise<World> {
  const log = new LogInMemory()
  const replica = new Replica({ database: log })
  await replica.enter('write', (manager) =>
    manager.send(queue, { type: 'createQueue', incarnation, set: {} }),
  )
  await replica.save()
  await submit(replica, 1)
  log.reads = 0
  const timers = new ManualTimers()
  const onFault = (error: unknown): never => {
    throw error
  }
  const demand = new CommittedOnDemand({ database: log, enter: replica.enter, timers, onFault })
  const received: string[] = []
  demand.subscribe(({ command }: AppliedCommand) => received.push(command.type))
  return { log, replica, timers, demand, received }
}

const submit = (replica: Replica, number: number): Promise<unknown> =>
  replica.enter('write', (manager) => manager.send(queue, { type: 'submitPullRequest', number }))

const shown = ({ demand }: World): string[] =>
  Object.keys(demand.registry.find(queue)?.engine.queue.pullRequests ?? {})

test('given nobody asks, the log is not read; who asks sees all of it, and what led there', async () => {
  const world = await begin()
  const { log, timers, demand, received } = world
  expect({ reads: log.reads, waits: timers.waits }).toEqual({ reads: 0, waits: [] })
  expect(() => demand.registry).toThrow('nobody has asked')

  await Promise.all([demand.open(), demand.open()])
  expect(log.reads).toBe(1)
  expect(received).toEqual(['submitPullRequest'])
  expect(shown(world)).toEqual(['1'])

  await submit(world.replica, 2)
  timers.advance(250)
  await expect.poll(() => shown(world)).toEqual(['1', '2'])
  expect(received).toEqual(['submitPullRequest', 'submitPullRequest'])
})

test('given a log that cannot be read, who asks is told, and the next one tries again', async () => {
  const world = await begin()
  const { log, timers, demand } = world
  log.isBroken = true
  await expect(demand.open()).rejects.toThrow('the connection is broken')
  expect(timers.waits).toEqual([])
  log.isBroken = false
  await demand.open()
  expect(shown(world)).toEqual(['1'])
  expect(timers.waits).toHaveLength(1)
})

test('given a close while it is opened, nothing follows the log afterwards', async () => {
  const { timers, demand, received } = await begin()
  const opening = demand.open()
  await demand.close()
  await opening
  expect(timers.waits).toEqual([])
  expect(received).toEqual(['submitPullRequest'])
  await expect(demand.open()).rejects.toThrow('the server is stopping')
})

const wake = { type: 'wake' } as const

test('settles when all that was sent is seen, also what was refused', async () => {
  const outcomes = [deferred<ManagerOutcome>(), deferred<ManagerOutcome>()]
  const asked = [...outcomes]
  const sent = new Sent(() => asked.shift()?.promise ?? Promise.reject(new Error('no more')))
  expect(sent.settled()).toBeUndefined()
  sent.send(wake)
  sent.send(wake)
  let isSettled = false
  const settled = (async () => {
    await sent.settled()
    isSettled = true
  })()
  outcomes[0]?.resolve(done(1))
  await Promise.resolve()
  expect(isSettled).toBe(false)
  outcomes[1]?.resolve({ accepted: false, rejection: { code: 'test run is over' } })
  await settled
  expect(sent.settled()).toBeUndefined()
})

test('a fault is told once, also to who asks later, and then forgotten', async () => {
  const sent = new Sent(() => Promise.reject(new Error('the store cannot be reached')))
  sent.send(wake)
  await new Promise((resolve) => void setImmediate(resolve))
  await expect(sent.settled()).rejects.toThrow('the store cannot be reached')
  expect(sent.settled()).toBeUndefined()
})
