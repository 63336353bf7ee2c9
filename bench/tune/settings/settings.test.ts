import { describe, expect, test } from 'vitest'
import { BadInput } from '../../../sim/scenario/bad-input.ts'
import { scenarioOf } from '../../../sim/testing/simulated.ts'
import { combinations, freeAxis, knownAxis } from './axes.ts'
import { candidatesOf, settingsOf } from './candidates.ts'
import { curlLine } from './curl.ts'

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

describe('the candidate settings', () => {
  const axes = [knownAxis('batch', '2,4'), knownAxis('wait', '0,5')]

  test('given a file that uses defaults, the current setting is found in the grid', () => {
    const found = candidatesOf(scenarioOf({ queue: { batch: true } }), axes)
    expect(found.filter(({ isToday }) => isToday).map(({ name }) => name)).toEqual([
      'batch size 4, wait 5 min',
    ])
    expect(found).toHaveLength(4)
  })

  test('given a current setting outside the grid, it is added', () => {
    const found = candidatesOf(scenarioOf({ queue: { batch: true, batchingMinSize: 3 } }), axes)
    expect(found).toHaveLength(5)
    expect(found.at(-1)).toMatchObject({ isToday: true, labels: {}, assignments: {} })
  })

  test('given a value that a queue cannot have, the error has its JSON location', () => {
    const axis = freeAxis('queue.testingTimeoutMinutes=0,5')
    expect(() => candidatesOf(scenarioOf({}), [axis])).toThrow('/queue/testingTimeoutMinutes')
  })

  test('given a grid that is too large, it is an error', () => {
    const many = Array.from({ length: 40 }, (_, index) => index + 1).join()
    const huge = [knownAxis('batch', many), knownAxis('concurrency', many)]
    expect(() => candidatesOf(scenarioOf({}), huge)).toThrow('at most 1000')
  })

  test('are written in the form of --set', () => {
    expect(settingsOf({ 'queue.batch': true, 'queue.mode': 'single' })).toEqual([
      'queue.batch=true',
      'queue.mode="single"',
    ])
  })
})

describe('the curl line', () => {
  test('names the queue, takes the token from the environment, and quotes for a shell', () => {
    expect(curlLine({ 'queue.batch': true, 'suite.minutes': 5 }, address)).toBe(
      `curl -fsS -X POST 'http://127.0.0.1:3000/v1/updateQueue' -H "x-api-token: $MERGEYARD_TOKEN" ` +
        `-H 'content-type: application/json' ` +
        `-d '{"repo":{"host":"github.com","owner":"acme","name":"shop"},"targetBranch":"o'\\''clock","batch":true}'`,
    )
  })

  test('is null if no setting of the queue changes', () => {
    expect(curlLine({ 'suite.minutes': 5 }, address)).toBeNull()
  })
})
