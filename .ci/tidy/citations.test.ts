import { expect, test } from 'vitest'
import { repositoryFiles, type RepositoryFile } from './repository.ts'
import { lineAt } from './source.ts'

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
function faultyRules(files: readonly RepositoryFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const missing = Object.values(specifications)
    .filter((path) => !paths.has(path))
    .map((path) => `${path} is missing: it is a part of the specification`)
  const seen = new Map<string, string>()
  const faults = rulesIn(files).flatMap(({ id, file, line }) => {
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
function deadCitations(files: readonly RepositoryFile[]): string[] {
  const known = new Set(rulesIn(files).map(({ id }) => id))
  return files.filter(isCiting).flatMap((file) =>
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
function uncoveredRules(files: readonly RepositoryFile[]): string[] {
  const covered = new Set(files.filter(isCiting).flatMap(coveredBy))
  return rulesIn(files)
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

function rulesIn(files: readonly RepositoryFile[]): Rule[] {
  const documents = new Set<string>(Object.values(specifications))
  return files
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

const files = repositoryFiles()

const file = (path: string, text: string): RepositoryFile => ({ path, text })
const specification = [
  file('engine/SPEC.md', 'Rules.\n\n- **E-1** One.\n- **E-2** As E-1 says.\n'),
  file('server/API.md', '- **A-1** One.\n'),
  file('sim/SPEC.md', '- **S-1** One.\n'),
]

test('every rule has a unique id', () => {
  expect(faultyRules(files)).toEqual([])
})

test('every cited rule exists', () => {
  expect(deadCitations(files)).toEqual([])
})

test('a test or a scenario covers every rule of the engine', () => {
  expect(uncoveredRules(files)).toEqual([])
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
