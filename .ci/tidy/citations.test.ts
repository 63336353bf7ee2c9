import { expect, test } from 'vitest'
import { repositoryFiles, type RepositoryFile, lineAt } from './repository.ts'

// Checks the citations of the specification: every cited rule exists, and a test or a scenario
// covers every rule of the engine.
//
// A rule begins with its id in bold, `**E-1**`. A test cites the rules that it covers in a separate
// line directly above it: `// E-1, E-2`. A scenario cites them in its description.

/** The parts of the specification, by the letter of their ids. */
const specifications = { E: 'engine/SPEC.md', A: 'server/API.md', S: 'sim/SPEC.md' } as const

const rule = /\*\*([EAS]-\d+)\*\*/g
const citation = /\b[EAS]-\d+\b/g
const aboveTest =
  /^[ \t]*\/\/ ([EAS]-\d+(?:, [EAS]-\d+)*)\n[ \t]*(?:test|it|describe)(?:\.\w+)?\(/gm
const description = /"description": *"((?:[^"\\\n]|\\.)*)"/

type Rule = { readonly id: string; readonly file: RepositoryFile; readonly line: number }

/** Returns rules with a repeated id, rules in the wrong document, and missing documents. */
function faultyRules(repository: readonly RepositoryFile[]): string[] {
  const paths = new Set(repository.map(({ path }) => path))
  const missing = Object.values(specifications)
    .filter((path) => !paths.has(path))
    .map((path) => `${path} is missing: it is a part of the specification`)
  const seen = new Map<string, string>()
  const faults = rulesIn(repository).flatMap(({ id, file, line }) => {
    const location = `${file.path}:${line}`
    const before = seen.get(id)
    seen.set(id, before ?? location)
    if (before !== undefined) {
      return [`${location} repeats the id ${id} of ${before}: use the next free number`]
    }
    const expected = specificationOf(id)
    return expected === file.path ? [] : [`${location} has the rule ${id}: move it to ${expected}`]
  })
  return [...missing, ...faults]
}

/** Returns citations of rules that do not exist. */
function deadCitations(repository: readonly RepositoryFile[]): string[] {
  const known = new Set(rulesIn(repository).map(({ id }) => id))
  return repository.filter(isCiting).flatMap((file) =>
    [...citable(file).matchAll(citation)]
      .filter(([id]) => !known.has(id))
      .map((match) => {
        const [id] = match
        const location = file.path.endsWith('.json')
          ? file.path
          : `${file.path}:${lineAt(file, match.index)}`
        return `${location} cites ${id}, which ${specificationOf(id)} does not have: cite an existing rule`
      }),
  )
}

/** Returns the rules of the engine that no test and no scenario covers. */
function uncoveredRules(repository: readonly RepositoryFile[]): string[] {
  const covered = new Set(repository.filter(isCiting).flatMap(coveredBy))
  return rulesIn(repository)
    .filter(({ id }) => id.startsWith('E-') && !covered.has(id))
    .map(
      ({ id, file, line }) =>
        `${file.path}:${line} has ${id}, which no test covers: write "// ${id}" above a test that does`,
    )
}

function coveredBy(file: RepositoryFile): string[] {
  if (file.path.endsWith('.test.ts')) {
    return [...file.text.matchAll(aboveTest)].flatMap(([, ids = '']) => ids.split(', '))
  }
  return file.path.endsWith('.json') ? (citable(file).match(citation) ?? []) : []
}

function rulesIn(repository: readonly RepositoryFile[]): Rule[] {
  const documents = new Set<string>(Object.values(specifications))
  return repository
    .filter(({ path }) => documents.has(path))
    .flatMap((file) =>
      [...file.text.matchAll(rule)].map((match) => {
        return { id: match[1] ?? '', file, line: lineAt(file, match.index) }
      }),
    )
}

function specificationOf(id: string): string {
  if (id.startsWith('E')) return specifications.E
  return id.startsWith('A') ? specifications.A : specifications.S
}

/** Files in .ci/ do not count, because the tests of this check cite invented rules. */
function isCiting({ path }: RepositoryFile): boolean {
  const isScenario = path.startsWith('scenarios/') && path.endsWith('.json')
  return !path.startsWith('.ci/') && (/\.(?:ts|md)$/.test(path) || isScenario)
}

/** The text that may contain citations: the description of a scenario, all of any other file. */
function citable({ path, text }: RepositoryFile): string {
  return path.endsWith('.json') ? (description.exec(text)?.[1] ?? '') : text
}

const repository = repositoryFiles()

const file = (path: string, text: string): RepositoryFile => ({ path, text })
const specification = [
  file('engine/SPEC.md', 'Rules.\n\n- **E-1** One.\n- **E-2** As E-1 says.\n'),
  file('server/API.md', '- **A-1** One.\n'),
  file('sim/SPEC.md', '- **S-1** One.\n'),
]

test('every rule has a unique id', () => {
  expect(faultyRules(repository)).toEqual([])
})

test('every cited rule exists', () => {
  expect(deadCitations(repository)).toEqual([])
})

test('a test or a scenario covers every rule of the engine', () => {
  expect(uncoveredRules(repository)).toEqual([])
})

test('given an id that is used twice, both locations are reported', () => {
  const twice = [...specification.slice(1), file('engine/SPEC.md', '**E-1** x\n\n**E-1** y\n')]
  expect(faultyRules(twice)).toEqual([
    'engine/SPEC.md:3 repeats the id E-1 of engine/SPEC.md:1: use the next free number',
  ])
})

test('given a rule in the wrong document or a missing document, both are reported', () => {
  const moved = [file('engine/SPEC.md', '**S-7** x\n'), ...specification.slice(2)]
  expect(faultyRules(moved)).toEqual([
    'server/API.md is missing: it is a part of the specification',
    'engine/SPEC.md:1 has the rule S-7: move it to sim/SPEC.md',
  ])
  expect(faultyRules(specification)).toEqual([])
})

test.each([
  ['engine/x.ts', '\n/** Checks E-3. */\n', 'engine/x.ts:2 cites E-3, which engine/SPEC.md'],
  ['README.md', 'see A-2', 'README.md:1 cites A-2, which server/API.md'],
  ['sim/x.test.ts', '// S-12\ntest(', 'sim/x.test.ts:1 cites S-12, which sim/SPEC.md'],
  ['scenarios/x.json', '{ "description": "All pass (E-9)." }', 'scenarios/x.json cites E-9'],
])('given a citation of an unknown rule in %s, it is reported', (path, text, fault) => {
  const found = deadCitations([...specification, file(path, text)])
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(fault)
})

test('other words with a dash and a number are not citations, nor are fields of a scenario', () => {
  const text = 'SHA-256, KAN-123, 1E-9, v1E-3, E-mail, E-1, A-1, S-1'
  const scenario = file('scenarios/x.json', '{ "name": "E-9", "description": "x" }')
  expect(deadCitations([...specification, file('engine/x.ts', text), scenario])).toEqual([])
})

test('a rule is covered by a test directly below its id, or by the description of a scenario', () => {
  const uncovered = (path: string, text: string): string[] =>
    uncoveredRules([...specification, file(path, text)]).map((fault) => fault.split(',')[0] ?? '')
  const first = 'engine/SPEC.md:3 has E-1'
  const second = 'engine/SPEC.md:4 has E-2'
  expect(uncovered('engine/x.test.ts', '  // E-1, E-2\n  test.each([\n')).toEqual([])
  expect(uncovered('engine/x.test.ts', '// E-2\ndescribe(')).toEqual([first])
  expect(uncovered('scenarios/x.json', '{ "description": "It merges (E-1)." }')).toEqual([second])
  expect(uncovered('engine/x.test.ts', '// E-1, E-2\nconst story = 1\n')).toEqual([first, second])
  expect(uncovered('engine/x.ts', '// E-1, E-2\ntest(')).toEqual([first, second])
})

// Checks the tables of engine/SENTENCES.md: each row has a sentence of the interface document, the
// rules that say it exactly, and the tests and scenarios that hold it. All of them must exist.
//
// A test is written as its file in backquotes, a colon, and its title as in the source; a scenario as
// its file alone. Semicolons separate several of them.

const sentencesFile = 'engine/SENTENCES.md'

const tableRow = /^\| (?!-+ \||sentence +\|)([^|\n]*)\|([^|\n]*)\|([^|\n]*)\|$/gm
const ruleOfEngineOrApi = /\*\*([EA]-\d+)\*\*/g
const holder = /^`([^`]+)`(?:: (.+))?$/

/** Returns every row whose sentence, rules, tests or scenarios are missing. */
function unheldSentences(files: readonly RepositoryFile[]): string[] {
  const table = files.find(({ path }) => path === sentencesFile)
  const rows = table ? [...table.text.matchAll(tableRow)] : []
  if (!table || rows.length === 0) return [`${sentencesFile} has no table of sentences: add it`]
  const rules = new Set(
    files.flatMap(({ text }) => [...text.matchAll(ruleOfEngineOrApi)].map(([, id]) => id)),
  )
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
