import { describe, expect, test } from 'vitest'
import { ChunkSize, KnownAhead } from './coordinator.ts'

describe('the size of a chunk', () => {
  test('is one task until a worker has answered', () => {
    expect(new ChunkSize().next(1000, 4)).toBe(1)
  })

  test('grows by four at a time until a chunk takes about two seconds', () => {
    const size = new ChunkSize()
    const sizes = Array.from({ length: 5 }, () => {
      size.answered(1, 20)
      return size.next(100_000, 2)
    })
    expect(sizes).toEqual([4, 16, 64, 100, 100])
  })

  test('is one if a task takes longer than that', () => {
    const size = new ChunkSize()
    size.answered(1, 60_000)
    expect(size.next(1000, 1)).toBe(1)
  })

  test('shrinks towards the end, so that nobody waits long for the slowest', () => {
    const size = new ChunkSize()
    for (let step = 0; step < 5; step++) {
      size.answered(1, 20)
      size.next(100_000, 2)
    }
    expect([600, 300, 60, 6, 1].map((left) => size.next(left, 2))).toEqual([100, 50, 10, 1, 1])
  })
})

describe('tasks that are read ahead', () => {
  test('given endless ones, reads no more than asked for', () => {
    let read = 0
    function* endless(): Generator<number> {
      for (;;) yield read++
    }
    const tasks = new KnownAhead(endless())
    expect(tasks.knowing(5)).toBe(5)
    expect([tasks.take(3), tasks.take(3)]).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ])
    expect(read).toBe(6)
  })

  test('given an end, says how many are left', () => {
    const tasks = new KnownAhead([1, 2, 3])
    expect(tasks.knowing(10)).toBe(3)
    expect([tasks.take(2), tasks.take(2), tasks.take(2)]).toEqual([[1, 2], [3], []])
  })
})
