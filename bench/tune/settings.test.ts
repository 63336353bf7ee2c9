import { describe, expect, test } from 'vitest'
import { BadInput } from '../../sim/scenario/bad-input.ts'
import { scenarioOf } from '../../sim/testing/played.ts'
import { combinations, freeAxis, knownAxis } from './axes.ts'
import { candidatesOf, settingsOf } from './candidates.ts'
import { curlLine } from './curl.ts'

const address = {
  server: 'http://127.0.0.1:3000/',
  repo: { host: 'github.com', owner: 'acme', name: 'shop' },
  branch: "o'clock",
}

describe('axes', () => {
  test('a batch size switches batching on, 1 included; off switches it off', () => {
    const { values } = knownAxis('batch', '1,8,off')
    expect(values.map(({ assignments }) => assignments)).toEqual([
      { 'queue.batch': true, 'queue.batchingMinSize': 1 },
      { 'queue.batch': true, 'queue.batchingMinSize': 8 },
      { 'queue.batch': false },
    ])
  })

  test('any field: JSON where it parses, else text; a list stays one value', () => {
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
  ] as const)('--%s %s is refused', (name, list) => {
    expect(() => knownAxis(name, list)).toThrow(BadInput)
  })

  test('a value given twice is refused', () => {
    expect(() => knownAxis('wait', '5,5')).toThrow('each value once')
  })

  test('everything with everything, the last turning fastest', () => {
    const rows = combinations([knownAxis('batch', '1,2'), knownAxis('wait', '0,5')])
    expect(rows.map((row) => row.map(({ label }) => label).join())).toEqual([
      '1,0',
      '1,5',
      '2,0',
      '2,5',
    ])
  })
})

describe('the settings that are tried', () => {
  const axes = [knownAxis('batch', '2,4'), knownAxis('wait', '0,5')]

  test("today's is found in the grid, whatever the file leaves to the defaults", () => {
    const found = candidatesOf(scenarioOf({ queue: { batch: true } }), axes)
    expect(found.filter(({ isToday }) => isToday).map(({ name }) => name)).toEqual([
      'batch size 4, wait 5 min',
    ])
    expect(found).toHaveLength(4)
  })

  test("today's is added where it is outside the grid", () => {
    const found = candidatesOf(scenarioOf({ queue: { batch: true, batchingMinSize: 3 } }), axes)
    expect(found).toHaveLength(5)
    expect(found.at(-1)).toMatchObject({ isToday: true, labels: {}, assignments: {} })
  })

  test('a value that a queue cannot have is refused, by its place', () => {
    const axis = freeAxis('queue.testingTimeoutMinutes=0,5')
    expect(() => candidatesOf(scenarioOf({}), [axis])).toThrow('/queue/testingTimeoutMinutes')
  })

  test('a grid that nobody could wait for is refused', () => {
    const many = Array.from({ length: 40 }, (_, index) => index + 1).join()
    const huge = [knownAxis('batch', many), knownAxis('concurrency', many)]
    expect(() => candidatesOf(scenarioOf({}), huge)).toThrow('at most 1000')
  })

  test('can be given to --set', () => {
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

  test('is not there where nothing of the queue is set', () => {
    expect(curlLine({ 'suite.minutes': 5 }, address)).toBeNull()
  })
})
