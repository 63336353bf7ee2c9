import { describe, expect, test } from 'vitest'
import { mutantsOf } from '../mutants/find-mutants.ts'
import { mutated } from '../mutants/mutant.ts'
import { operators } from './index.ts'

/** Returns what the operator makes of a piece of code, one text for each mutant. */
function made(operator: string, code: string): string[] {
  const map = JSON.stringify({ version: 3, sources: [], mappings: '' })
  return mutantsOf({ file: 'a.ts', compiled: code, map, source: code })
    .filter((mutant) => mutant.operator === operator)
    .map(({ change }) => mutated(code, change))
}

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
    const names = operators.map(({ name }) => name)
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(names))
  })
})
