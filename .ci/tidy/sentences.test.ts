import { expect, test } from 'vitest'
import { repositoryFiles, type RepositoryFile } from './repository.ts'
import { lineAt } from './source.ts'

/**
 * Checks the tables of engine/SENTENCES.md: each row has a sentence of the interface document, the
 * rules that say it exactly, and the tests and scenarios that hold it. All of them must exist.
 *
 * A test is written as its file in backquotes, a colon, and its title as in the source; a scenario as
 * its file alone. Semicolons separate several of them.
 */
const sentencesFile = 'engine/SENTENCES.md'

const tableRow = /^\| (?!-+ \||sentence +\|)([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|$/gm
const rule = /\*\*([EA]-\d+)\*\*/g
const holder = /^`([^`]+)`(?:: (.+))?$/

/** Returns every row whose sentence, rules, tests or scenarios are missing. */
function unheldSentences(files: readonly RepositoryFile[]): string[] {
  const table = files.find(({ path }) => path === sentencesFile)
  const rows = table ? [...table.text.matchAll(tableRow)] : []
  if (!table || rows.length === 0) return [`${sentencesFile} has no table of sentences: add it`]
  const rules = new Set(files.flatMap(({ text }) => [...text.matchAll(rule)].map(([, id]) => id)))
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  return rows.flatMap((found) => {
    const [sentence = '', ids = '', holders = ''] = found.slice(1).map((cell) => cell.trim())
    const location = `${sentencesFile}:${lineAt(table, found.index)}`
    const unknown = ids.split(', ').filter((id) => !rules.has(id))
    return [
      ...(sentence === '' ? [`${location} has no sentence: say it in your words`] : []),
      ...unknown.map((id) => `${location} names the rule "${id}", which does not exist`),
      ...holders.split(/; (?=`)/).flatMap((one) => faultOf(one, texts, location)),
    ]
  })
}

function faultOf(text: string, texts: ReadonlyMap<string, string>, location: string): string[] {
  const [, path = '', title] = holder.exec(text) ?? []
  const isScenario = /^scenarios\/[\w-]+\.json$/.test(path)
  if (!isScenario && !(path.endsWith('.test.ts') && title !== undefined)) {
    return [`${location} has "${text}": expected \`<test file>\`: <title>, or \`<scenario file>\``]
  }
  const source = texts.get(path)
  if (source === undefined) return [`${location} names ${path}, which does not exist`]
  if (title === undefined || hasTest(source, title)) return []
  return [`${location} names "${title}", a test that ${path} does not have`]
}

/** True if a call in the source has the title as its first argument. */
function hasTest(source: string, title: string): boolean {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,`).test(source)
}

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
