import { expect, test } from 'vitest'
import { jsonFaultIn, machineNamesIn, resolvedIn, unpinnedIn } from './contents.ts'
import { jsonOf, repositoryFiles } from './repository.ts'

const files = repositoryFiles()

const namesIn = (text: string): string[] => machineNamesIn({ path: 'sim/x.ts', text })
const slash = '/'

test('no file contains a path of a machine or a registry', () => {
  expect(files.flatMap(machineNamesIn)).toEqual([])
})

test.each(['home/ada', 'root/x', 'Users/ada', 'tmp/x', 'work/x'])(
  '/%s is a machine path',
  (path) => {
    expect(namesIn(`\nread('${slash}${path}')`)[0]).toContain('sim/x.ts:2 names /')
  },
)

test('given the host of a registry, it is reported', () => {
  expect(namesIn(`https:${slash}/registry.npmjs.org/ajv`)).toHaveLength(1)
  expect(namesIn(`http:${slash}/npm-registry.example:4873/ajv`)).toHaveLength(1)
})

test('addresses, relative paths and routes are not machine paths', () => {
  const text = 'see https://example.org/home/ada, ../tmp/x, engine/tmp/x and registry.contentType'
  expect(namesIn(text)).toEqual([])
})

test('every JSON file parses', () => {
  expect(files.map(jsonFaultIn).filter((fault) => fault !== null)).toEqual([])
  expect(jsonFaultIn({ path: 'scenarios/x.json', text: '{ "a": 1, }' })).toContain('is not JSON')
  expect(jsonFaultIn({ path: 'README.md', text: '{ "a": 1, }' })).toBeNull()
})

test('every dependency is pinned to one version', () => {
  expect(unpinnedIn(jsonOf('package.json')), 'npm install --save-exact').toEqual([])
  const manifest = { dependencies: { ajv: '8.20.0' }, devDependencies: { vitest: '^4.1.12' } }
  expect(unpinnedIn(manifest)).toEqual(['vitest ^4.1.12'])
})

test('the lock file does not name a registry', () => {
  const advice = 'npm install --package-lock-only --omit-lockfile-registry-resolved'
  expect(resolvedIn(jsonOf('package-lock.json')), advice).toEqual([])
  const lock = { packages: { '': {}, 'node_modules/ajv': { resolved: 'x', integrity: 'y' } } }
  expect(resolvedIn(lock)).toEqual(['node_modules/ajv'])
})
