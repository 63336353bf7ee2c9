import { expect, test } from 'vitest'
import { inSlices } from './turns.ts'

/** Counts the turns of the event loop until stopped. */
function turns(): () => number {
  let count = 0
  let isOver = false
  const turn = (): void => {
    count++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return count
  }
}

test('the loop turns after each slice, and runs one slice of all works in each turn', async () => {
  const work = function* (slices: number): Generator<undefined, number> {
    for (let slice = 1; slice < slices; slice++) yield
    return slices
  }
  const counted = turns()

  expect(await Promise.all([inSlices(work(30)), inSlices(work(20)), inSlices(work(1))])).toEqual([
    30, 20, 1,
  ])

  // The first slice of each work runs at once.
  expect(counted()).toBeGreaterThanOrEqual(29 + 19)
})

test('an error of a slice is that of the work, and other works go on', async () => {
  const failing = function* (): Generator<undefined, never> {
    yield
    throw new Error('a fault')
  }
  const going = function* (): Generator<undefined, string> {
    yield
    yield
    return 'done'
  }
  const failed = inSlices(failing())
  const done = inSlices(going())
  await expect(failed).rejects.toThrow('a fault')
  expect(await done).toBe('done')
})
