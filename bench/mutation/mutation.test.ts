import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import {
  engineMutants,
  isIn,
  keyOf,
  mutantsOf,
  operators,
  readEquivalents,
  sampleOf,
} from './mutants.ts'

/** Returns what the operator makes of a piece of code, one text for each mutant. */
const made = (operator: string, code: string): string[] =>
  mutantsOf('a.ts', code)
    .filter((mutant) => mutant.operator === operator)
    .map(({ source }) => source.replace(/\((true|false) as boolean\)/, '$1'))

const cases: readonly (readonly [operator: string, code: string, mutants: readonly string[]])[] = [
  ['condition', 'if (a) b()', ['if (true) b()', 'if (false) b()']],
  ['condition', 'a ? b : c', ['true ? b : c', 'false ? b : c']],
  ['condition', 'while (a) b()', ['while (false) b()']],
  ['condition', 'for (; a; ) b()', ['for (; false; ) b()']],
  ['condition', "if (a) throw new Error('')", ["if (true) throw new Error('')"]],
  ['condition', "if (a) { throw new Error('') }", ["if (true) { throw new Error('') }"]],
  ['condition', 'while (true) a()', []],
  ['boundary', 'a < b', ['(a <= b)']],
  ['boundary', 'a >= b', ['(a > b)']],
  ['comparison', 'a < b', ['(a >= b)']],
  ['comparison', 'a === b', ['(a !== b)']],
  ['comparison', 'a + b', []],
  ['logical', 'a && b', ['(a || b)', '(a)', '(b)']],
  ['logical', 'a || b', ['(a && b)', '(a)', '(b)']],
  ['logical', 'a ?? b', []],
  ['not', '!a', ['(a)']],
  ['arithmetic', 'a + b', ['(a - b)']],
  ['arithmetic', 'a % b', ['(a * b)']],
  ['arithmetic', "a + 'text'", []],
  ['arithmetic', 'a += b', ['a -= b']],
  ['arithmetic', 'a++', ['a--']],
  ['arithmetic', '--a', ['++a']],
  ['literal', 'a(true)', ['a(false)']],
  ['literal', 'a(2)', ['a(3)', 'a(1)']],
  ['literal', 'a(0)', ['a(1)']],
  ['literal', "a('text', null)", []],
  ['fallback', 'a ?? b', ['(a)', '(b)']],
  ['optional', 'a?.b', ['a.b']],
  ['optional', 'a?.[b]', ['a[b]']],
  ['optional', 'a?.(b)', ['a(b)']],
  ['list', 'a([b, ...c])', ['a([])', 'a([...c])', 'a([b])']],
  ['list', 'a([b])', ['a([])']],
  ['list', 'a([])', []],
  ['method', 'a.some(b)', ['a.every(b)']],
  ['method', 'a.push(b)', ['a.unshift(b)']],
  ['method', 'Math.max(a, b)', ['Math.min(a, b)']],
  ['method', 'some(a)', []],
  ['removed call', 'a.filter(b).map(c)', ['a.map(c)']],
  ['membership', 'a.has(b)', ['(!a.has(b))']],
  ['sorting', 'a.toSorted(b)', ['a', 'a.toSorted(b).reverse()']],
  ['statement', 'a(); b = c', ['; b = c', 'a(); ;']],
  ['statement', 'for (const a of b) { continue }', [';', 'for (const a of b) { ; }']],
  ['statement', '() => { return }', [';', '() => { ; }']],
  ['body', 'function a() { b(); c() }', ['function a() {}']],
  ['body', 'function a() { b(); return c }', []],
]

describe('an operator', () => {
  test.each(cases)('%s: given %s', (operator, code, expected) => {
    expect(made(operator, code)).toEqual(expected)
  })

  test('each operator has a case', () => {
    const names = Object.keys(operators)
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(names))
  })
})

describe('the mutants of the engine', () => {
  const all = engineMutants()

  test('every mutant is valid code that differs from the engine', () => {
    const drawn = sampleOf(all, 200, 1)
    expect(drawn).toHaveLength(200)
    expect(drawn.filter(({ source }) => parseSync('a.ts', source).errors.length > 0)).toEqual([])
    expect(drawn.filter(({ from, to }) => from === to)).toEqual([])
  })

  test('the same seed draws the same sample, another seed draws another', () => {
    const drawn = sampleOf(all, 40, 3).map(keyOf)
    expect(sampleOf(all.toReversed(), 40, 3).map(keyOf)).toEqual(drawn)
    expect(sampleOf(all, 40, 4).map(keyOf)).not.toEqual(drawn)
  })

  test('given paths, only mutants of these folders, files and lines are chosen', () => {
    const mutant = all.find(({ file }) => file === 'engine/rules/merge.ts')
    if (!mutant) throw new Error('no mutant')
    const paths = ['engine/rules', 'engine/rules/', mutant.file, `${mutant.file}:${mutant.line}`]
    expect(paths.map((path) => isIn(mutant, path))).toEqual([true, true, true, true])
    const others = ['engine/rule', 'engine/rules/merge', `${mutant.file}:${mutant.line}0`]
    expect(others.map((path) => isIn(mutant, path))).toEqual([false, false, false])
  })

  test('every equivalent matches a mutant, else the code has changed: judge it again', () => {
    const equivalents = readEquivalents()
    const keys = new Set(all.map(keyOf))
    expect(equivalents.filter((each) => !keys.has(keyOf(each)))).toEqual([])
    expect(new Set(equivalents.map(keyOf)).size).toBe(equivalents.length)
    expect(equivalents.filter(({ because }) => !/^[A-Z].{20,}\.$/.test(because))).toEqual([])
  })
})

test.each([
  ['--help', 0, 'npm run mutants -- --only engine/rules'],
  ['--sample=0', 2, 'mutants: command line: expected a whole number from 1, got --sample 0'],
  ['--smaple=3', 2, 'mutants: command line: expected'],
])('given %s, the script ends with code %i and says for people why', (option, code, words) => {
  const script = fileURLToPath(new URL('main.js', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, option], {
    encoding: 'utf8',
  })
  expect(status).toBe(code)
  expect(stdout + stderr).toContain(words)
})
