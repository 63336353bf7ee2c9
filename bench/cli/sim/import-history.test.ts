import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { write } from '../../../server/git/testing/commits.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import type { Scenario } from '../../../sim/scenario/scenario.ts'
import { parseCiRuns, readCiRuns } from '../../../sim/import/ci-runs.ts'
import { calendarOf } from '../../../sim/scenario/time.ts'
import { imported } from '../../../sim/import/imported.ts'
import { parseJUnit, readJUnit } from '../../../sim/import/junit.ts'
import { commitAt, logOf } from '../../../sim/import/testing/recorded-logs.ts'

const home = new CliFolder()

describe('from a repository', () => {
  const hashes: string[] = []

  beforeAll(async () => {
    execFileSync('git', ['init', '-q', '-b', 'trunk', join(home.path, 'repo')])
    home.write('repo/README.md', 'a\n')
    const repo = join(home.path, 'repo/.git')
    const ref = 'refs/heads/trunk'
    const instant = (minute: number) => Date.UTC(2024, 4, 6, 10, minute) / 1_000
    const change = (minute: number, title: string, path: string, text: string) => {
      return { ref, from: ref, title, at: instant(minute), files: { [path]: text } }
    }
    const begin = { ref, title: 'Begin', at: instant(0), files: { 'README.md': 'a\n' } }
    const shop = change(5, 'Add the shop (#7)', 'web/shop.ts', 'a\n'.repeat(100))
    const till = change(20, 'Add the till (#9)', 'api/till.ts', 'a\n')
    hashes.push(...(await write(repo, begin, shop, till)))
    const title = `Revert "Add the till" (#10)\n\nThis reverts commit ${hashes[2] ?? ''}.`
    const revert = change(50, title, 'api/till.ts', 'b\n')
    const bump = change(55, 'Bumped v1.2.3', 'package.json', '1\n')
    hashes.push(...(await write(repo, revert, bump)))
  })

  // S-16, S-207, S-209
  test('given landed commits, derives arrivals, numbers, targets, run lengths and breaks', async () => {
    const out = await home.printed('sim import --git repo --branch trunk --name shop')
    expect(out).toContain('shop   3 pull requests')
    expect(out).toContain('the log of the branch trunk: 3 squash merges.')
    expect(out).toMatch(/\n {2}breaking +1 of 3, 33 %: /)
    expect(out).toMatch(
      /\n {2}targets +2: the top-level folders that pull requests change +3 pull requests\n/,
    )
    const { pullRequests, description, assumed } =
      await home.documentIn<Scenario>('shop.imported.json')
    expect(pullRequests).toMatchObject([
      { number: 7, at: 0, targets: ['web'] },
      { number: 9, at: 15, breaks: true, targets: ['api'] },
      { number: 10, at: 45, fixes: [9], targets: ['api'] },
    ])
    const minutes = pullRequests?.map(({ testMinutes }) => Number(testMinutes)) ?? []
    expect(minutes[0]).toBeGreaterThan(minutes[1] ?? Infinity)
    expect(description).toBe(
      'Imported from the log of the branch trunk: 3 squash merges. The list assumed says what the history does not tell.',
    )
    expect(assumed?.map(({ what, value }) => `${what}: ${value}`)).toEqual([
      'concurrency: 5 runs at a time',
      'submitted: when it landed, for a log has no other time',
      'breaking: 1 of 3, 33 %: reverted and not merged again; a log lacks what failed before it landed',
      'run length: 10 min for the median change, twice for ten times its lines, from 5 to 30 min',
      'targets: the top-level folders that it changes; they count in parallel mode',
      'flakes: none, for the history cannot tell a flake from a failure',
      'lost runs: none',
      'text conflicts: none, for a history lacks them',
      'releases: 1 left out',
      'direct pushes: 1 left out: no pull request is named',
      'failing runs: as long as passing ones, for too few of both have a length',
      'clashes: none, for nothing tells what passed alone and broke the branch',
      'age of the base: not known; it matters only with clashes',
      'waits for a runner: none of their own: they are a part of the lengths of runs',
    ])
  })

  // S-202, S-204
  test('with --with-releases and --minutes, keeps a release, and the median takes these minutes', async () => {
    const line = 'sim import --git repo --with-releases --minutes 20 --json'
    const scenario = await home.document<Scenario>(line)
    expect(scenario.pullRequests?.map(({ number }) => number)).toEqual([7, 9, 10, 1_000_001])
    expect(scenario.pullRequests?.at(-1)?.origin).toBe(`commit ${hashes[4]?.slice(0, 10) ?? ''}`)
    expect(scenario.pullRequests?.map(({ testMinutes }) => testMinutes)).toContain(20)
  })

  test('given test runs, takes lengths and outcomes from them by commit', async () => {
    const rows = [
      'startedAt,durationSeconds,status,commit',
      `2024-05-06T10:06:00Z,600,failed,${hashes[1] ?? ''}`,
      `2024-05-06T10:26:00Z,660,passed,${hashes[1] ?? ''}`,
      `2024-05-06T10:27:00Z,,errored,${hashes[1] ?? ''}`,
    ]
    home.write('runs.csv', rows.join('\n'))
    const line = 'sim import --git repo --branch trunk --runs runs.csv --name with-runs --last 3'
    expect(await home.printed(line)).toMatch(/lost runs +33 %: the runs that errored/)
    const { pullRequests, suite, faults } =
      await home.documentIn<Scenario>('with-runs.imported.json')
    expect(faults).toEqual({ lostRunRate: 0.3333 })
    expect(pullRequests?.[0]).toMatchObject({ number: 7, flakyRuns: [1], testMinutes: 11 })
    expect(pullRequests?.[1]).not.toHaveProperty('testMinutes')
    expect(suite).toEqual({ minutes: { median: 10, p95: 11 } })
  })

  test('writes a scenario that can be run, and overwrites it only with --force', async () => {
    const line = 'sim import --git repo --branch trunk --name again'
    await home.printed(line)
    await home.printed('sim again.imported.json --no-report')
    await home.refuses(line, '--force, or another --out')
    await home.printed(`${line} --force`)
  })

  test.each([
    [' --git nowhere', 'expected a git repository'],
    [' --git repo --branch none', 'a git repository with the branch none'],
    [' --git repo --branch=--output=x', 'which never begins with a dash, got "--output=x"'],
    [' --git repo --last 0', 'a whole number from 1'],
    ['', '--git or --runs'],
    [' --runs nowhere.csv', 'a file that can be read'],
    [' --runs repo/README.md', 'a column with the start'],
    [' --git repo --branch trunk --junit repo', 'a folder with JUnit reports'],
    [' repo', 'options only'],
    [' --runs runs.csv --branch trunk', 'got --runs and --branch'],
    [' --runs runs.csv --minutes 3', '--runs alone or with --junit, --last, '],
    [' --git repo --queue-label ready', 'got --git and --queue-label'],
    [' --git repo --from repo', 'got --from and --git'],
    [' --runs runs.csv --json --out x.json', 'got --json and --out'],
    [` --runs runs.csv --name ${'x'.repeat(81)}`, 'at most 80 characters'],
  ])('sim import%s is refused', (options, words) => home.refuses(`sim import${options}`, words))
})

describe('a CSV file of runs', () => {
  test('is read by column names in any order and case; cancelled runs are left out', () => {
    const text =
      'Conclusion,Started At,sha\nsuccess,2024-01-01T00:10:00Z,abcdef1\ncancelled,2024-01-01T00:00:00Z,\n'
    expect(parseCiRuns(text, 'runs')).toEqual([
      {
        startedAtMs: Date.UTC(2024, 0, 1, 0, 10),
        minutes: null,
        outcome: 'passed',
        commit: 'abcdef1',
      },
    ])
  })

  test.each([
    ['SUCCESS, succeeded', ['passed', 'passed']],
    ['UNSTABLE, Failure, fail', ['failed', 'failed', 'failed']],
    ['timed_out, TIMEDOUT, startup-failure', ['errored', 'errored', 'errored']],
    ['neutral, stale, NOT_BUILT, on hold, in_progress', []],
  ])('has the results %s of several CI systems', (results, outcomes) => {
    const rows = results.split(', ').map((result) => `2024-01-01,${result}\n`)
    const runs = parseCiRuns(`startedAt,conclusion\n${rows.join('')}`, 'runs')
    expect(runs.map(({ outcome }) => outcome)).toEqual(outcomes)
  })

  test('of GitHub has its results in the column conclusion, beside a status', () => {
    const rows = 'completed,success,2024-01-01\nqueued,,2024-01-02\n'
    const runs = parseCiRuns(`status,conclusion,createdAt\n${rows}`, 'runs')
    expect(runs.map(({ outcome }) => outcome)).toEqual(['passed'])
  })

  test('with a byte order mark is read', () => {
    const text = '\ufeffstartedAt,status\n2024-01-01,passed\n'
    expect(parseCiRuns(text, 'runs')).toHaveLength(1)
  })

  test.each(['le', 'be'])('in UTF-16 %s with a byte order mark is read', (order) => {
    const bytes = Buffer.from('\ufeffstartedAt,status\n2024-01-01,passed\n', 'utf16le')
    writeFileSync(join(home.path, 'wide.csv'), order === 'le' ? bytes : bytes.swap16())
    expect(readCiRuns(join(home.path, 'wide.csv'), 'wide.csv')).toHaveLength(1)
  })

  test('reports every error with its line, also below an empty one', () => {
    const text =
      'startedAt,durationSeconds,status\nnow,5,passed\n\n2024-01-01,x,passed\n2024-01-01,5,maybe\n'
    const lines = ['line 2', 'line 4', 'line 5']
    for (const line of lines) expect(() => parseCiRuns(text, 'runs')).toThrow(line)
  })

  const header = 'startedAt,durationSeconds,status'

  test.each([
    ['2024-01-31T09:00:00', '2024-01-31T09:00:00Z'],
    ['2024-01-31 09:00', '2024-01-31T09:00:00Z'],
    ['2024-01-31', '2024-01-31T00:00:00Z'],
    ['1706691600', '2024-01-31T09:00:00Z'],
    ['2024-01-31T09:00:00.250Z', '2024-01-31T09:00:00.250Z'],
    ['2024-01-31T09:00:00+09:00', '2024-01-31T00:00:00Z'],
    ['2024-01-31 09:00:00 -0500', '2024-01-31T14:00:00Z'],
    ['Wed 31 Jan 2024 09:00:00 GMT', '2024-01-31T09:00:00Z'],
    ['2024/01/31 09:00', '2024-01-31T09:00:00Z'],
    ['2024-01-31 09:00:00.25+02', '2024-01-31T07:00:00.250Z'],
    ['2024-01-31 09:00 (local)', '2024-01-31T09:00:00Z'],
    ['31-Jan-2024', '2024-01-31T00:00:00Z'],
    // The hour that comes twice where daylight saving time ends, as git, browsers and date write it.
    ['Sun Oct 27 02:30:00 2024 +0200', '2024-10-27T00:30:00Z'],
    ['27 Oct 2024 2:30:00 AM GMT+1', '2024-10-27T01:30:00Z'],
    ['7 Apr 2024 01:45:00 AM GMT+10:30', '2024-04-06T15:15:00Z'],
    ['7 Apr 2024 1:45 AM GMT+11', '2024-04-06T14:45:00Z'],
    ['2024-11-03 1:30 AM -0400', '2024-11-03T05:30:00Z'],
    ['Sun Nov 3 01:30:00 EST 2024', '2024-11-03T06:30:00Z'],
  ])('a start %s is the same instant on every machine', (written, meant) => {
    vi.stubEnv('TZ', 'Asia/Tokyo')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(new Date(0).getTimezoneOffset()).toBe(-540)
    const [run] = parseCiRuns(`${header}\n${written},5,passed\n`, 'runs')
    expect(run?.startedAtMs).toBe(Date.parse(meant))
  })

  test.each([
    ['2024-02-30T09:00:00Z,5,passed', 'line 2: expected the start as an ISO time'],
    ['+275760-09-12T00:00:00Z,5,passed', 'line 2: expected the start as an ISO time'],
    ['2024/2/30,5,passed', 'line 2: expected the start as an ISO time'],
    ['05/06/2024,5,passed', 'line 2: expected the start as an ISO time'],
    ['Jan 31 09:00,5,passed', 'line 2: expected the start as an ISO time'],
    ['5,5,passed', 'line 2: expected the start as an ISO time'],
    ['2024-01-01,1e308,passed', 'line 2: expected a number of seconds, 0 or more, and at most 100'],
    ['2024-01-01,5,passed\n2024-01-01,5', 'line 3: expected 3 columns, as in line 1, got 2, as at'],
    [
      '1900-01-01,5,passed\n2024-01-01,5,passed',
      'the starts: expected a history of at most 100 years, got 1900-01-01 to',
    ],
  ])('the row %s is refused', (row, fault) => {
    expect(() => parseCiRuns(`${header}\n${row}\n`, 'runs')).toThrow(`runs: ${fault}`)
  })

  test.each([
    [
      '',
      'expected a header line, such as startedAt,durationSeconds,status, and a line for each run, got an empty file',
    ],
    [`${header}\n`, 'got only one line'],
    [header.replaceAll(',', ';'), 'line 1: expected columns separated by commas, got semicolons'],
    [header.replaceAll(',', '\t'), 'line 1: expected columns separated by commas, got tabs'],
    [`${header},Status`, 'line 1: expected each column once, got status twice'],
    ['when,status', 'line 1: expected a column with the start: startedat or createdat'],
  ])('the file %j is refused', (text, fault) => {
    expect(() => parseCiRuns(text, 'runs')).toThrow(fault)
  })

  test.each([
    [gzipSync(`${header}\n`), 'got a file that gzip has compressed: unpack it'],
    [Buffer.from('PK\u0003\u0004'), 'got an archive or a workbook: unpack it, or save it as CSV'],
  ])('what is packed is refused', (bytes, fault) => {
    writeFileSync(join(home.path, 'packed'), bytes)
    expect(() => readCiRuns(join(home.path, 'packed'), 'packed')).toThrow(fault)
  })

  test('without a repository, each run becomes a pull request', () => {
    const text =
      'startedAt,durationSeconds,status\n2024-01-01T00:00:00Z,600,passed\n' +
      '2024-01-01T01:00:00Z,1200,failed\n2024-01-01T02:00:00Z,60,errored\n2024-01-01T03:00:00Z,,passed\n'
    const runs = parseCiRuns(text, 'runs')
    const history = { name: 'x', log: null, junit: null, runs, busier: 2, minutes: 10 }
    const scenario = imported(history)
    // S-207
    expect(scenario.assumed).toContainEqual({
      what: 'flakes',
      value: 'none, for the history cannot tell a flake from a failure',
      replace: '--runs with a column commit, --junit, or --set suiteFlakes.perRun=<rate>',
    })
    expect(scenario.pullRequests).toEqual([
      { number: 1, at: 0, testMinutes: 10 },
      { number: 2, at: 30, breaks: true, testMinutes: 20 },
      { number: 3, at: 60 },
      { number: 4, at: 90 },
    ])
    // S-210
    const calendar = calendarOf(scenario)
    expect(scenario.pullRequests?.map(({ at = 0 }) => calendar?.timeAt(at))).toEqual(
      runs.map(({ startedAtMs }) => startedAtMs),
    )
    expect(scenario.faults).toEqual({ lostRunRate: 0.25 })
    expect(scenario.suite).toEqual({ minutes: { median: 10, p95: 20 } })
  })
})

describe('JUnit reports', () => {
  const report = `<?xml version="1.0"?><testsuites><testsuite name="a" time="90">
    <testcase classname="till" name="pays" time="60"/>
    <testcase classname="till" name="pays twice" time="30"><flakyFailure message="x"/></testcase>
    </testsuite></testsuites>`

  test('contain the length and the flaky tests', () => {
    expect(parseJUnit(report, 'a.xml')).toEqual({
      minutes: 1.5,
      hasFailed: false,
      flaky: ['till > pays twice'],
    })
    const single = '<testsuite><testcase name="a" time="6"><failure/></testcase></testsuite>'
    expect(parseJUnit(single, 'b.xml')).toEqual({ minutes: 0.1, hasFailed: true, flaky: [] })
  })

  test('given a folder, each file or subfolder is one run, and flakes become rates', () => {
    mkdirSync(join(home.path, 'junit/run'), { recursive: true })
    home.write('junit/a.xml', report)
    home.write('junit/run/b.xml', report)
    home.write('junit/run/c.xml', report)
    const junit = readJUnit(join(home.path, 'junit'), 'junit')
    expect(junit.map(({ minutes }) => minutes)).toEqual([1.5, 3])
    const log = logOf([commitAt(0, { subject: 'One (#1)' })])
    const scenario = imported({ name: 'x', log, runs: null, junit, busier: 1, minutes: 10 })
    expect(scenario.suite).toEqual({ minutes: { median: 1.5, p95: 3 } })
    expect(scenario.suiteFlakes).toEqual({
      tests: [{ name: 'till > pays twice', rate: 1, retryPassRate: 1 }],
    })
  })

  test('given another document, the error names the expected format', () => {
    expect(() => parseJUnit('<a>', 'a.xml')).toThrow('expected XML')
    expect(() => parseJUnit('<html></html>', 'a.xml')).toThrow('<testsuites> or <testsuite>')
    expect(() => parseJUnit('<testsuite>'.repeat(9e4), 'a.xml')).toThrow('at most 1000 levels')
  })

  test('a stated time that no run takes counts as none', () => {
    const endless = '<testsuite time="1e300"><testcase name="a" time="6"/></testsuite>'
    expect(parseJUnit(endless, 'a.xml').minutes).toBe(0.1)
  })

  test('a folder in the place of a report is named', () => {
    mkdirSync(join(home.path, 'reports-of-runs/run/b.xml'), { recursive: true })
    expect(() => readJUnit(join(home.path, 'reports-of-runs'), 'junit')).toThrow(
      'run/b.xml: file: expected a file that can be read, got a folder',
    )
  })
})

// The time to land and the price, as `sim` shows them.

const flaky = home.scenario('flaky', {
  queue: { concurrency: 1 },
  pullRequests: [{ number: 1, flakyRuns: [1] }],
})
const again = `sim ${flaky} --set resubmit.afterMinutes=40`
const priced = `${again} --ci-price 2 --wait-price 5`

describe('the summary', () => {
  // S-241
  test('shows the time to land where pull requests came again, and only there', async () => {
    const out = await home.printed(again)
    expect(out).toMatch(/time in queue +10 min  median/)
    expect(out).toMatch(/time to land +1 h  median; .*; 1 pull request came again\n/)
    expect(home.read('reports/flaky/report.html')).toContain('time to land')
    expect(await home.printed(`sim ${flaky} --no-report`)).not.toContain('time to land')
  })

  // S-244
  test('shows a price where one is given, also in the page and as JSON', async () => {
    expect(await home.printed(priced)).toContain(
      'price                 45.00  CI 40.00, waiting 5.00; 45.00 per landed pull request\n',
    )
    expect(home.read('reports/flaky/report.html')).toContain('CI 40.00, waiting 5.00')
    const price = { ci: 40, waiting: 5, total: 45, perLanded: 45 }
    expect(await home.document(`${priced} --json --no-report`)).toMatchObject({ price })
    const without = await home.document(`sim ${flaky} --json --no-report`)
    expect(without).not.toHaveProperty('price')
  })
})

describe('many seeds', () => {
  test('show times to land and prices', async () => {
    const out = await home.printed(`${priced} --seeds 2 --no-report`)
    expect(out).toMatch(/time to land, p95 +1 h/)
    expect(out).toMatch(/price per landed PR +45 /)
  })

  test('show no times to land where nobody came again', async () => {
    const out = await home.printed(`sim ${flaky} --seeds 2 --no-report`)
    expect(out).not.toContain('time to land')
  })
})
