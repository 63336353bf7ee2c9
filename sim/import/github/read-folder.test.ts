import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { beforeEach, expect, test } from 'vitest'
import { GitHubStory, instant, queued, removed } from '../testing/github-story.ts'
import { readGitHub } from './read-folder.ts'
import { type Pull, checkOf, trim, type SchemaName } from './records.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'

let folder = ''
beforeEach(() => {
  folder = temporaryFolder()
})

const { pulls, runs } = new GitHubStory()
  .pull(7, { merged: 12 })
  .pull(8, { merged: 30 })
  .group(7, 1)
  .group(8, 19).records
const timeline = [queued(0), removed(12)]

function write(file: string, content: unknown): void {
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
}

const read = () => readGitHub(folder, 'history')

function faultOf(): string {
  try {
    read()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'no fault'
}

// S-256
test.each([
  ['one list', JSON.stringify(pulls)],
  ['a list a page', pulls.map((pull) => JSON.stringify([pull])).join('')],
  [
    'a list a page, on several lines',
    pulls.map((pull) => JSON.stringify([pull], null, 2)).join('\n'),
  ],
  ['a list of pages', JSON.stringify(pulls.map((pull) => [pull]))],
  ['one list with a byte order mark', `\ufeff${JSON.stringify(pulls)}\n`],
])('pulls.json may be %s', (_, text) => {
  write('pulls.json', text)
  expect(read().pulls).toEqual(pulls)
})

// S-256
test.each([
  ['one page', JSON.stringify({ total_count: 2, workflow_runs: runs })],
  ['a page after the other', runs.map((run) => JSON.stringify({ workflow_runs: [run] })).join('')],
  ['a list of pages', JSON.stringify(runs.map((run) => ({ workflow_runs: [run] })))],
])('runs.json may be %s', (_, text) => {
  write('pulls.json', pulls)
  write('runs.json', text)
  expect(read().runs).toEqual(runs)
})

// S-256
test('a list may be in several files, and a pull request in two of them counts once, as the later says', () => {
  const [first, second] = pulls
  const renamed: Pull[] = first ? [{ ...first, title: 'Renamed' }] : []
  write('pulls/1.json', [first, second])
  write('pulls/2.json', renamed)
  write('timeline/7.json', timeline)
  write('download.json', { any: 'thing' })
  write('.hidden', 'x')
  const records = read()
  expect(records.pulls.map(({ title }) => title)).toEqual(['Renamed', 'Change 8'])
  expect(records.timelines).toEqual(new Map([[7, timeline]]))
  expect(records.rules).toBe(null)
})

const command = "gh api --paginate 'repos/{owner}/{repo}/"
const again = `; write the file again with: ${command}pulls?state=closed&sort=updated&direction=desc&per_page=100'`

// S-256
test.each([
  [
    'cut off',
    '[{"number": 7,\n "title": "x"',
    'history/pulls.json: 2:14: expected "}", got the end of the text',
  ],
  [
    'cut off on its second page',
    `[]\n[{"number": 7,\n`,
    'history/pulls.json: 3:1: expected a key in double quotes, got the end of the text',
  ],
  [
    'the answer to a request that failed',
    '{"message": "Not Found", "status": "404"}',
    `history/pulls.json: the whole document: expected a list of pull requests, got the answer "Not Found"${again}`,
  ],
  [
    'of another kind',
    '[1]',
    `history/pulls.json: /0: expected a list of pull requests, got 1${again}`,
  ],
  [
    'damaged in one place',
    JSON.stringify([pulls[0], { ...pulls[1], merged_at: 'yesterday' }]),
    `history/pulls.json: /1/merged_at: expected a time like 2026-03-01T09:30:00Z, got "yesterday"${again}`,
  ],
  ['empty', '', 'history/pulls.json: 1:1: expected a value, got the end of the text'],
  [
    'nested without an end',
    `${'['.repeat(9e4)}${']'.repeat(9e4)}`,
    `history/pulls.json: 1:1001: expected at most 1000 levels of brackets, got "${'['.repeat(20)}"`,
  ],
])('given a file that is %s, the fault says where, and what to do', (_, text, fault) => {
  write('pulls.json', text)
  expect(faultOf().split('\n')[0]).toBe(fault)
})

// S-256
test.each([
  ['notes.txt', 'only files of a history: repo.json, rules.json, pulls.json, timeline/'],
  ['timeline.json', 'timeline/<number>.json; rename it or remove it'],
  ['timeline/seven.json', 'timeline/<number>.json; rename it or remove it'],
  ['attempts/5.json', 'attempts/<id>-<attempt>.json; rename it or remove it'],
  ['check-runs/main.json', 'check-runs/<sha>.json; rename it or remove it'],
])('given %s, it is refused', (file, expected) => {
  write('pulls.json', pulls)
  write(file, [])
  expect(faultOf()).toContain(`history: ${file}: expected ${expected}`)
})

// S-256
test('given a hundred faults, ten are told', () => {
  write(
    'pulls.json',
    Array.from({ length: 100 }, () => ({ ...pulls[0], merged_at: 5 })),
  )
  expect(faultOf().split('\n')).toHaveLength(10)
})

// S-256
test('given no pull requests, or no folder, the fault says what writes them', () => {
  write('runs.json', { workflow_runs: runs })
  expect(faultOf()).toContain(`expected pulls.json, as written by: ${command}pulls?`)
  rmSync(folder, { recursive: true, force: true })
  expect(faultOf()).toContain('--from: expected a folder')
})

// S-256
test('only what is read is checked: instants of commits may have an offset, and users may be gone', () => {
  const item = { event: 'committed', committer: { date: '2026-03-02T10:00:00+01:00' } }
  write('pulls.json', [{ ...pulls[0], user: null, created_at: instant(-1), other: { any: 1 } }])
  write('timeline/7.json', [item, { event: 'unknown' }, {}])
  expect(read().timelines.get(7)).toHaveLength(3)
})

// The schemas on recorded objects of GitHub itself.

type Recorded = { readonly name: string; readonly examples: readonly unknown[] }

const require = createRequire(import.meta.url)
const recorded: readonly Recorded[] = require('@octokit/webhooks-examples')

/** What the recorded webhooks of an event are about. */
function objectsOf(event: string): object[] {
  const examples = recorded.find(({ name }) => name === event)?.examples ?? []
  return examples.flatMap((example) => {
    if (typeof example !== 'object' || example === null) return []
    const found: unknown = Object.entries(example).find(([field]) => field === event)?.[1]
    return typeof found === 'object' && found !== null ? [found] : []
  })
}

// S-256
test.each([
  ['pull_request', 'pull', 20],
  ['workflow_run', 'workflowRun', 3],
  ['check_run', 'checkRun', 5],
] as const)('every recorded %s is read', (event, schema, least) => {
  const objects = objectsOf(event)
  expect(objects.length).toBeGreaterThanOrEqual(least)
  const isItem = checkOf<SchemaName>(schema)
  for (const each of objects) {
    isItem(each)
    expect(isItem.errors).toBe(null)
  }
})

// S-257
test('what is not read of an object is removed', () => {
  const file: unknown = { filename: 'a.ts', patch: '+1', nested: { any: 1 } }
  expect(trim('changedFile', file)).toBe(true)
  expect(file).toEqual({ filename: 'a.ts' })
})
