/** What one server on a shared log does to the others: to other queues, and to whoever waits for the lock. */

import { expect, test } from 'vitest'
import { testRunId } from '../identity/ids.ts'
import { Replica } from './replica.ts'
import { LogInMemory } from './testing/log-in-memory.ts'

const queues = ['github.com/acme/shop:main', 'github.com/acme/shop:next'] as const
const hourMs = 3_600_000

/** Two queues, of which each tests a pull request that times out after an hour. */
async function begin() {
  const log = new LogInMemory()
  const faults: string[] = []
  const dues: (number | null)[] = []
  const opened = (): Replica =>
    new Replica({
      database: log,
      onFault: (error) => faults.push(String(error)),
      onDue: (inMs) => dues.push(inMs),
      saveEvery: 6,
    })
  const replica = opened()
  for (const [at, name] of queues.entries()) {
    await replica.enter('write', (manager) => {
      const incarnation = `00000000-0000-8000-8000-00000000000${at}`
      manager.send(name, { type: 'createQueue', incarnation, set: { testingTimeoutMinutes: 60 } })
      manager.send(name, { type: 'submitPullRequest', number: 7 })
    })
  }
  const statesOn = (server: Replica) =>
    server.enter('read', ({ registry }) =>
      [...registry.running].map(({ engine }) => engine.queue.pullRequests[7]?.state),
    )
  return { log, replica, faults, dues, opened, statesOn }
}

//
test('given an engine that fails when its queue is woken, the others are woken, and what it has left is not saved', async () => {
  const { log, replica, faults, dues, opened, statesOn } = await begin()
  const [main, next] = queues
  replica.register?.manager.registry.find(main)?.engine.subscribe(() => {
    throw new Error('an error of the engine')
  })
  log.now = hourMs + 1_000

  await replica.wakeDue()

  expect(faults).toEqual(['Error: an error of the engine'])
  expect(await statesOn(replica)).toEqual(['FAILED'])
  // Nobody rings for it again and again.
  expect(dues.at(-1)).toBeNull()
  const asked = replica.enter('read', ({ registry }) => registry.find(main))
  await expect(asked).rejects.toThrow('stopped after an internal error')
  for (const number of [8, 9]) {
    await replica.enter('write', (manager) =>
      manager.send(next, { type: 'submitPullRequest', number }),
    )
  }
  await replica.save()
  expect(log.saved).toBeNull()
  expect(await statesOn(opened())).toEqual(['TESTING', 'FAILED'])
})

test('given a read that comes with a write, it begins when the turn is over, and sees what was written', async () => {
  const { log, replica } = await begin()
  const [main] = queues
  const submission = replica.enter('write', (manager) =>
    manager.send(main, { type: 'submitPullRequest', number: 8 }),
  )
  const seen = await replica.enter('read', ({ registry }) => {
    const { state } = registry.find(main)?.engine.queue.pullRequests[8] ?? {}
    return { isLocked: log.isLocked, state }
  })
  expect(await submission).toMatchObject({ accepted: true })
  expect(seen).toEqual({ isLocked: false, state: 'TESTING' })
})

test('given a server that must load the log before it can write, it takes its turn when that is done', async () => {
  const { log, opened } = await begin()
  const submission = opened().enter('write', (manager) =>
    manager.send(queues[0], { type: 'submitPullRequest', number: 8 }),
  )
  expect(await submission).toMatchObject({ accepted: true })
  expect(log.readInTurns).toBe(0)
})

//
test.each(['goes on', 'is started anew', 'does not know of its last commit'])(
  'given an older copy of the log and a server that %s, no run gets the id of one that is lost',
  async (what) => {
    const { log, replica, opened } = await begin()
    const [main] = queues
    const runOn = async (server: Replica, number: number) => {
      const submitted = server.enter('write', (manager) =>
        manager.send(main, { type: 'submitPullRequest', number }),
      )
      await submitted.catch(() => undefined)
      return lastRunOn(opened())
    }
    const lastRunOn = (server: Replica) =>
      server.enter('read', ({ registry }) => {
        const { ids, engine } = registry.find(main) ?? {}
        return ids && engine ? testRunId(ids, engine.queue.last.testRun) : ''
      })
    const restore = log.copy()
    log.isSilent = what === 'does not know of its last commit'
    const lost = await runOn(replica, 8)
    log.isSilent = false
    restore()
    const server = what === 'is started anew' ? opened() : replica
    const next = await runOn(server, 9)
    expect(next).not.toBe(lost)
    // The runs have one number.
    expect(next.slice(-8)).toBe(lost.slice(-8))
    const epoch = await server.enter('read', ({ registry }) => registry.lostEpochOf(lost))
    expect(epoch).not.toBeNull()
  },
)
