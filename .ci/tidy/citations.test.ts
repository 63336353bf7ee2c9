import { expect, test } from 'vitest'
import { deadCitations, faultyRules, uncoveredRules } from './citations.ts'
import { repositoryFiles, type RepositoryFile } from './repository.ts'

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
