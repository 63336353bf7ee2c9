import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { overCores, type Spread } from '../../../sim/campaign/over-cores.ts'
import { runExhaustive } from '../../../sim/cli/checks.ts'
import type { StepReader } from '../../../sim/observe/run-context.ts'
import { simulate } from '../../../sim/run/simulate.ts'
import { checkScenario } from '../../../sim/scenario/check.ts'
import { blocks, casesIn } from '../../../sim/exhaustive/cases.ts'
import { interleavings, resultOrders } from '../../../sim/exhaustive/orders.ts'

const shown = (order: ReturnType<typeof interleavings>[number]): string =>
  order.map(({ kind, number }) => `${kind === 'submission' ? 's' : 'r'}${number}`).join(' ')

describe('orders', () => {
  test('are all orders of submissions and results, without those that differ only in numbers', () => {
    expect(interleavings(2).map(shown)).toEqual(['s1 s2 r1 r2', 's1 s2 r2 r1', 's1 r1 s2 r2'])
    expect([1, 2, 3, 4].map((count) => interleavings(count).length)).toEqual([1, 3, 15, 105])
    expect([1, 2, 3, 4].map((count) => resultOrders(count).length)).toEqual([1, 2, 6, 24])
  })
})

/** Reads a run, and notes what the adaptive policy did in it. */
function noting(seen: Set<string>): StepReader {
  return ({ events }) => {
    for (const event of events) {
      if (event.type === 'groupFailed' && event.aside) seen.add('aside')
      if (event.type === 'groupScreened') seen.add('screened')
      if (event.type === 'bisectionStarted' && event.members.length === 1) seen.add('bisected')
    }
  }
}

describe('cases', () => {
  const cases = [...blocks(2)].flatMap((block) => [...casesIn(block)])

  test('are all different and valid scenarios', () => {
    expect(new Set(cases.map((each) => JSON.stringify(each))).size).toBe(cases.length)
    expect(() => cases.map((each) => checkScenario(each, 'a case'))).not.toThrow()
  })

  test('have the count that the README states', () => {
    const inBlock = new Map<string, number>()
    const [plain, adaptive] = [
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]
    for (const block of blocks(4)) {
      const { name, count, isAdaptive } = block.scope
      const key = `${name} ${count}`
      const known = inBlock.get(key) ?? [...casesIn(block)].length
      inBlock.set(key, known)
      const counts = isAdaptive ? adaptive : plain
      counts[count - 1] = (counts[count - 1] ?? 0) + known
    }
    expect(plain).toEqual([126, 5_184, 367_200, 418_608])
    expect(adaptive).toEqual([32, 960, 87_648, 90_624])
  })

  test('given the scopes of the adaptive policy, all that it decides comes about', () => {
    const seen = new Set<string>()
    const few = [...blocks(4)].filter(
      ({ scope }) => scope.name.startsWith('in doubt') || scope.isCrowded,
    )
    for (const block of few.filter((_, index) => index % 160 === 0)) {
      for (const scenario of casesIn(block)) {
        simulate(scenario, { isUnhashed: true, observers: [() => noting(seen)] })
      }
    }
    expect([...seen].toSorted()).toEqual(['aside', 'bisected', 'screened'])
  })

  test('have results in the given order, and cancels shortly before them', () => {
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

/** One of so many blocks is taken. A block has the cases of one order and one choice of cancels. */
const oneOf = process.env['MERGEYARD_EXHAUSTIVE'] === 'all' ? 1 : 11

const isTaken = (_: unknown, index: number): boolean => index % oneOf === 0

const someBlocks: Spread = (work) => overCores({ ...work, tasks: [...work.tasks].filter(isTaken) })

describe('--exhaustive', () => {
  test('given up to two pull requests, checks the cases, and every property holds', async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const { signal } = new AbortController()
    const output = textOf(stdout)
    const context = { stdout, stderr, signal, env: {} }
    const options = { json: true, writesFiles: false, spread: someBlocks }
    const code = await runExhaustive(options, context, 2)
    stdout.end()
    const expected = [...blocks(2)]
      .filter(isTaken)
      .reduce((sum, block) => sum + [...casesIn(block)].length, 0)
    expect(JSON.parse(await output)).toMatchObject({ cases: expected, failed: 0, first: null })
    expect(code).toBe(0)
  })
})
