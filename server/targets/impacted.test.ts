/** What the tree of a pull request can do while its targets are looked for. */

import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { main, makeBare, write } from '../git/testing/commits.ts'
import { Mirror } from '../git/mirror.ts'
import { impactedFor, namesIn } from './impacted.ts'
import {
  folderFilter,
  packageOf,
  parseManifest,
  pnpmPatternsOf,
  workspacesOf,
  type Workspace,
  targetsOfPaths,
  targetsOfWorkspaces,
} from './matching.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'

//
test('patterns of a pull request that take forever give ALL, and hold up no other pull request', async () => {
  const folder = temporaryFolder()
  const workspaces = (pattern: string): string => JSON.stringify({ workspaces: [pattern] })
  const mirror = join(folder, 'mirror.git')
  const long = `packages/${'a'.repeat(60)}/package.json`
  makeBare(mirror)
  const [tip = '', hostile = '', harmless = ''] = await write(
    mirror,
    {
      ref: main,
      files: {
        'package.json': workspaces('packages/*'),
        'packages/web/package.json': '{"name":"web"}',
        [long]: '{"name":"long"}',
      },
    },
    {
      ref: 'refs/pull/1/head',
      from: main,
      files: { 'package.json': workspaces(`packages/${'*a'.repeat(14)}b`) },
    },
    { ref: 'refs/pull/2/head', from: main, files: { 'packages/web/a.ts': '' } },
  )
  const lines: string[] = []
  const impactedIn = (matchingMs: number) => {
    const impacted = impactedFor(
      { workspaces: true },
      { environment: [] },
      {
        folder,
        id: 'q',
        mirror: new Mirror(mirror, ''),
        logger: pino({ base: null }, { write: (line) => void lines.push(line) }),
        matchingMs,
      },
    )
    onTestFinished(() => impacted.close())
    return impacted
  }
  const endless = impactedIn(300)
  const other = impactedIn(600_000)
  expect(
    await Promise.all([
      endless.of({ number: 1, head: hostile, tip }),
      other.of({ number: 2, head: harmless, tip }),
    ]),
  ).toEqual(['ALL', ['web']])
  expect(lines).toEqual([expect.stringContaining('matching its patterns took longer than 300 ms')])
})

// What decides the impacted targets, as tables.

const patterns = { web: ['apps/web/**'], docs: ['docs/**', '*.md'] }

test.each([
  [['apps/web/a.ts'], ['web']],
  [
    ['apps/web/a.ts', 'README.md'],
    ['docs', 'web'],
  ],
  [['apps/web/.env'], ['web']],
  [
    ['apps/web/line\nend/\u2028.ts', 'docs/\r'],
    ['docs', 'web'],
  ],
  [['apps/web/a.ts', 'package-lock.json'], 'ALL'],
])('patterns of paths: %j gives %j', (changed, expected) => {
  expect(targetsOfPaths(patterns, changed)).toEqual(expected)
})

const lib = { name: 'lib', folder: 'packages/lib', dependencies: [] }
const ui = { name: 'ui', folder: 'packages/ui', dependencies: ['lib'] }
const web = { name: 'web', folder: 'apps/web', dependencies: ['ui', 'react'] }
const docs = { name: 'docs', folder: 'docs', dependencies: [] }
const all = [lib, ui, web, docs]

test.each([
  ['a package that nobody depends on', ['docs/a.md'], ['docs']],
  ['a package and all its dependents', ['packages/lib/a.ts'], ['lib', 'ui', 'web']],
  ['a path that only begins like a folder', ['docs2/a.md'], 'ALL'],
  ['the lock file', ['docs/a.md', 'pnpm-lock.yaml'], 'ALL'],
])('workspaces: %s', (_, changed, expected) => {
  const trees = { before: all, after: all, tip: all }
  expect(targetsOfWorkspaces(trees, changed)).toEqual(expected)
})

test('the innermost of two packages is changed, and a cycle of dependencies ends', () => {
  const inner = { name: 'inner', folder: 'docs/inner', dependencies: ['docs'] }
  const outer = { ...docs, dependencies: ['inner'] }
  const trees = { before: [inner, outer], after: [inner, outer], tip: [inner, outer] }
  expect(targetsOfWorkspaces(trees, ['docs/inner/a.ts'])).toEqual(['docs', 'inner'])
  const apart = [inner, docs]
  const found = targetsOfWorkspaces({ before: apart, after: apart, tip: apart }, [
    'docs/inner/a.ts',
  ])
  expect(found).toEqual(['inner'])
})

const dependent = { ...docs, dependencies: ['lib'] }

test.each<[string, Workspace, Workspace, Workspace]>([
  ['in the change', all, [lib, ui, web, dependent], all],
  ['on the tip only', all, all, [lib, ui, web, dependent]],
  ['before the change', [lib, ui, web, dependent], all, all],
])('a dependency %s counts', (_, before, after, tip) => {
  const found = targetsOfWorkspaces({ before, after, tip }, ['packages/lib/a.ts'])
  expect(found).toEqual(['docs', 'lib', 'ui', 'web'])
})

test.each<[string, Workspace]>([
  ['moved', [lib, ui, web, { ...docs, folder: 'site' }]],
  ['got another name', [lib, ui, web, { ...docs, name: 'site' }]],
  ['cannot be read', null],
])('a package that %s gives ALL, in each of the trees', (_, other) => {
  for (const trees of [
    { before: all, after: other, tip: all },
    { before: all, after: all, tip: other },
    { before: other, after: all, tip: all },
  ]) {
    expect(targetsOfWorkspaces(trees, ['packages/ui/a.ts'])).toBe('ALL')
  }
})

test('given a change that lets docs depend on lib, it shares a target with one that changes lib', () => {
  const depending = { before: all, after: [lib, ui, web, dependent], tip: all }
  const found = targetsOfWorkspaces(depending, ['docs/package.json'])
  expect(found).toEqual(['docs', 'lib'])
  const changing = targetsOfWorkspaces({ before: all, after: all, tip: all }, ['packages/lib/a.ts'])
  expect(changing).toContain('lib')
  expect(changing).not.toContain('docs')
})

test('a package that is removed impacts its dependents', () => {
  const trees = { before: all, after: [ui, web, docs], tip: all }
  expect(targetsOfWorkspaces(trees, ['packages/lib/package.json'])).toEqual(['lib', 'ui', 'web'])
})

test('every kind of dependency counts, also under another name', () => {
  const manifest = {
    name: 'web',
    dependencies: { a: '^1', b: 'workspace:other@*' },
    devDependencies: { c: 'workspace:^' },
    peerDependencies: { d: '*' },
    optionalDependencies: { e: 'npm:@scope/real@1' },
  }
  const found = packageOf(manifest, 'web')?.dependencies.filter((name) => name !== '')
  expect(found?.sort()).toEqual(['@scope/real', 'a', 'b', 'c', 'd', 'e', 'other'])
})

test.each([
  'file:../lib',
  'file:lib',
  'link:../lib',
  'portal:../lib',
  'workspace:../lib',
  '../lib',
])('the name behind the path %s is not known', (version) => {
  expect(packageOf({ name: 'web', dependencies: { lib: version } }, 'web')).toBeNull()
})

test('npm and yarn have a list, or an object with one', () => {
  expect(workspacesOf({ workspaces: ['a/*'] })).toEqual(['a/*'])
  expect(workspacesOf({ workspaces: { packages: ['a/*'] } })).toEqual(['a/*'])
  expect(workspacesOf({ workspaces: ['a/*', 7] })).toBeNull()
  expect(workspacesOf({})).toBeNull()
  expect(parseManifest('no JSON')).toBeNull()
})

test.each([
  ['packages:\n  - a/*\n  - "b"\n  - \'!c\' # not this\n', ['a/*', 'b', '!c']],
  ['# first\npackages:\n- a/*\n\ncatalog:\n  x: 1\n', ['a/*']],
  ['packages: [a, b]\n', null],
  ['packages:\n  - &anchor a\n', null],
  ['catalog:\n  x: 1\n', null],
])('pnpm-workspace.yaml: %j', (text, expected) => {
  expect(pnpmPatternsOf(text)).toEqual(expected)
})

test('patterns of folders may begin with ./ and end with a slash', () => {
  const isPackage = folderFilter(['./packages/*/', 'apps/**', '!apps/old'])
  const folders = ['packages/a', 'packages/a/b', 'apps/web', 'apps/old', 'tools']
  expect(folders.filter(isPackage)).toEqual(['packages/a', 'apps/web'])
})

test.each([
  ['web\napi\r\n\n', ['web', 'api']],
  ['["web", "api"]', ['web', 'api']],
  ['[]', []],
  [' \n', 'ALL'],
])('a command that prints %j', (text, expected) => {
  expect(namesIn(text)).toEqual(expected)
})

test('a list with something else than names is refused', () => {
  expect(() => namesIn('["web", 7]')).toThrow('a list that does not hold names only')
})
