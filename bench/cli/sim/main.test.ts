import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { coverageMarks } from '../../../sim/coverage-marks/index.ts'
import { defects } from '../../../sim/defects/index.ts'
import { properties } from '../../../sim/properties/index.ts'
import { relations } from '../../../sim/relations/relations.ts'
import { allFeatures } from '../../../sim/swarm/features.ts'
import type { Aggregate } from '../../../sim/result/aggregate.ts'
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

describe('one scenario', () => {
  test('that holds: a summary, a report, exit code 0', async () => {
    const { code, out, err } = await sim([two])
    expect(code).toBe(0)
    expect(err).toBe('')
    expect(out).toContain('two   seed 1   2 pull requests in 20 min')
    expect(out).toMatch(/merged +1 +50 %/)
    expect(out).toMatch(/holds {2}\d+ properties, \d+ checks, 2 expectations; run twice/)
    const written = JSON.parse(readFileSync(join(home.path, 'reports/two/result.json'), 'utf8'))
    expect(written).toMatchObject({ scenario: 'two', mergeOrder: [1] })
  })

  test('given no terminal, prints plain text without escape codes', async () => {
    const { out } = await sim([two, '--no-report'], { CI: 'true', FORCE_COLOR: '1' })
    expect(out).not.toContain('\u001b')
  })

  test('that misses an expectation prints it with the command to reproduce it: exit code 1', async () => {
    const { code, out } = await sim([two, '--no-report', '--set', 'expect.merged=[1,2]'])
    expect(code).toBe(1)
    expect(out).toContain('DOES NOT HOLD')
    expect(out).toContain('MISSED  merged\n  expected [1,2], got [1]')
    expect(out).toContain('npm run sim -- two.json --seed 1 --set "expect.merged=[1,2]"')
  })

  test('given a long actual value, prints only the first items', async () => {
    const many = scenario('many', { traffic: { count: 30 }, expect: { merged: [] } })
    const { out } = await sim([many, '--no-report'])
    expect(out).toContain('expected [], got [1001,1002,')
    expect(out).toContain('1020, and 10 more]\n')
  })

  test('with --json prints only the document, also with exit code 1', async () => {
    const { code, out, err } = await sim(
      `${two} --json --no-report --seed 9 --set expect.testRuns=7`.split(' '),
    )
    expect(code).toBe(1)
    expect(err).toContain('MISSED  testRuns')
    expect(JSON.parse(out)).toMatchObject({
      scenario: 'two',
      seed: 9,
      expectations: [{ holds: true }, { holds: true }, { name: 'testRuns', actual: 2 }],
    })
  })

  test('with --trace writes every command, event and effect, one per line', async () => {
    await sim([two, '--no-report', '--trace', 'out.jsonl'])
    const lines = readFileSync(join(home.path, 'out.jsonl'), 'utf8').trimEnd().split('\n')
    const kinds = new Set(lines.map((line) => /^\{"(\w+)"/.exec(line)?.[1]))
    expect(kinds).toEqual(new Set(['command', 'event', 'effect']))
    expect(lines[0]).toContain('"submitPullRequest"')
  })

  test('with --expand writes a scenario with the same trace', async () => {
    const drawn = scenario('drawn', { traffic: { count: 20, breakRate: 0.2 } })
    const { out } = await sim([drawn, '--json', '--no-report', '--expand', 'explicit.json'])
    const again = await sim(['explicit.json', '--json', '--no-report'])
    expect(again.code).toBe(0)
    const { traceHash }: { traceHash: string } = JSON.parse(out)
    expect(JSON.parse(again.out)).toMatchObject({ traceHash })
  })
})

test('--why explains one pull request: what it waited for, its runs, and the evidence', async () => {
  const batch = scenario('batch', {
    queue: { batch: true, batchingMinSize: 3, concurrency: 1, bisectionConcurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }],
  })
  const { code, out } = await sim([batch, '--no-report', '--why', '2'])
  expect(code).toBe(0)
  expect(out).toContain(`pull request 2

  minute
     0.0  submitted; 1 other waits for a first run
     0.0  run 1 tests it together with 1 and 3, on the current branch
    10.0  run 1 failed because this pull request breaks the tests
    10.0  PENDING_FAILURE: all predecessors have merged, so the failure is its own
    10.0  its batch failed and is bisected: 1, 2 and 3
`)
  expect(out).toMatch(/FAILED; evidence: run \d failed with it, run \d passed without it/)
  const unknown = await sim([batch, '--no-report', '--why', '9'])
  expect(unknown).toMatchObject({ code: 2, out: '' })
  expect(unknown.err).toBe(
    'sim: command line: expected the number of a pull request: 1, 2, 3, got --why 9\n',
  )
  const generated = await sim([batch, '--set', 'traffic.count=4', '--why', '1005'])
  expect(generated.err).toContain(': 1, 2, 3 or 1001 to 1004, got --why 1005')
  const withJson = await sim([batch, '--no-report', '--why', '2', '--json'])
  expect(withJson.err).toContain('run 1 failed because this pull request breaks the tests')
  expect(JSON.parse(withJson.out)).toMatchObject({ scenario: 'batch' })
})

test('the lists name what is checked, each in a sentence, and run nothing (S-259)', async () => {
  const { code, out, err } = await sim(['--list'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const list of [properties, relations, coverageMarks, defects]) {
    for (const { name, sentence } of list) expect(out).toContain(`\n  ${name}: ${sentence}\n`)
  }
  expect(out).toContain(`${properties.length} properties, checked at every event\n`)
  expect(out).toContain('\n  parallel mode\n')

  const json = await sim(['--list', '--json'])
  const namesOf = (list: readonly { readonly name: string; readonly sentence: string }[]) =>
    list.map(({ name, sentence }) => ({ name, sentence }))
  expect(JSON.parse(json.out)).toEqual({
    properties: namesOf(properties),
    relations: namesOf(relations),
    marks: namesOf(coverageMarks),
    defects: namesOf(defects),
    features: allFeatures,
  })
})

describe('several', () => {
  test('scenarios print one line each and a verdict; with --json a list in the given order', async () => {
    const bad = scenario('bad', { pullRequests: [{ number: 1 }], expect: { failed: [1] } })
    const { code, out } = await sim([two, bad, '--no-report'])
    expect(code).toBe(1)
    expect(out).toMatch(/holds {2}two +1 +1 +0 +2\nFAILS {2}bad /)
    expect(out).toContain('1 of 2 FAIL')
    const json = await sim([two, bad, '--no-report', '--json'])
    const { results } = JSON.parse(json.out)
    expect(results).toMatchObject([{ scenario: 'two' }, { scenario: 'bad' }])
  })

  test('scenarios get one subfolder each in the folder of --report', async () => {
    const other = scenario('other', { pullRequests: [{ number: 1 }] })
    await sim([two, other, '--report', 'several'])
    await sim([two, other, '--report', 'several', '--seeds', '2'])
    const written = ['two', 'other'].map((name) => readdirSync(join(home.path, 'several', name)))
    const files = ['report.html', 'result.json', 'seeds.html', 'seeds.json', 'summary.txt']
    expect(written).toEqual([files, files])
  })

  // S-2
  test('given a schema among the files, as a shell expands *.json, skips it with one line', async () => {
    home.write('scenario.schema.json', readFileSync('scenarios/scenario.schema.json', 'utf8'))
    const one = scenario('one', { pullRequests: [{ number: 1 }], expect: { merged: [1] } })
    const expanded = [one, 'scenario.schema.json', two]
    const { code, out, err } = await sim([...expanded, '--no-report'])
    expect(code).toBe(0)
    expect(out).toMatch(/one.*\n.*two/)
    expect(err).toBe(
      'scenario.schema.json: skipped, because it is a JSON Schema and not a scenario\n',
    )
    const asJson = await sim([...expanded, '--no-report', '--json'])
    expect(JSON.parse(asJson.out)).toMatchObject({
      results: [{ scenario: 'one' }, { scenario: 'two' }],
    })
    expect(asJson.err).toBe(err)
  })

  // S-2
  test('given a schema alone, it is invalid input: exit code 2', async () => {
    home.write('alone.json', '{ "$schema": "https://json-schema.org/draft/2020-12/schema" }')
    const { code, out, err } = await sim(['alone.json', '--no-report'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toBe('alone.json: /$schema: expected a scenario, got a JSON Schema\n')
  })

  test('given a folder with one scenario, prints its summary; subfolders are ignored', async () => {
    mkdirSync(join(home.path, 'lone/folder.json'), { recursive: true })
    scenario('lone/one', { name: 'one', pullRequests: [{ number: 1 }] })
    const { code, out } = await sim(['lone', '--no-report'])
    expect(code).toBe(0)
    expect(out).toContain('one   seed 1   1 pull request in 10 min')
  })

  // S-60
  test('seeds print means with confidence intervals', async () => {
    const drawn = scenario('drawn', { traffic: { count: 20, breakRate: 0.2 } })
    const { code, out } = await sim([drawn, '--seeds', '12', '--no-report', '--json'])
    expect(code).toBe(0)
    const document: { aggregate: Record<string, Aggregate> } = JSON.parse(out)
    expect(document).toMatchObject({ scenario: 'drawn', seeds: 12, failures: [] })
    const merged = document.aggregate['totals.merged']
    const { mean = NaN, ci95, min = NaN, max = NaN } = merged ?? {}
    expect(ci95?.[0]).toBeLessThan(mean)
    expect(min).toBeLessThanOrEqual(max)
    const table = await sim([drawn, '--seeds', '2..3', '--no-report'])
    expect(table.out).toContain('seeds 2..3   2 runs')
    expect(table.out).toContain('holds')
  })

  test('given failed seeds, prints each with its command: exit code 1', async () => {
    const { code, out } = await sim(
      `${two} --seeds 2 --no-report --set expect.testRuns=7`.split(' '),
    )
    expect(code).toBe(1)
    expect(out).toContain('DOES NOT HOLD  in 2 runs: seeds 1, 2')
    expect(out).toContain('npm run sim -- two.json --seed 2 --set expect.testRuns=7')
  })
})

test('a scenario that must fail holds if and only if that expectation fails', async () => {
  const failing = { pullRequests: [{ number: 1 }], expect: { failed: [1] }, mustFail: 'failed' }
  expect((await sim([scenario('must', failing), '--no-report'])).code).toBe(0)
  const holding = { ...failing, expect: { merged: [1] }, mustFail: 'merged' }
  const { code, out } = await sim([scenario('must-not', holding), '--no-report'])
  expect(code).toBe(1)
  expect(out).toContain('merged was expected to fail here, but holds')
})

describe('help', () => {
  test('given no file: standard error, exit code 2', async () => {
    const { code, out, err } = await sim([])
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('Usage: mergeyard sim [options] [scenario file or folder...]')
  })
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
    [
      'an expanded scenario in a file',
      'two.json --expand two.json/x',
      /--expand: .*two\.json, which is a file/,
    ],
    ['a text for seeds alone', '--seeds-from 2e9a7ee', /only --seeds-from/],
    ['an empty text for seeds', '--seeds-from= --seeds 3', /no --seeds-from, got/],
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
