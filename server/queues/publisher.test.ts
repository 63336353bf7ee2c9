import { expect, onTestFinished, test } from 'vitest'
import { Publisher, type AppliedCommand } from './publisher.ts'

const applied = (sequence: number): AppliedCommand => ({
  sequence,
  at: 0,
  epoch: null,
  queue: null,
  command: { type: 'wake' },
  events: [],
  notices: [],
})

/** What nobody has caught until the end of the test. */
function uncaught(): unknown[] {
  const found: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => {
    found.push(error)
  })
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException')
    for (const each of listeners) process.on('uncaughtException', each)
  })
  return found
}

test.each([
  ['at once', () => undefined],
  ['later', () => Promise.resolve()],
])(
  'given a subscriber that throws, and commands that are durable %s, the others hear all',
  async (_when, durable) => {
    const faults = uncaught()
    const publisher = new Publisher(durable)
    const heard: number[] = []
    publisher.subscribe(({ sequence }) => {
      if (sequence === 1) throw new Error('a fault of the first')
    })
    publisher.subscribe(({ sequence }) => heard.push(sequence))
    for (const sequence of [1, 2]) publisher.publish(applied(sequence))
    await expect.poll(() => faults).toEqual([new Error('a fault of the first')])
    publisher.publish(applied(3))
    await expect.poll(() => heard).toEqual([1, 2, 3])
  },
)
