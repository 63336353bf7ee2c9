import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { SimFolder } from './testing/sim.ts'

const home = new SimFolder()
afterAll(() => home.remove())
const sim = home.sim.bind(home)
const scenario = home.scenario.bind(home)

const two = scenario('two', {
  queue: { concurrency: 1 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
  expect: { merged: [1], failed: [2] },
})

home.write('runs.csv', 'startedAt,status\n2024-05-06T10:06:00Z,passed\n')

describe('invalid input: exit code 2, one line per error, before anything runs', () => {
  test.each([
    ['a missing file', 'nowhere.json', /^nowhere\.json: .*ENOENT\n$/],
    ['a file below a file', 'two.json/one.json', /^mergeyard: ENOTDIR: .*one\.json'\n$/],
    ['an import into a file', 'import --runs runs.csv --out two.json/x', /two\.json\/x: --out: /],
    ['an unknown path', 'two.json --set queue.speed=3', /\/queue\/speed/],
    ['two options for the seed', 'two.json --seed 1 --seeds 2', /only one of them/],
    ['a seed that is not a number', 'two.json --seed x', /a whole number, got --seed x/],
    ['an unknown feature', '--seeds 2 --with lanes', /--with "lanes"/],
    ['a feature for a file', 'two.json --with pauses', /--with applies to the swarm/],
    ['defects in a scenario', 'two.json --defects', /only --defects/],
    ['a list, and a scenario', 'two.json --list', /only --list, or --json/],
    ['a list, and seeds', '--list --seeds 3', /only --list, or --json/],
    ['every state, with a setting', '--exhaustive --set seed=2', /only --exhaustive/],
    ['defects, and an explanation', '--defects --why 2', /only --defects/],
    ['every state, and seeds', '--exhaustive --seeds 3', /only --exhaustive/],
    ['no states', '--exhaustive --states 0', /a whole number from 1, got --states 0/],
    ['so many states of seeds', '--seeds 3 --states 9', /expected --exhaustive as well/],
    ['a negative number of seeds', 'two.json --seeds -3', /n, or a\.\.b .*got --seeds -3\n/],
    ['a negative seed', 'two.json --seed -3', /a whole number, got --seed -3\n/],
    ['an option without its value', 'two.json --seeds --once', /--seeds without a value/],
    ['seeds in descending order', 'two.json --seeds 9..3', /--seeds 9\.\.3/],
    ['a trace of several runs', 'two.json --seeds 2 --trace x', /one scenario and one/],
    ['a trace that cannot be written', 'two.json --trace no/such/x', /--trace.*ENOENT/],
    ['an expanded scenario in a file', 'two.json --expand two.json/x', /--expand: .*EEXIST/],
    ['a text for seeds alone', '--seeds-from 2e9a7ee', /only --seeds-from/],
    ['an empty text for seeds', '--seeds-from= --seeds 3', /a commit hash/],
    ['a text for the first of a range', '--seeds 3..9 --seeds-from x', /expected --seeds n, got/],
    ['a range without an end', '--seeds 3..', /an end of the range, or --for/],
    ['no seeds', '--seeds 0', /n, or a\.\.b/],
    ['a time without a unit', '--for minute', /60s, 5min or 2h/],
    ['no time', '--for 0s', /60s, 5min or 2h/],
    ['a seed, and a time', '--seed 3 --for 60s', /--seed and --for together/],
  ])('%s', async (_name, line, expected) => {
    const { code, out, err } = await sim(line.split(' '))
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(expected)
    expect(err).not.toMatch(/\n\s+at /)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })

  test('broken JSON, with its place', async () => {
    scenario('broken', '{ "name": "x",\n  "seed": 1,, }')
    const { code, out, err } = await sim(['broken.json'])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^broken\.json: 2:.*\n$/)
  })

  test('given several invalid files, prints all errors at once', async () => {
    scenario('broken', '{ "speed": 3 }')
    const { code, err } = await sim(['broken.json', 'nowhere.json', 'two.json'])
    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toHaveLength(3)
  })

  test('given an empty folder, expects scenarios in it', async () => {
    mkdirSync(join(home.path, 'empty'))
    const { code, err } = await sim(['empty'])
    expect(code).toBe(2)
    expect(err).toContain('a folder with scenarios (*.json) in it')
  })

  test('given an option that npm consumed, the error shows the corrected command', async () => {
    const { code, err } = await sim([two, '5'], { npm_config_seeds: 'true' })
    expect(code).toBe(2)
    expect(err).toContain('--seeds, consumed by npm')
    expect(err).toContain('npm run sim -- two.json 5 --seeds <n | a..b>')
  })

  test('given a --no-report that npm consumed, the error shows the corrected command', async () => {
    const { code, err } = await sim([two], { npm_config_report: '' })
    expect(code).toBe(2)
    expect(err).toContain('npm run sim -- two.json --no-report')
  })

  test.each([
    ['of a run', 'sim', two],
    ['of many seeds', 'sim', two, '--seeds', '2'],
    ['of the planted defects', 'sim', '--defects'],
    ['of a soak', 'soak', '--seeds', '1..2'],
  ])(
    'given a report %s that cannot be written, prints one line before anything runs: exit code 2',
    async (_name, ...args) => {
      const { code, out, err } = await home.run([...args, '--report', `${two}/below`])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toMatch(
        /two\.json\/below: --report: expected a folder that can be written, got .*two\.json, which is a file\n$/,
      )
    },
  )
})
