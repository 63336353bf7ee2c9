/** Checks that the links, headings, npm scripts and rooms in READMEs exist, and that guides stay short. */

import { posix, join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test, afterAll } from 'vitest'
import { recordAt, jsonOf, type RepositoryFile, repositoryFiles, lineAt } from './repository.ts'

const link = /\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g
const script = /\bnpm (?:run (?:-s |--silent )?([a-z][\w:-]*)|(test|start)\b)/g

/** Returns broken links and unknown npm scripts in a Markdown file. */
function deadEndsIn(
  file: RepositoryFile,
  paths: readonly string[],
  scripts: readonly string[],
): string[] {
  if (!file.path.endsWith('.md')) return []
  const exists = (path: string): boolean =>
    paths.some((each) => each === path || each.startsWith(`${path.replace(/\/$/, '')}/`))
  const at = (match: RegExpExecArray): string => `${file.path}:${lineAt(file, match.index)}`
  const links = [...file.text.matchAll(link)]
    .filter(([, target = '']) => !exists(posix.join(posix.dirname(file.path), target)))
    .map((match) => `${at(match)} links to ${match[1] ?? ''}, which does not exist`)
  const commands = [...file.text.matchAll(script)]
    .filter(([, name, short = '']) => !scripts.includes(name ?? short))
    .map((match) => `${at(match)} mentions ${match[0]}, which package.json does not have`)
  return [...links, ...commands]
}

const anchor = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g

/** Returns links to headings that their Markdown file does not have. A link to no file is a dead end. */
function lostHeadings(files: readonly RepositoryFile[]): string[] {
  const headings = new Map(
    files.filter(({ path }) => path.endsWith('.md')).map((file) => [file.path, headingsOf(file)]),
  )
  return files
    .filter(({ path }) => headings.has(path))
    .flatMap((file) =>
      [...file.text.matchAll(anchor)].flatMap((match) => {
        const [, target = '', heading = ''] = match
        const path = target === '' ? file.path : posix.join(posix.dirname(file.path), target)
        if (headings.get(path)?.has(heading) !== false) return []
        const at = `${file.path}:${lineAt(file, match.index)}`
        return [`${at} links to #${heading}, which ${path} does not have`]
      }),
    )
}

/** The anchors that GitHub gives to the headings: `The data folder` is `the-data-folder`. */
function headingsOf({ text }: RepositoryFile): Set<string> {
  const prose = text.replace(/^```[^]*?^```$/gm, '')
  const headings = [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

/** The maximum number of lines: a start for people who come, and a guide for each folder of code. */
const longest = new Map([
  ['README.md', 200],
  ...['engine', 'server', 'sim', 'bench'].map((folder) => [`${folder}/README.md`, 250] as const),
])

/** Returns the guides that are too long. */
function longGuides(files: readonly RepositoryFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    const most = longest.get(path) ?? Infinity
    return lines > most ? [`${path} has ${lines} lines, at most ${most} are allowed`] : []
  })
}

/**
 * Returns the differences between the rooms of a folder and its README. The README lists each room
 * in a table row that begins with its name: "| `rules/` |".
 */
function unlistedRooms(files: readonly RepositoryFile[], folder: string): string[] {
  const readme = `${folder}/README.md`
  const text = files.find(({ path }) => path === readme)?.text ?? ''
  const listed = [...text.matchAll(/^\| `([\w-]+)\/` +\|/gm)].map(([, room]) => room ?? '')
  const sources = files.filter(({ path }) => path.startsWith(`${folder}/`) && path.endsWith('.ts'))
  const inRooms = sources.map(({ path }) => path.split('/')).filter((path) => path.length > 2)
  const rooms = new Set(inRooms.map(([, room = '']) => room))
  return [
    ...[...rooms]
      .filter((room) => !listed.includes(room))
      .map((room) => `${readme} does not list ${room}/`),
    ...listed
      .filter((room, index) => !rooms.has(room) || listed.indexOf(room) < index)
      .map((room) => `${readme} lists ${room}/ twice, or the folder does not exist`),
  ]
}

const allFiles = repositoryFiles()

const deadEnds = (text: string): string[] =>
  deadEndsIn({ path: 'sim/README.md', text }, ['sim/README.md', 'sim/cli.ts'], ['sim', 'test'])

test('every link and every npm command in Markdown works', () => {
  const paths = allFiles.map(({ path }) => path)
  const scripts = Object.keys(recordAt(jsonOf('package.json'), 'scripts'))
  expect(allFiles.flatMap((file) => deadEndsIn(file, paths, scripts))).toEqual([])
})

test.each([
  '[the simulator](cli.ts), [this](./README.md#seeds), [all](../sim/), [web](https://example.org)',
  'npm ci && npm test',
  'npm run sim -- scenarios/x.json',
  'npm run -s sim -- --json',
])('%s works', (text) => {
  expect(deadEnds(text)).toEqual([])
})

test('given a broken link or an unknown script, it is reported with its line', () => {
  expect(deadEnds('\n[gone](gone.ts)\nnpm run tune')).toEqual([
    'sim/README.md:2 links to gone.ts, which does not exist',
    'sim/README.md:3 mentions npm run tune, which package.json does not have',
  ])
})

test('every link to a heading finds it', () => {
  expect(lostHeadings(allFiles)).toEqual([])
  const guide = '# The `log`, in short\n```sh\n# no heading\n```\n[a](#the-log-in-short)'
  const links =
    '[b](sim/README.md#the-log-in-short)\n[c](sim/README.md#no-heading) [d](a.ts#L3) [e](#lost)'
  const files = [
    { path: 'sim/README.md', text: guide },
    { path: 'README.md', text: links },
  ]
  expect(lostHeadings(files)).toEqual([
    'README.md:2 links to #no-heading, which sim/README.md does not have',
    'README.md:2 links to #lost, which README.md does not have',
  ])
})

test('the README has at most 200 lines, and the guide of a folder of code 250', () => {
  const advice = 'move what a command prints out, and measurements to a dated file in reports/'
  expect(longGuides(allFiles), advice).toEqual([])
  const guide = (lines: number) => [{ path: 'sim/README.md', text: 'a line\n'.repeat(lines) }]
  expect(longGuides(guide(250))).toEqual([])
  expect(longGuides(guide(251))).toEqual(['sim/README.md has 251 lines, at most 250 are allowed'])
})

test.each(['engine', 'server', 'sim', 'bench'])('%s/README.md lists every room', (folder) => {
  expect(unlistedRooms(allFiles, folder)).toEqual([])
})

test('given an unlisted room, a repeated one or a missing one, each is reported', () => {
  const files = ['sim/a/1.ts', 'sim/b/c/2.ts', 'sim/3.ts', 'sim/e/4.json'].map((path) => ({
    path,
    text: '',
  }))
  const listing = (text: string): string[] =>
    unlistedRooms([...files, { path: 'sim/README.md', text }], 'sim')
  expect(listing('| `a/` | first |\n| `b/`    | second |\n| `f.ts` | a file |')).toEqual([])
  expect(listing('| `a/` | first |\n| `a/` | again |\n| `d/` | gone |\nand `b/`')).toEqual([
    'sim/README.md does not list b/',
    'sim/README.md lists a/ twice, or the folder does not exist',
    'sim/README.md lists d/ twice, or the folder does not exist',
  ])
})

// Checks that the sample report in the repository is up to date.

const folder = mkdtempSync(join(tmpdir(), 'mergeyard-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('reports/sample/ holds the report that npm run sim writes', () => {
  const mergeyard = String(recordAt(jsonOf('package.json'), 'bin')['mergeyard'])
  const args = ['sim', 'scenarios/two-culprits.json', '--report', folder]
  const env = { ...process.env, INIT_CWD: process.cwd() }
  execFileSync(process.execPath, [mergeyard, ...args], { env })
  for (const file of ['report.html', 'result.json', 'summary.txt']) {
    const isSame = readFileSync(join('reports/sample', file)).equals(
      readFileSync(join(folder, file)),
    )
    const advice = 'npm run sim -- scenarios/two-culprits.json --report reports/sample'
    expect(isSame, `${file} is out of date: ${advice}`).toBe(true)
  }
})

test('the picture in the README is a PNG below 200 kB', () => {
  const picture = readFileSync('reports/sample/flaky-storm.png')
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length, 'node .ci/picture.mjs').toBeLessThan(200_000)
})
