import { expect, test } from 'vitest'
import { recordAt } from './contents.ts'
import { deadEndsIn, longGuides, lostHeadings, unlistedRooms } from './readmes.ts'
import { jsonOf, repositoryFiles } from './repository.ts'

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
