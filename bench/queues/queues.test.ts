import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { describe, expect, test } from 'vitest'
import { scenarioOf } from '../../sim/testing/simulated.ts'
import { otherQueue, otherQueueNames, strategies } from './index.ts'
import { labelOfValue, usualValues } from './queue.ts'
import type { Value, Values, ConfigurationPlace, OtherQueueName } from './queue.ts'
import { fairScenario, frozenScenario, withLengths } from './fair-scenario.ts'

const place: ConfigurationPlace = {
  repo: { host: 'github.com', owner: 'acme', name: 'shop' },
  branch: null,
}

const usualOf = (name: OtherQueueName): Values => usualValues(otherQueue(name))

const textOf = (name: OtherQueueName, changed: Values = {}): string =>
  otherQueue(name).configuration({ ...usualOf(name), ...changed }, place).text

describe.each(otherQueueNames)('the parameters of %s', (name) => {
  test('have a reader for every value of every ladder', () => {
    for (const { ladder, read: readValue, usual } of otherQueue(name).parameters) {
      for (const value of [...ladder(20), usual]) {
        expect(readValue(labelOfValue(value))).toEqual({ value })
      }
      expect(readValue('0.5')).toBeNull()
    }
  })
})

describe('a configuration', () => {
  test('GitHub: names the branch of the command, else the default branch', () => {
    const { configuration } = otherQueue('github')
    expect(JSON.parse(textOf('github'))).toMatchObject({
      conditions: { ref_name: { include: ['~DEFAULT_BRANCH'] } },
      rules: [{ type: 'merge_queue', parameters: usualOf('github') }],
    })
    const { text, apply } = configuration(usualOf('github'), { ...place, branch: 'next' })
    expect(text).toContain('"refs/heads/next"')
    expect(apply[0]).toBe('new: gh api -X POST repos/acme/shop/rulesets --input ruleset.json')
  })

  test('GitLab: is a request for the project', () => {
    expect(textOf('gitlab', { max_pipelines_per_merge_train: 4 })).toBe(
      [
        "curl -fsS -X PUT 'https://gitlab.com/api/v4/projects/acme%2Fshop' \\",
        '  -H "PRIVATE-TOKEN: $GITLAB_TOKEN" \\',
        "  -H 'content-type: application/json' \\",
        `  -d '{"merge_pipelines_enabled":true,"merge_trains_enabled":true,"max_pipelines_per_merge_train":4}'`,
        '',
      ].join('\n'),
    )
  })

  test('Mergify: has the range of a dynamic batch, and the wait as a duration', () => {
    const changed = { max_parallel_checks: 10, batch_size: '1..8', batch_max_wait_time: 300 }
    expect(parseYaml(textOf('mergify', changed))).toEqual({
      merge_queue: { max_parallel_checks: 10, skip_intermediate_results: false },
      queue_rules: [
        { name: 'default', batch_size: { min: 1, max: 8 }, batch_max_wait_time: '5 minutes' },
      ],
    })
  })

  test('bors-ng: has no key without a limit, and the delay as a comment', () => {
    const limited = textOf('bors', { max_batch_size: 8, batch_delay_sec: 60 })
    expect(parseToml(limited)).toEqual({ max_batch_size: 8 })
    expect(limited).toContain('set 60 seconds on the dashboard')
    expect(parseToml(textOf('bors'))).toEqual({})
  })

  test('Zuul: leaves out a ceiling that there is not', () => {
    expect(parseYaml(textOf('zuul', { window: 10 }))).toEqual([
      {
        pipeline: {
          name: 'gate',
          manager: 'dependent',
          window: 10,
          'window-floor': 3,
          'window-increase-type': 'linear',
          'window-increase-factor': 1,
          'window-decrease-type': 'exponential',
          'window-decrease-factor': 2,
        },
      },
    ])
  })
})

describe('values without effect go back to those of today', () => {
  const normal = (name: OtherQueueName, changed: Record<string, Value>): Values => {
    const usual = usualOf(name)
    return otherQueue(name).normal({ ...usual, ...changed }, usual)
  }

  test('GitHub: the largest group if all must be green; the wait without a least group', () => {
    expect(normal('github', { max_entries_to_merge: 10 })['max_entries_to_merge']).toBe(5)
    const wait = 'min_entries_to_merge_wait_minutes'
    expect(normal('github', { [wait]: 10 })[wait]).toBe(5)
    expect(normal('github', { [wait]: 10, min_entries_to_merge: 2 })[wait]).toBe(10)
  })

  test('GitHub: a least group is never larger than the largest', () => {
    const headGreen = { grouping_strategy: 'HEADGREEN', max_entries_to_merge: 2 }
    const found = normal('github', { ...headGreen, min_entries_to_merge: 4 })
    expect(found['min_entries_to_merge']).toBe(2)
  })

  test('Mergify: the wait of a batch of one, and skipped results of a single check', () => {
    expect(normal('mergify', { batch_max_wait_time: 600 })['batch_max_wait_time']).toBe(30)
    const single = normal('mergify', { max_parallel_checks: 1, skip_intermediate_results: true })
    expect(single['skip_intermediate_results']).toBe(false)
  })

  test('Zuul: a window above its ceiling', () => {
    expect(normal('zuul', { 'window-ceiling': 10 })).toMatchObject({ window: 10 })
  })
})

test.each([
  ['github', {}, []],
  ['github', { grouping_strategy: 'HEADGREEN' }, ['cleared-by-successor']],
  ['gitlab', {}, []],
  ['mergify', {}, []],
  ['mergify', { batch_size: '1..4' }, ['mid-batch']],
  ['mergify', { skip_intermediate_results: true }, ['cleared-by-successor']],
  ['bors', {}, ['mid-batch']],
  ['bors', { max_batch_size: 1 }, []],
  ['zuul', {}, []],
] as const)('unproven merges: %s with %j can make %j', (name, changed, kinds) => {
  expect(otherQueue(name).kinds({ ...usualOf(name), ...changed })).toEqual(kinds)
})

const busy = scenarioOf({
  queue: { concurrency: 4 },
  traffic: { count: 60, arrivals: { perHour: 30 }, conflictRate: 0.05 },
})

test('no queue gets what only some have, such as a quarantine', () => {
  const whole = { ...busy, quarantine: [{ test: 'slow' }], codeHost: { landsGroups: true } }
  const { scenario, leftOut } = fairScenario(whole)
  expect(leftOut).toEqual(['quarantine', 'codeHost'])
  expect(scenario.quarantine).toBeUndefined()
  expect(scenario.codeHost).toBeUndefined()
})

test.each([
  ['run', { minutes: 12, per: 'run', minutesFailing: 0.3, startDelay: { minutes: 2 } }],
  [
    'composition',
    { minutes: 12, per: 'composition', minutesFailing: 0.3, startDelay: { minutes: 2 } },
  ],
  ['constant', { minutes: 12 }],
] as const)('with lengths of %s the suite is %j', (model, expected) => {
  const suite = {
    minutes: 12,
    per: 'pullRequest',
    minutesFailing: 0.3,
    startDelay: { minutes: 2 },
  } as const
  expect(withLengths({ ...busy, suite }, model).suite).toEqual(expected)
})

test('every pull request is listed, and conflicts only with those of the hour before', () => {
  const { pullRequests = [], traffic } = frozenScenario(busy)
  expect({ count: pullRequests.length, traffic }).toEqual({ count: 60, traffic: undefined })
  const at = new Map(pullRequests.map((each) => [each.number, each.at ?? 0]))
  const distances = pullRequests.flatMap(({ number, conflictsWith = [] }) =>
    conflictsWith.map((other) => (at.get(number) ?? 0) - (at.get(other) ?? 0)),
  )
  expect(distances.length).toBeGreaterThan(20)
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...distances)).toBeLessThanOrEqual(60)
})

test('if all are healthy, a slow queue evicts the same pull requests as a fast one', () => {
  const frozen = frozenScenario(busy)
  const failed = strategies.map(({ simulate }) => simulate(frozen).failed)
  expect(new Set(failed).size).toBe(1)
  expect(failed[0]).toBeGreaterThan(10)
})

// S-243, S-270
test('clashes are listed too, with those that came up to an hour before the base', () => {
  const clashing = { ...busy, traffic: { ...busy.traffic, clashRate: 0.1, baseAge: 30 } }
  const { pullRequests = [] } = frozenScenario(clashing)
  const at = new Map(pullRequests.map((each) => [each.number, each.at ?? 0]))
  const distances = pullRequests.flatMap(({ number, clashesWith = [] }) =>
    clashesWith.map((other) => (at.get(number) ?? 0) - (at.get(other) ?? 0)),
  )
  expect(distances.length).toBeGreaterThan(40)
  expect(Math.max(...distances)).toBeLessThanOrEqual(90)
  expect(Math.max(...distances)).toBeGreaterThan(60)
  const [first] = strategies
  expect(first?.simulate(frozenScenario(clashing)).clashed).toBeGreaterThan(10)
})

test.each(otherQueueNames)('%s: a configuration says what checked it, and when', (name) => {
  const { checked } = otherQueue(name).configuration(usualOf(name), place)
  expect(checked).toMatch(/20\d\d-\d\d-\d\d\)/)
})

test.each([
  ['github', 'max_entries_to_build', '100', '101'],
  ['github', 'max_entries_to_build', '1', '0'],
  ['github', 'min_entries_to_merge_wait_minutes', '360', '361'],
  ['github', 'check_response_timeout_minutes', '1', '0'],
  ['github', 'merge_method', 'SQUASH', 'squash'],
  ['mergify', 'max_parallel_checks', '128', '129'],
  ['mergify', 'batch_size', '1..128', '1..129'],
  ['gitlab', 'max_pipelines_per_merge_train', '1', '0'],
  ['bors', 'max_batch_size', '1', '0'],
  ['zuul', 'window-floor', '1', '0'],
] as const)('%s: a command can set %s to %s, but not to %s', (name, parameter, taken, refused) => {
  const found = otherQueue(name).parameters.find((each) => each.name === parameter)
  expect(found?.read(taken)).not.toBeNull()
  expect(found?.read(refused)).toBeNull()
})
