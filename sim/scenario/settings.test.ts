import { describe, expect, test } from 'vitest'
import { BadInput } from '../../server/terminal/bad-input.ts'
import type { Scenario } from './scenario.ts'
import { applySettings } from './settings.ts'

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
      /^--set: \/queue\/concurency: expected no such key, only policy, mode, /,
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
