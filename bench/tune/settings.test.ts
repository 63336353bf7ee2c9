import { describe, expect, test } from 'vitest'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { combinations, configurationOf, freeAxis, knownAxis, laddersOf } from './axes.ts'
import type { TuneAxis } from './axes.ts'
import {
  ownCandidates,
  candidatesOf,
  curlLine,
  isAllowed,
  kindsOf,
  settingsOf,
} from './candidates.ts'
import type { Scenario } from '../../sim/scenario/scenario.ts'

const address = {
  server: 'http://127.0.0.1:3000/',
  repo: { host: 'github.com', owner: 'acme', name: 'shop' },
  branch: "o'clock",
}

describe('axes', () => {
  test('given a batch size, even 1, batching is on; given off, it is off', () => {
    const { values } = knownAxis('batch', '1,8,off')
    expect(values.map(({ assignments }) => assignments)).toEqual([
      { 'queue.batch': true, 'queue.batchingMinSize': 1 },
      { 'queue.batch': true, 'queue.batchingMinSize': 8 },
      { 'queue.batch': false },
    ])
  })

  test('--optimistic on,off sets canOptimisticallyMerge', () => {
    const { values } = knownAxis('optimistic', 'on,off')
    expect(values.map(({ assignments }) => assignments)).toEqual([
      { 'queue.canOptimisticallyMerge': true },
      { 'queue.canOptimisticallyMerge': false },
    ])
  })

  test('given any field, its values are parsed as JSON or text; a JSON list is one value', () => {
    expect(freeAxis('suite.minutes=5,10').values.map(({ assignments }) => assignments)).toEqual([
      { 'suite.minutes': 5 },
      { 'suite.minutes': 10 },
    ])
    expect(freeAxis('queue.mode=single,parallel').values).toHaveLength(2)
    expect(freeAxis('traffic.arrivals.perHour=[1,2]').values).toHaveLength(1)
  })

  test.each([
    ['batch', '0'],
    ['batch', '2,'],
    ['wait', '-1'],
    ['concurrency', '0'],
    ['optimistic', 'yes'],
    ['policy', 'both'],
    ['depth', '1.5'],
  ] as const)('--%s %s is an error', (name, list) => {
    expect(() => knownAxis(name, list)).toThrow(BadInput)
  })

  test('given the same value twice, it is an error', () => {
    expect(() => knownAxis('wait', '5,5')).toThrow('each value once')
  })

  test('all combinations, and the last axis varies fastest', () => {
    const rows = combinations([knownAxis('batch', '1,2'), knownAxis('wait', '0,5')])
    expect(rows.map((row) => row.map(({ label }) => label).join())).toEqual([
      '1,0',
      '1,5',
      '2,0',
      '2,5',
    ])
  })
})

describe('the default ladders', () => {
  const labels = (axes: readonly TuneAxis[]): string[] =>
    axes.map(({ name, values }) => `${name} ${values.map(({ label }) => label).join(' ')}`)

  test("given today's values outside of them, they have these as well, in order", () => {
    const queue = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 7, concurrency: 9 }
    const scenario = scenarioOf({ queue: { ...queue, pendingFailureDepth: 4 } })
    const { grid, steps } = laddersOf(scenario, false)
    expect(labels(grid)).toEqual([
      'batch off 2 3 4 8 16',
      'concurrency 4 9 18',
      'optimistic off on',
      'policy adaptive',
    ])
    expect(labels(steps)).toEqual([
      'batch off 2 3 4 8 16',
      'wait 0 2 5 7 10',
      'concurrency 4 9 18',
      'depth 0 1 2 4',
      'optimistic off on',
      'policy documented adaptive',
      'bisection 4 9 18',
    ])
  })

  test('given targets, both modes are tried; given one slot, none is halved', () => {
    const traffic = { targets: { names: ['a', 'b'] } }
    const found = labels(laddersOf(scenarioOf({ queue: { concurrency: 1 }, traffic }), false).grid)
    expect(found).toContain('mode single parallel')
    expect(found).toContain('concurrency 1 2')
  })

  // S-71
  test('given a long search, the steps are finer, with three times as many slots besides', () => {
    const { steps } = laddersOf(scenarioOf({ queue: { concurrency: 4, batch: true } }), true)
    expect(labels(steps).slice(0, 3)).toEqual([
      'batch off 2 3 4 6 8 12 16',
      'wait 0 1 2 3 5 7 10 15',
      'concurrency 2 3 4 6 8 12',
    ])
  })
})

describe('the candidate settings', () => {
  const axes = [knownAxis('batch', 'off,2,4'), knownAxis('wait', '0,5')]
  const candidates = (
    queue: NonNullable<Scenario['queue']>,
    { of = axes, most = 256 }: { readonly of?: readonly TuneAxis[]; readonly most?: number } = {},
  ) => candidatesOf(ownCandidates(scenarioOf({ queue }), of), of, { most, isAllowed: () => true })
  const names = (found: ReturnType<typeof candidates>): string[] => found.map(({ name }) => name)

  test("given a file that uses defaults, today's setting comes first, then its neighbours", () => {
    const found = candidates({ batch: true })
    expect(names(found)).toEqual([
      "today's setting",
      'batch size 2',
      'wait 0 min',
      'no batches',
      'batch size 2, wait 0 min',
    ])
    expect(found.filter(({ isToday }) => isToday)).toEqual([found[0]])
    expect(names(candidates({ batch: true }, { most: 3 }))).toEqual(names(found).slice(0, 3))
  })

  test('given no batches, the wait has no effect, so it makes one setting', () => {
    const off = candidates({ batch: true }).filter(({ labels }) => labels['batch'] === 'off')
    expect(off.map(({ labels, assignments }) => [labels, assignments])).toEqual([
      [{ batch: 'off', wait: '-' }, { 'queue.batch': false }],
    ])
  })

  test("given today's setting outside the axes, it is added, and every name says what differs", () => {
    const found = candidates({ batch: true, batchingMinSize: 3 })
    expect(found[0]).toMatchObject({ isToday: true, assignments: {}, labels: { batch: '3' } })
    expect(names(found)).toContain('batch size 4')
    expect(found).toHaveLength(6)
  })

  test('a setting assigns only what differs from today', () => {
    const slots = [knownAxis('concurrency', '5,10'), knownAxis('bisection', '5,10')]
    const found = candidates({}, { of: slots })
    expect(found.map(({ assignments }) => assignments)).toEqual([
      {},
      { 'queue.bisectionConcurrency': 10 },
      { 'queue.concurrency': 10, 'queue.bisectionConcurrency': 5 },
      { 'queue.concurrency': 10 },
    ])
  })

  test('given a value that a queue cannot have, the error has its JSON location', () => {
    const of = [freeAxis('queue.testingTimeoutMinutes=0,5')]
    expect(() => candidates({}, { of })).toThrow('/queue/testingTimeoutMinutes')
  })

  test('given far too many combinations, it is an error', () => {
    const many = Array.from({ length: 400 }, (_, index) => index + 1).join()
    const of = [knownAxis('batch', many), knownAxis('concurrency', many)]
    expect(() => candidates({}, { of })).toThrow('at most 100000')
  })

  test('are written in the form of --set', () => {
    expect(settingsOf({ 'queue.batch': true, 'queue.mode': 'single' })).toEqual([
      'queue.batch=true',
      'queue.mode="single"',
    ])
  })
})

test.each([
  [{}, []],
  [{ batch: true, batchingMinSize: 1 }, []],
  [{ batch: true }, ['mid-batch']],
  [
    { canOptimisticallyMerge: true, mode: 'parallel' },
    ['cleared-by-successor', 'disjoint-targets'],
  ],
  [{ directMergeMode: 'always' }, ['direct']],
] as const)('unproven merges: %j can make %j', (queue, kinds) => {
  const configuration = configurationOf(scenarioOf({ queue }))
  expect(kindsOf(configuration)).toEqual(kinds)
  expect(isAllowed({ kinds: kindsOf(configuration) }, kinds)).toBe(true)
  expect(isAllowed({ kinds: kindsOf(configuration) }, [])).toBe(kinds.length === 0)
})

describe('the curl line', () => {
  test('names the queue, takes the token from the environment, and quotes for a shell', () => {
    expect(curlLine({ 'queue.batch': true, 'suite.minutes': 5 }, address)).toBe(
      `curl -fsS -X POST http://127.0.0.1:3000/v1/updateQueue -H "x-api-token: $MERGEYARD_TOKEN" ` +
        `-H 'content-type: application/json' ` +
        `-d '{"repo":{"host":"github.com","owner":"acme","name":"shop"},"targetBranch":"o'\\''clock","batch":true}'`,
    )
  })

  test('is null if no setting of the queue changes', () => {
    expect(curlLine({ 'suite.minutes': 5 }, address)).toBeNull()
  })
})
