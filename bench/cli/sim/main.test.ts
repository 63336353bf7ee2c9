import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { coverageMarks } from '../../../sim/coverage-marks/index.ts'
import { defects } from '../../../sim/defects/index.ts'
import { judges } from '../../../sim/judge/verdict.ts'
import { builtIn } from '../../../sim/observe/findings.ts'
import { relations } from '../../../sim/relations/relations.ts'
import type { RunResult } from '../../../sim/result/write-result.ts'
import { allFeatures } from '../../../sim/swarm/features.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()

const two = home.scenario('two', {
  queue: { concurrency: 1 },
  pullRequests: [{ number: 1 }, { number: 2, breaks: true }],
  expect: { merged: [1], failed: [2] },
})

describe('one scenario', () => {
  test('that holds: a summary, a report, exit code 0', async () => {
    const out = await home.printed(`sim ${two}`)
    expect(out).toContain('two   seed 1   2 pull requests in 20 min')
    expect(out).toMatch(/merged +1 +50 %/)
    expect(out).toMatch(/holds {2}\d+ properties, \d+ checks, 2 expectations; run twice/)
    const written = { scenario: 'two', mergeOrder: [1] }
    expect(await home.documentIn('reports/two/result.json')).toMatchObject(written)
  })

  test('given no terminal, prints plain text without escape codes', async () => {
    const env = { CI: 'true', FORCE_COLOR: '1' }
    expect(await home.printed(`sim ${two} --no-report`, env)).not.toContain('\u001b')
  })

  test('that misses an expectation prints it with the command to reproduce it: exit code 1', async () => {
    const { code, out } = await home.run(`sim ${two} --no-report --set expect.merged=[1,2]`)
    expect(code).toBe(1)
    expect(out).toContain('DOES NOT HOLD')
    expect(out).toContain('MISSED  merged\n  expected [1,2], got [1]')
    expect(out).toContain('npm run sim -- two.json --seed 1 --set "expect.merged=[1,2]"')
  })

  test('given a long actual value, prints only the first items', async () => {
    const many = home.scenario('many', { traffic: { count: 30 }, expect: { merged: [] } })
    const { out } = await home.run(`sim ${many} --no-report`)
    expect(out).toContain('expected [], got [1001,1002,')
    expect(out).toContain('1020, and 10 more]\n')
  })

  test('with --json prints only the document, also with exit code 1', async () => {
    const line = `sim ${two} --json --no-report --seed 9 --set expect.testRuns=7`
    const { code, out, err } = await home.run(line)
    expect(code).toBe(1)
    expect(err).toContain('MISSED  testRuns')
    expect(JSON.parse(out)).toMatchObject({
      scenario: 'two',
      seed: 9,
      expectations: [{ holds: true }, { holds: true }, { name: 'testRuns', actual: 2 }],
    })
  })

  test('with --trace writes every command, event and effect, one per line', async () => {
    await home.run(`sim ${two} --no-report --trace new/out.jsonl`)
    const lines = home.read('new/out.jsonl').trimEnd().split('\n')
    const kinds = new Set(lines.map((line) => /^\{"(\w+)"/.exec(line)?.[1]))
    expect(kinds).toEqual(new Set(['command', 'event', 'effect']))
    expect(lines[0]).toContain('"submitPullRequest"')
  })

  test('with --trace on a full disk says which file, and what to do', () =>
    home.refuses(
      `sim ${two} --no-report --trace /dev/full`,
      '/dev/full: --trace: expected a file that can be written, got no space left on device (ENOSPC): make room, or name another place',
    ))

  test('with --expand writes a scenario with the same trace', async () => {
    const drawn = home.scenario('drawn', { traffic: { count: 20, breakRate: 0.2 } })
    const line = `sim ${drawn} --json --no-report --expand explicit.json`
    const { traceHash } = await home.document<{ traceHash: string }>(line)
    const again = await home.printed('sim explicit.json --json --no-report')
    expect(JSON.parse(again)).toMatchObject({ traceHash })
  })
})

test('--why explains one pull request: what it waited for, its runs, and the evidence', async () => {
  const batch = home.scenario('batch', {
    queue: { batch: true, batchingMinSize: 3, concurrency: 1, bisectionConcurrency: 1 },
    pullRequests: [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }],
  })
  const out = await home.printed(`sim ${batch} --no-report --why 2`)
  expect(out).toContain(`pull request 2

  minute
     0.0  submitted; 1 other waits for a first run
     0.0  run 1 tests it together with 1 and 3, on the current branch
    10.0  run 1 failed because this pull request breaks the tests
    10.0  PENDING_FAILURE: all predecessors have merged, so the failure is its own
    10.0  its batch failed and is bisected: 1, 2 and 3
`)
  expect(out).toMatch(/FAILED; evidence: run \d failed with it, run \d passed without it/)
  const unknown = 'sim: command line: expected the number of a pull request: 1, 2, 3'
  await home.refuses(`sim ${batch} --no-report --why 9`, `${unknown}, got --why 9\n`)
  const generated = `${unknown} or 1001 to 1004, got --why 1005\n`
  await home.refuses(`sim ${batch} --set traffic.count=4 --why 1005`, generated)
  const withJson = await home.run(`sim ${batch} --no-report --why 2 --json`)
  expect(withJson.err).toContain('run 1 failed because this pull request breaks the tests')
  expect(JSON.parse(withJson.out)).toMatchObject({ scenario: 'batch' })
})

test('--why says what keeps a pull request from being ready, and why it leaves with another', async () => {
  const late = home.scenario('late', {
    queue: { mode: 'parallel' },
    pullRequests: [
      { number: 1, breaks: true, targets: ['a'] },
      { number: 2, at: 1, dependsOn: [1] },
      { number: 3, at: 7, dependsOn: [4], targets: [] },
      { number: 4, at: 50, targets: [] },
      { number: 5, at: 50, dependsOn: [4], targets: [] },
    ],
    events: [
      { at: 2, do: 'setImpactedTargets', number: 2, targets: ['b'] },
      { at: 3, do: 'submit', number: 2, priority: 'low' },
      { at: 4, do: 'setMergeable', number: 3, mergeable: false },
      { at: 6, do: 'updateQueue', set: { state: 'PAUSED' } },
      { at: 51, do: 'submit', number: 4, dependsOn: [5] },
    ],
  })
  const told = (number: number) => home.printed(`sim ${late} --no-report --once --why ${number}`)
  expect(await told(2)).toContain(`
     1.0  submitted, to land after 1; not ready yet: its impacted targets are not known
     2.0  ready; waits for its first run
     2.0  run 2 tests it, on top of 1
     3.0  submitted again in the queue, priority 200
`)
  expect(await told(2)).toContain('CANCELLED: 1, on which it depends, FAILED\n')
  expect(await told(3)).toContain(
    'not ready yet: the queue is PAUSED, the code host objects and it waits for 4, which it depends on',
  )
  expect(await told(4)).toContain(
    '51.0  its submission was refused: it would depend on itself through 5\n',
  )
})

// E-272
test('--why says in spite of which tests in quarantine a pull request has passed', async () => {
  const excused = home.scenario('excused', {
    pullRequests: [{ number: 1, flakyRuns: [{ run: 1, tests: ['clock'] }] }],
    quarantine: [{ test: 'clock' }],
  })
  const out = await home.printed(`sim ${excused} --no-report --once --why 1`)
  expect(out).toContain('passed; merges after its predecessors; failed, but in quarantine: clock\n')
})

// S-392
test('--why says when the server was away, so that a long run has a reason', async () => {
  const away = home.scenario('away', {
    pullRequests: [{ number: 1, testMinutes: 30 }],
    faults: { serverOutages: [{ from: 10, minutes: 100 }] },
  })
  const out = await home.printed(`sim ${away} --no-report --why 1`)
  expect(out).toMatch(
    /^ +110\.0 {2}the server or the code host was away; its run gets its whole time again$/m,
  )
})

test('the lists name what is checked, each in a sentence, and run nothing (S-259)', async () => {
  const out = await home.printed('sim --list')
  const checked = [...builtIn, ...judges]
  for (const list of [checked, relations, coverageMarks, defects]) {
    for (const { name, sentence } of list) expect(out).toContain(`\n  ${name}: ${sentence}\n`)
  }
  expect(out).toContain(`${checked.length} properties, checked at every event\n`)
  expect(out).toContain('\n  parallel mode\n')
  const { properties } = await home.document<RunResult>(`sim ${two} --json --no-report`)
  for (const { name } of properties) expect(out).toContain(`\n  ${name}: `)

  const namesOf = (list: readonly { readonly name: string; readonly sentence: string }[]) =>
    list.map(({ name, sentence }) => ({ name, sentence }))
  expect(await home.document('sim --list --json')).toEqual({
    properties: namesOf(checked),
    relations: namesOf(relations),
    marks: namesOf(coverageMarks),
    defects: namesOf(defects),
    features: allFeatures,
  })
})

test('the list of scenarios has the description of each, and runs none', async () => {
  home.scenario('plain', {})
  home.scenario('told', { description: 'One waits for the other.' })
  expect(await home.printed('sim plain.json told.json --list')).toBe(
    '2 scenarios\n  plain\n  told: One waits for the other.\n',
  )
  expect(await home.document('sim told.json --list --json')).toEqual({
    scenarios: [{ name: 'told', sentence: 'One waits for the other.' }],
  })
})

describe('several', () => {
  test('scenarios print one line each and a verdict; with --json a list in the given order', async () => {
    const bad = home.scenario('bad', { pullRequests: [{ number: 1 }], expect: { failed: [1] } })
    const { code, out } = await home.run(`sim ${two} ${bad} --no-report`)
    expect(code).toBe(1)
    expect(out).toMatch(/holds {2}two +1 +1 +0 +2\nFAILS {2}bad /)
    expect(out).toContain('1 of 2 FAIL')
    expect(await home.document(`sim ${two} ${bad} --no-report --json`)).toMatchObject({
      results: [{ scenario: 'two' }, { scenario: 'bad' }],
    })
  })

  test('scenarios get one subfolder each in the folder of --report', async () => {
    const other = home.scenario('other', { pullRequests: [{ number: 1 }] })
    for (const seeds of ['', ' --seeds 2'])
      await home.run(`sim ${two} ${other} --report several${seeds}`)
    const written = ['two', 'other'].map((name) => readdirSync(join(home.path, 'several', name)))
    const files = ['report.html', 'result.json', 'seeds.html', 'seeds.json', 'summary.txt']
    expect(written).toEqual([files, files])
  })

  // S-2
  test('given a schema among the files, as a shell expands *.json, skips it with one line', async () => {
    home.write('scenario.schema.json', readFileSync('scenarios/scenario.schema.json', 'utf8'))
    const one = home.scenario('one', { pullRequests: [{ number: 1 }], expect: { merged: [1] } })
    const line = `sim ${one} scenario.schema.json ${two} --no-report`
    const { code, out, err } = await home.run(line)
    expect(code).toBe(0)
    expect(out).toMatch(/one.*\n.*two/)
    expect(err).toBe(
      'scenario.schema.json: skipped, because it is a JSON Schema and not a scenario\n',
    )
    const asJson = await home.run(`${line} --json`)
    expect(JSON.parse(asJson.out)).toMatchObject({
      results: [{ scenario: 'one' }, { scenario: 'two' }],
    })
    expect(asJson.err).toBe(err)
  })

  // S-2
  test('given a schema alone, it is invalid input: exit code 2', async () => {
    home.write('alone.json', '{ "$schema": "https://json-schema.org/draft/2020-12/schema" }')
    const words = 'alone.json: /$schema: expected a scenario, got a JSON Schema\n'
    await home.refuses('sim alone.json --no-report', words)
  })

  test('given a folder with one scenario, prints its summary; subfolders are ignored', async () => {
    mkdirSync(join(home.path, 'lone/folder.json'), { recursive: true })
    home.scenario('lone/one', { name: 'one', pullRequests: [{ number: 1 }] })
    const out = await home.printed('sim lone --no-report')
    expect(out).toContain('one   seed 1   1 pull request in 10 min')
  })

  test('given failed seeds, prints each with its command: exit code 1', async () => {
    const { code, out } = await home.run(`sim ${two} --seeds 2 --no-report --set expect.testRuns=7`)
    expect(code).toBe(1)
    expect(out).toContain('DOES NOT HOLD  in 2 runs: seeds 1, 2')
    expect(out).toContain('npm run sim -- two.json --seed 2 --set expect.testRuns=7')
  })
})

test('a scenario that must fail holds if and only if that expectation fails', async () => {
  const failing = { pullRequests: [{ number: 1 }], expect: { failed: [1] }, mustFail: 'failed' }
  await home.printed(`sim ${home.scenario('must', failing)} --no-report`)
  const holding = { ...failing, expect: { merged: [1] }, mustFail: 'merged' }
  const { code, out } = await home.run(`sim ${home.scenario('must-not', holding)} --no-report`)
  expect(code).toBe(1)
  expect(out).toContain('merged was expected to fail here, but holds')
})

test('given no file, prints its help to standard error: exit code 2', async () => {
  const err = expect.stringContaining('Usage: mergeyard sim [options] [scenario file or folder...]')
  expect(await home.run('sim')).toEqual({ code: 2, out: '', err })
})

home.write('runs.csv', 'startedAt,status\n2024-05-06T10:06:00Z,passed\n')

describe('invalid input is refused before anything runs', () => {
  test.each([
    ['nowhere.json', /^nowhere\.json: .*no such file or directory \(ENOENT\)\n$/],
    [
      'two.json/one.json',
      /one\.json: file: expected .* can be read, got not a directory \(ENOTDIR\): name another place\n$/,
    ],
    ['import --runs runs.csv --out two.json/x', /two\.json\/x: --out: /],
    ['two.json --set queue.speed=3', /\/queue\/speed/],
    ['two.json --seed 1 --seeds 2', /only one of them/],
    ['two.json --seed x', /a whole number from 0, got --seed x/],
    ['--seeds 2 --with lanes', /got --with lanes/],
    ['two.json --with pauses', /--with applies to the swarm/],
    ['two.json --defects', /--defects alone or with --json, .*, got --defects and two\.json\n/],
    ['--list --seeds 3', /--list alone or with --json, got --list and --seeds\n/],
    ['--exhaustive --set seed=2', /got --exhaustive and --set\n/],
    ['--defects --exhaustive', /got --defects and --exhaustive\n/],
    ['--exhaustive --seeds 3', /got --exhaustive and --seeds\n/],
    ['--cluster --defects --over postgres://x', /got --cluster and --over\n/],
    ['--against data --model', /got --against and --model\n/],
    ['--exhaustive --states 0', /a whole number from 1, got --states 0/],
    ['--seeds 3 --states 9', /expected --exhaustive as well/],
    ['two.json --seeds -3', /n, or a\.\.b .*got --seeds -3\n/],
    ['two.json --seed 9007199254740992', /a whole number up to 999999999999999, got /],
    ['two.json two.json', /two: --report: expected a folder for each scenario: /],
    [
      'two.json two.json --seeds 2',
      /a folder for each scenario: .*, or --no-report, got two scenarios/,
    ],
    ['two.json --report x --no-report', /only one of them, got --report and --no-report\n/],
    ['two.json --trace x --expand x', /a file for each, got --trace and --expand x\n/],
    ['two.json --seeds 9..3', /--seeds 9\.\.3/],
    ['two.json --seeds 2 --trace x', /one scenario and one/],
    ['two.json --report /proc/x', /--report: .*, got \/proc, in which nothing can be written/],
    ['two.json --trace /proc/x/y', /--trace: .*, got \/proc, in which nothing can be written/],
    ['two.json --expand /proc/x/y', /--expand: .*, got \/proc, in which nothing can be written/],
    ['two.json --expand two.json/x', /--expand: .*two\.json, which is a file/],
    ['--seeds-from 2e9a7ee', /only --seeds-from/],
    ['--seeds-from= --seeds 3', /no --seeds-from, got/],
    ['--seeds 3..9 --seeds-from x', /expected --seeds n, got/],
    ['--seeds 3..', /an end of the range, or --for/],
    ['--seeds 0', /n, or a\.\.b/],
    ['--for minute', /60s, 5min or 2h/],
    ['--for 0s', /60s, 5min or 2h/],
    ['--seed 3 --for 60s', /--seed and --for together/],
    ['two.json --ci-price cheap', /a number from 0 .*got --ci-price cheap/],
    ['two.json --wait-price=-3', /a number from 0 .*got --wait-price -3/],
    ['--ci-price 1 --against data', /got --against and --ci-price\n/],
  ])('sim %s', (line, expected) => home.refuses(`sim ${line}`, expected))

  const toFile =
    /two\.json\/below: --report: expected a folder that can be written, got .*two\.json, which is a file\n$/
  test.each(['sim two.json', 'sim two.json --seeds 2', 'sim --defects', 'soak --seeds 1..2'])(
    '%s --report two.json/below',
    (line) => home.refuses(`${line} --report two.json/below`, toFile),
  )

  test('broken JSON, with its place; of several files all errors at once', async () => {
    home.scenario('broken', '{ "name": "x",\n  "seed": 1,, }')
    await home.refuses('sim broken.json', /^broken\.json: 2:.*\n$/)
    home.scenario('unknown', '{ "speed": 3 }')
    const { code, err } = await home.run('sim broken.json unknown.json nowhere.json two.json')
    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toHaveLength(4)
  })

  test('an empty folder, in which scenarios are expected', async () => {
    mkdirSync(join(home.path, 'empty'))
    await home.refuses('sim empty', 'a folder with scenarios (*.json) in it')
  })

  test.each([
    ['two.json 5', { npm_config_seeds: 'true' }, '--seeds <n | a..b>, got --seeds'],
    ['two.json', { npm_config_report: '' }, '--no-report, got --no-report'],
  ])('what npm consumed of %s, with the corrected command', (line, env, end) =>
    home.refuses(`sim ${line}`, `npm run sim -- ${line} ${end}, consumed by npm\n`, env),
  )
})
