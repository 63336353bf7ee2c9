import { expect, test } from 'vitest'
import { repositoryFiles, type RepositoryFile } from './repository.ts'
import { sentencesFile, unheldSentences } from './sentences.ts'

const file = (path: string, text: string): RepositoryFile => ({ path, text })

const others = [
  file('engine/SPEC.md', '- **E-1** One.\n'),
  file('server/API.md', '- **A-1** One.\n'),
  file(
    'server/x.test.ts',
    "test('merges (all); in order', () => {})\ntest.each([1])(\n  '%s is', ()",
  ),
  file('scenarios/one.json', '{}'),
]

const faultsOf = (...rows: readonly string[]): string[] => {
  const head = '## Part\n\n| sentence | rules | held by |\n| -------- | ----- | ------- |\n'
  return unheldSentences([...others, file(sentencesFile, head + rows.join('\n'))])
}

test('every sentence of the interface document has rules, and tests or scenarios that hold it', () => {
  expect(unheldSentences(repositoryFiles())).toEqual([])
})

test('a row may name several rules, tests and scenarios', () => {
  const held = '`server/x.test.ts`: merges (all); in order; `scenarios/one.json`'
  expect(faultsOf(`| It merges | E-1, A-1 | ${held} |`)).toEqual([])
  expect(faultsOf('| It merges | E-1 | `server/x.test.ts`: %s is |')).toEqual([])
})

test.each([
  ['| It merges | E-2 | `scenarios/one.json` |', 'names the rule "E-2", which does not exist'],
  ['| It merges | | `scenarios/one.json` |', 'names the rule "", which does not exist'],
  ['| | E-1 | `scenarios/one.json` |', 'has no sentence'],
  ['| It merges | E-1 | |', 'has "": expected'],
  ['| It merges | E-1 | `scenarios/two.json` |', 'names scenarios/two.json, which does not exist'],
  ['| It merges | E-1 | `server/x.test.ts` |', 'expected `<test file>`: <title>'],
  ['| It merges | E-1 | `server/x.test.ts`: merges |', 'names "merges", a test that'],
  ['| It merges | E-1 | `server/y.test.ts`: merges |', 'server/y.test.ts, which does not exist'],
  ['| It merges | E-1 | `server/x.ts`: merges |', 'expected `<test file>`: <title>'],
])('given the row %s, the fault is reported with its line', (row, fault) => {
  const found = faultsOf(row)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(`${sentencesFile}:5 `)
  expect(found[0]).toContain(fault)
})

test('given no table, that is reported', () => {
  expect(faultsOf()).toEqual([`${sentencesFile} has no table of sentences: add it`])
  expect(unheldSentences(others)).toHaveLength(1)
})
