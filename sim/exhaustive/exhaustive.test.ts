import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { runExhaustive } from '../command-line/run-exhaustive.ts'
import { checkScenario } from '../scenario/load.ts'
import { blocks, casesIn } from './cases.ts'
import { interleavings, resultOrders } from './orders.ts'

const shown = (order: ReturnType<typeof interleavings>[number]): string =>
  order.map(({ kind, number }) => `${kind === 'submission' ? 's' : 'r'}${number}`).join(' ')

describe('orders', () => {
  test('are every way to come and to get a result, without those that differ in names alone', () => {
    expect(interleavings(2).map(shown)).toEqual(['s1 s2 r1 r2', 's1 s2 r2 r1', 's1 r1 s2 r2'])
    expect([1, 2, 3, 4].map((count) => interleavings(count).length)).toEqual([1, 3, 15, 105])
    expect([1, 2, 3, 4].map((count) => resultOrders(count).length)).toEqual([1, 2, 6, 24])
  })
})

describe('cases', () => {
  const cases = [...blocks(2)].flatMap((block) => [...casesIn(block)])

  test('are all different, and scenarios that can be run', () => {
    expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(cases.length)
    expect(() => cases.map((each) => checkScenario(each, 'a case'))).not.toThrow()
  })

  test('are as many as the README says', () => {
    const inBlock = new Map<number, number>()
    const counts = [0, 0, 0, 0]
    for (const block of blocks(4)) {
      const size = block.cancels.length
      const known = inBlock.get(size) ?? [...casesIn(block)].length
      inBlock.set(size, known)
      counts[size - 1] = (counts[size - 1] ?? 0) + known
    }
    expect(counts).toEqual([126, 5_184, 330_480, 1_290_240])
  })

  test('put results in the order that was meant, and cancels beside them', () => {
    const both = cases.find(({ events }) => events?.length === 2)
    expect(both).toMatchObject({
      pullRequests: [
        { number: 1, at: 0, testMinutes: 10 },
        { number: 2, at: 0, testMinutes: 20 },
      ],
      events: [
        { at: 9, do: 'cancel', number: 1 },
        { at: 19, do: 'cancel', number: 2 },
      ],
    })
  })
})

describe('--exhaustive', () => {
  test('goes through all cases of up to two pull requests, and every property holds', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const { signal } = new AbortController()
    const said = textOf(stdout)
    const around = { stdout, stderr, signal, env: {} }
    const code = await runExhaustive({ json: true, writesFiles: false }, around, 2)
    stdout.end()
    const wanted = [...blocks(2)].reduce((sum, block) => sum + [...casesIn(block)].length, 0)
    expect(JSON.parse(await said)).toMatchObject({ cases: wanted, failed: 0, first: null })
    expect(code).toBe(0)
  })
})
