import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BadInput } from './bad-input.ts'
import { loadScenario, parseScenario } from './load.ts'

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
  test('is read as it stands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'scenario-'))
    const path = join(folder, 'small.json')
    writeFileSync(path, '{"name": "small", "pullRequests": [{"number": 1}]}')
    expect(loadScenario(path)).toEqual({ name: 'small', pullRequests: [{ number: 1 }] })
  })

  test('needs nothing but a name', () => {
    expect(faultsOf({})).toEqual([])
    expect(linesOf(() => parseScenario('{}', 'x.json'))).toEqual([
      'x.json: /name: expected a value, came nothing',
    ])
  })

  test('that is not there is a fault like any other', () => {
    expect(linesOf(() => loadScenario('no/such.json'))).toEqual([
      'no/such.json: file: expected a file that can be read, came ENOENT',
    ])
  })

  test('that is no object says so about the whole document', () => {
    expect(linesOf(() => parseScenario('[]', 'x.json'))).toEqual([
      'x.json: the whole document: expected an object, came []',
    ])
  })
})

describe('what the schema refuses', () => {
  test('every fault is told, each in one line with its place', () => {
    expect(
      faultsOf({
        seed: 1.5,
        queue: { concurrency: 0, mode: 'fast', batch: 'yes' },
        suite: { minutes: -1 },
        traffic: { count: 10_000_001, breakRate: 2 },
      }),
    ).toEqual([
      '/seed: expected a whole number, came 1.5',
      '/queue/mode: expected one of "single", "parallel", came "fast"',
      '/queue/concurrency: expected at least 1, came 0',
      '/queue/batch: expected true or false, came "yes"',
      '/suite/minutes: expected at least 0, came -1',
      '/traffic/count: expected at most 10000000, came 10000001',
      '/traffic/breakRate: expected at most 1, came 2',
    ])
  })

  test('unknown keys, wherever they are', () => {
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
    expect(lines[2]).toContain('no such key, only number, at, breaks,')
  })

  test('an event is judged by its verb', () => {
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
      expect.stringMatching(
        /^\/events\/0\/do: expected one of submit, cancel, .*, came "explode"$/,
      ),
      '/events/1/number: expected a value, came nothing',
      '/events/2/number: expected no such key, only at, do, came 1',
      '/events/3/set: expected at least 1 in it, came {}',
      '/events/4/mergeable: expected true or false, came "no"',
      '/events/5/do: expected a value, came nothing',
      expect.stringMatching(/^\/events\/5\/do: expected one of submit,/),
    ])
  })

  test('a length is a number or one of three distributions', () => {
    const choice = 'expected exactly one of { median, p95 }, { uniform }, { exponential }'
    expect(faultsOf({ suite: { minutes: { median: 3 } } })).toEqual([
      `/suite/minutes: ${choice}, came {"median":3}`,
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [1, 2], exponential: 3 } } })).toEqual([
      `/suite/minutes: ${choice}, came {"uniform":[1,2],"exponential":3}`,
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [1] } } })).toEqual([
      '/suite/minutes/uniform: expected at least 2 in it, came [1]',
    ])
  })

  test('names that are too long or empty', () => {
    expect(faultsOf({ name: '' })).toEqual(['/name: expected at least 1 character, came ""'])
    expect(faultsOf({ name: 'x'.repeat(81) })).toEqual([
      `/name: expected at most 80 characters, came "${'x'.repeat(59)}...`,
    ])
  })
})

describe('what makes no sense', () => {
  test('two pull requests of one number, and one that the traffic uses', () => {
    expect(
      faultsOf({
        pullRequests: [{ number: 7 }, { number: 7 }, { number: 1001 }, { number: 1003 }],
        traffic: { count: 2 },
      }),
    ).toEqual([
      '/pullRequests/1/number: expected a number that /pullRequests/0 does not have, came 7',
      '/pullRequests/2/number: expected a number outside 1001 to 1002, which the traffic uses, came 1001',
    ])
  })

  test('words about a pull request that never comes, or about itself', () => {
    const never = 'expected the number of a pull request that comes'
    expect(
      faultsOf({
        pullRequests: [{ number: 1, breaksWith: [2], fixes: [1001, 1003], conflictsWith: [1] }],
        traffic: { count: 2 },
        events: [
          { do: 'cancel', number: 1002 },
          { do: 'cancel', number: 9 },
        ],
        expect: { merged: [1, 8], mergeOrder: [3], states: [{ at: 1, number: 4, is: 'MERGED' }] },
      }),
    ).toEqual([
      `/pullRequests/0/breaksWith/0: ${never}, came 2`,
      `/pullRequests/0/fixes/1: ${never}, came 1003`,
      `/events/1/number: ${never}, came 9`,
      `/expect/merged/1: ${never}, came 8`,
      `/expect/mergeOrder/0: ${never}, came 3`,
      `/expect/states/0/number: ${never}, came 4`,
      '/pullRequests/0/conflictsWith/0: expected another pull request than itself, came 1',
    ])
  })

  test('numbers that contradict each other', () => {
    expect(
      faultsOf({
        suite: { minutes: { median: 20, p95: 10 } },
        traffic: {
          arrivals: { perHour: Array.from({ length: 24 }, () => 0) },
          breakRate: { rate: 0.9, sticky: 0.1 },
          targets: { names: ['web'], perPullRequest: [3, 2] },
        },
      }).map((line) => line.split(', came')[0]),
    ).toEqual([
      '/suite/minutes/p95: expected at least the median',
      '/traffic/arrivals/perHour: expected an hour with arrivals',
      '/traffic/breakRate/sticky: expected at least 2 - 1 / rate, else that many cannot break',
      '/traffic/targets/perPullRequest: expected the fewest before the most',
      '/traffic/targets/perPullRequest: expected at most the 1 there are',
    ])
    expect(faultsOf({ suite: { minutes: { uniform: [9, 3] } } })).toEqual([
      '/suite/minutes/uniform: expected the shortest before the longest, came [9,3]',
    ])
    expect(faultsOf({ suite: { minutes: { median: 0, p95: 1 } } })).toEqual([
      '/suite/minutes/median: expected more than 0, came 0',
    ])
  })
})
