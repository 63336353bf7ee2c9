import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BadInput } from '../../server/terminal/bad-input.ts'
import { parseScenario } from './check.ts'
import { loadScenario } from './load.ts'
import type { Scenario } from './scenario.ts'
import { applySettings } from './settings.ts'
import { temporaryFolder } from '../../server/terminal/testing/temporary-folder.ts'

function linesOf(read: () => unknown): readonly string[] {
  try {
    read()
  } catch (error) {
    if (error instanceof BadInput) return error.lines
    throw error
  }
  return []
}

const faultsOf = (document: object): readonly string[] =>
  linesOf(() => parseScenario(JSON.stringify({ name: 'x', ...document }), 'x.json')).map((line) =>
    line.replace('x.json: ', ''),
  )

describe('a scenario file', () => {
  test('is read without changes', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'small.json')
    writeFileSync(path, '{"name": "small", "pullRequests": [{"number": 1}]}')
    expect(loadScenario(path)).toEqual({ name: 'small', pullRequests: [{ number: 1 }] })
  })

  test('needs only a name', () => {
    expect(faultsOf({})).toEqual([])
    expect(linesOf(() => parseScenario('{}', 'x.json'))).toEqual([
      'x.json: /name: expected a string, got nothing',
    ])
  })

  test('that does not exist is reported as a fault', () => {
    expect(linesOf(() => loadScenario('no/such.json'))).toEqual([
      'no/such.json: file: expected a file that can be read, got no such file or directory (ENOENT)',
    ])
  })

  test('that is not an object is a fault of the whole document', () => {
    expect(linesOf(() => parseScenario('[]', 'x.json'))).toEqual([
      'x.json: the whole document: expected an object, got []',
    ])
  })
})

describe('faults by the schema', () => {
  test('every fault is reported in one line with its JSON pointer', () => {
    expect(
      faultsOf({
        seed: 1.5,
        queue: { concurrency: 0, mode: 'fast', batch: 'yes' },
        suite: { minutes: -1 },
        traffic: { count: 10_000_001, breakRate: 2 },
      }),
    ).toEqual([
      '/seed: expected an integer, got 1.5',
      '/queue/mode: expected one of single, parallel, got "fast"',
      '/queue/concurrency: expected at least 1, got 0',
      '/queue/batch: expected a boolean, got "yes"',
      '/suite/minutes: expected at least 0, got -1',
      '/traffic/count: expected at most 10000000, got 10000001',
      '/traffic/breakRate: expected at most 1, got 2',
    ])
  })

  test('unknown keys are faults at any depth', () => {
    const lines = faultsOf({
      colour: 1,
      queue: { 'a/b~c': 1 },
      pullRequests: [{ number: 1, break: true }],
    })
    expect(lines.map((line) => line.split(': ')[0])).toEqual([
      '/colour',
      '/queue/a~1b~0c',
      '/pullRequests/0/break',
    ])
    expect(lines[0]).toContain('no such key, only $schema, name, ')
    expect(lines[2]).toContain('no such key (did you mean breaks?), only number, at, breaks,')
  })

  test('an event is checked by the schema of its "do"', () => {
    expect(
      faultsOf({
        pullRequests: [{ number: 1 }],
        events: [
          { do: 'explode', number: 1 },
          { do: 'cancel' },
          { do: 'pushToBranch', number: 1 },
          { do: 'updateQueue', set: {} },
          { do: 'setMergeable', number: 1, mergeable: 'no' },
          {},
        ],
      }),
    ).toEqual([
      expect.stringMatching(/^\/events\/0\/do: expected one of submit, cancel, .*, got "explode"$/),
      '/events/1/number: expected a value, got nothing',
      '/events/2/number: expected no such key, only at, do, breaks, mends, got 1',
      '/events/3/set: expected at least 1 entry, got {}',
      '/events/4/mergeable: expected a boolean, got "no"',
      expect.stringMatching(/^\/events\/5\/do: expected one of submit,/),
    ])
  })

  test('a length is a number or one of three distributions', () => {
    const choice = 'expected exactly one of { median, p95 }, { uniform }, { exponential }'
    expect(faultsOf({ suite: { minutes: { median: 3 } } })).toEqual([
      `/suite/minutes: ${choice}, got {"median":3}`,
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [1, 2], exponential: 3 } } })).toEqual([
      `/suite/minutes: ${choice}, got {"uniform":[1,2],"exponential":3}`,
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [1] } } })).toEqual([
      '/suite/minutes/uniform: expected at least 2 entries, got [1]',
    ])
  })

  test('a name that is too long or empty is a fault', () => {
    expect(faultsOf({ name: '' })).toEqual(['/name: expected a non-empty string, got ""'])
    expect(faultsOf({ name: 'x'.repeat(81) })).toEqual([
      `/name: expected at most 80 characters, got "${'x'.repeat(59)}...`,
    ])
  })
})

describe('faults in the meaning', () => {
  test('a number that is used twice, or that the traffic uses', () => {
    expect(
      faultsOf({
        pullRequests: [{ number: 7 }, { number: 7 }, { number: 1001 }, { number: 1003 }],
        traffic: { count: 2 },
      }),
    ).toEqual([
      '/pullRequests/1/number: expected a number that /pullRequests/0 does not have, got 7',
      '/pullRequests/2/number: expected a number outside 1001 to 1002, which the traffic uses, got 1001',
    ])
  })

  test('a reference to a pull request that does not exist, or to itself', () => {
    const unknown = 'expected the number of a pull request of this scenario'
    expect(
      faultsOf({
        pullRequests: [{ number: 1, breaksWith: [2], fixes: [1001, 1003], conflictsWith: [1] }],
        traffic: { count: 2 },
        events: [
          { do: 'cancel', number: 1002 },
          { do: 'cancel', number: 9 },
          { do: 'submit', number: 1, dependsOn: [1001, 7] },
        ],
        expect: { merged: [1, 8], mergeOrder: [3], states: [{ at: 1, number: 4, is: 'MERGED' }] },
      }),
    ).toEqual([
      `/pullRequests/0/breaksWith/0: ${unknown}, got 2`,
      `/pullRequests/0/fixes/1: ${unknown}, got 1003`,
      `/events/1/number: ${unknown}, got 9`,
      `/events/2/dependsOn/1: ${unknown}, got 7`,
      `/expect/merged/1: ${unknown}, got 8`,
      `/expect/mergeOrder/0: ${unknown}, got 3`,
      `/expect/states/0/number: ${unknown}, got 4`,
      '/pullRequests/0/conflictsWith/0: expected a pull request other than itself, got 1',
    ])
  })

  // S-300
  test('pull requests that depend on each other in a circle, which no event opens', () => {
    const pullRequests = [
      { number: 1, dependsOn: [2] },
      { number: 2, dependsOn: [5, 3] },
      { number: 3, dependsOn: [4] },
      { number: 4, dependsOn: [2] },
      { number: 5 },
    ]
    expect(faultsOf({ pullRequests })).toEqual([
      '/pullRequests/1/dependsOn: expected nobody that depends on 2 (3 depends on 4, 4 depends on 2), got [5,3]',
    ])
    expect(faultsOf({ pullRequests, events: [{ do: 'manualMerge', number: 4 }] })).toEqual([])
    expect(faultsOf({ pullRequests: [{ number: 1, dependsOn: [1] }] })).toHaveLength(1)
  })

  // S-210
  test('a start that is no date and time in UTC, or on a day that no month has', () => {
    expect(faultsOf({ startsAt: '2026-02-28T09:30:00.000Z' })).toEqual([])
    expect(faultsOf({ startsAt: '2026-02-28T09:30+01:00' })).toHaveLength(1)
    expect(faultsOf({ startsAt: '2026-02-30T09:30Z' })).toEqual([
      '/startsAt: expected a date and time that exist, like 2026-03-01T09:30Z, got "2026-02-30T09:30Z"',
    ])
  })

  test('ranges and rates that contradict each other', () => {
    expect(
      faultsOf({
        suite: { minutes: { median: 20, p95: 10 } },
        traffic: {
          arrivals: { perHour: Array.from({ length: 24 }, () => 0) },
          breakRate: { rate: 0.9, sticky: 0.1 },
          targets: { names: ['web'], perPullRequest: [3, 2] },
        },
      }).map((line) => line.split(', got')[0]),
    ).toEqual([
      '/suite/minutes/p95: expected at least the median',
      '/traffic/arrivals/perHour: expected at least one hour with arrivals',
      '/traffic/breakRate/sticky: expected at least 2 - 1 / rate, because the rate cannot be reached otherwise',
      '/traffic/targets/perPullRequest: expected the fewest before the most',
      '/traffic/targets/perPullRequest: expected at most 1, the number of targets',
    ])
    expect(faultsOf({ traffic: { targets: { names: ['web'], riskAuc: 0.8 } } })).toEqual([
      '/traffic/targets/perPullRequest: expected at most 0, the number of targets in a half, got nothing',
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [9, 3] } } })).toEqual([
      '/suite/minutes/uniform: expected the shortest before the longest, got [9,3]',
    ])
    expect(faultsOf({ suite: { minutes: { median: 0, p95: 1 } } })).toEqual([
      '/suite/minutes/median: expected more than 0, got 0',
    ])
  })
})

//
test('a scenario of the package is found by its name in any folder, unless one is there', () => {
  const here = temporaryFolder()
  const name = 'scenarios/try.json'
  expect(loadScenario(join(here, name), name).pullRequests).toHaveLength(12)
  mkdirSync(join(here, 'scenarios'))
  writeFileSync(join(here, name), '{ "name": "own", "pullRequests": [{ "number": 1 }] }')
  expect(loadScenario(join(here, name), name).name).toBe('own')
  expect(() => loadScenario(join(here, 'try.json'), 'try.json')).toThrow('try.json: file')
})

const scenario: Scenario = {
  name: 'before',
  queue: { concurrency: 2 },
  pullRequests: [{ number: 1 }, { number: 2, at: 3 }],
}

function faultOf(setting: string): string {
  try {
    applySettings(scenario, [setting])
  } catch (error) {
    if (error instanceof BadInput) return error.lines.join('\n')
    throw error
  }
  return 'no fault'
}

describe('--set path=value', () => {
  test('sets any field in a copy, and does not change the given scenario', () => {
    const changed = applySettings(scenario, [
      'queue.batchingMinSize=8',
      'pullRequests.1.at=4.5',
      'suite.minutes={"median": 20, "p95": 45}',
      'faults.lostRunRate=0.1',
      'description=a=b',
    ])
    expect(changed).toEqual({
      name: 'before',
      description: 'a=b',
      queue: { concurrency: 2, batchingMinSize: 8 },
      pullRequests: [{ number: 1 }, { number: 2, at: 4.5 }],
      suite: { minutes: { median: 20, p95: 45 } },
      faults: { lostRunRate: 0.1 },
    })
    expect(scenario.queue).toEqual({ concurrency: 2 })
  })

  test('applies a later setting to the result of the earlier ones', () => {
    const changed = applySettings(scenario, ['queue={"concurrency": 3}', 'queue.batch=true'])
    expect(changed.queue).toEqual({ concurrency: 3, batch: true })
  })

  test('reads a value that is not JSON as text', () => {
    expect(applySettings(scenario, ['name=12 monkeys']).name).toBe('12 monkeys')
    expect(applySettings(scenario, ['name="12"']).name).toBe('12')
    expect(faultOf('name=12')).toBe('--set: /name: expected a string, got 12')
  })

  test.each([
    [
      'queue.concurency=3',
      /^--set: \/queue\/concurency: expected no such key \(did you mean concurrency\?\), only policy, mode, /,
    ],
    [
      'queue.screening=true',
      /^--set: \/queue\/screening: expected no such key any more: set policy to adaptive, which includes it, got true$/,
    ],
    ['nothing', /^--set: nothing: expected path=value, like queue.concurrency=4, got "nothing"$/],
    ['=3', /expected path=value/],
    ['pullRequests.2.at=1', /pullRequests.2.at: expected an index below 2, got "2"$/],
    ['pullRequests.first.at=1', /expected an index below 2, got "first"$/],
    ['name.first=x', /name.first: expected nothing below "before", got "first"$/],
    ['__proto__.concurrency=1', /\/__proto__: expected no such key/],
    ['pullRequests.1.number=1', /expected a number that \/pullRequests\/0 does not have/],
  ])('%s is rejected', (setting, line) => {
    expect(faultOf(setting)).toMatch(line)
  })
})
