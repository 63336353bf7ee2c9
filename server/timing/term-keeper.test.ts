import { expect, test } from 'vitest'
import { deferred } from '../files/turns.ts'
import { ManualTimers } from '../testing/manual-timers.ts'
import { TermKeeper, termMs } from './term-keeper.ts'

/** A database with one row, and a clock that all servers share. */
class World {
  readonly timers = new ManualTimers()
  readonly told: string[] = []
  isReachable = true
  #holder = ''
  #until = 0

  readonly terms = {
    take: (server: string): Promise<boolean> => {
      if (!this.isReachable) return Promise.reject(new Error('no route'))
      const now = this.timers.now()
      if (this.#holder !== server && this.#until > now) return Promise.resolve(false)
      this.#holder = server
      this.#until = now + termMs
      return Promise.resolve(true)
    },
    giveBack: (server: string): Promise<void> => {
      if (!this.isReachable) return Promise.reject(new Error('no route'))
      if (this.#holder === server) this.#until = 0
      return Promise.resolve()
    },
  }

  start(server: string, begins: () => Promise<void> = () => Promise.resolve()): TermKeeper {
    const keeper = new TermKeeper({
      server,
      terms: this.terms,
      timers: this.timers,
      isAble: () => true,
      begin: async () => {
        await begins()
        this.told.push(`${server} begins`)
        return {
          close: () => {
            this.told.push(`${server} ends`)
            return Promise.resolve()
          },
        }
      },
      onFault: (error) => this.told.push(`${server}: ${String(error)}`),
    })
    keeper.start()
    return keeper
  }

  /** Lets so many seconds pass, with all that happens in them. */
  async pass(seconds: number): Promise<void> {
    await settled()
    for (let tenths = 0; tenths < seconds * 10; tenths++) {
      this.timers.advance(100)
      await settled()
    }
  }
}

/** Nothing here waits for anything but promises that settle at once. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

test('given a stop, the work ends before another server begins, within a second', async () => {
  const world = new World()
  const one = world.start('one')
  world.start('other')
  await world.pass(3)
  await one.stop()
  expect(world.told).toEqual(['one begins', 'one ends'])
  await world.pass(1)
  expect(world.told).toEqual(['one begins', 'one ends', 'other begins'])
})

test('given a database that cannot be reached, the work ends before the term does', async () => {
  const world = new World()
  const one = world.start('one')
  await world.pass(2)
  world.isReachable = false
  await world.pass(2.9)
  // A fact that is told now could come too late.
  expect({ isSure: one.isSure, told: world.told }).toEqual({ isSure: true, told: ['one begins'] })
  await world.pass(1)
  expect({ isSure: one.isSure, told: world.told }).toEqual({ isSure: false, told: ['one begins'] })
  await world.pass(1.5)
  expect(world.told).toEqual(['one begins', 'one ends'])
  world.isReachable = true
  await world.pass(1)
  expect(world.told).toEqual(['one begins', 'one ends', 'one begins'])
})

test('given a server that was suspended while another took the term, it ends its work when it wakes', async () => {
  const world = new World()
  const one = world.start('one')
  await world.pass(1)
  await world.terms.giveBack('one')
  expect(await world.terms.take('other')).toBe(true)
  await world.pass(1)
  expect({ isSure: one.isSure, told: world.told }).toEqual({
    isSure: false,
    told: ['one begins', 'one ends'],
  })
})

test('given work that cannot begin, another server may try, and this one tries again later', async () => {
  const world = new World()
  let isBroken = true
  world.start('one', () => (isBroken ? Promise.reject(new Error('no disk')) : Promise.resolve()))
  await world.pass(4.9)
  expect(world.told).toEqual(['one: Error: no disk'])
  expect(await world.terms.take('other')).toBe(true)
  await world.terms.giveBack('other')
  isBroken = false
  await world.pass(0.1)
  expect(world.told).toEqual(['one: Error: no disk', 'one begins'])
})

test('given a stop while the work begins, it ends at once', async () => {
  const world = new World()
  const begun = deferred<void>()
  const one = world.start('one', () => begun.promise)
  await world.pass(1)
  const stopped = one.stop()
  expect(one.isSure).toBe(false)
  begun.resolve()
  await stopped
  expect(world.told).toEqual(['one begins', 'one ends'])
  expect(await world.terms.take('other')).toBe(true)
})

test('given an interruption, the work begins again', async () => {
  const world = new World()
  const one = world.start('one')
  await world.pass(1)
  one.interrupt()
  await world.pass(1)
  expect(world.told).toEqual(['one begins', 'one ends', 'one begins'])
})
