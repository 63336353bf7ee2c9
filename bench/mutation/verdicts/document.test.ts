import { describe, expect, test } from 'vitest'
import type { Verdicts } from '../process/judge-mutant.ts'
import { documentOf, survivorsOf, type JudgedMutant } from './document.ts'

const judged = (line: number, noticed: Verdicts): JudgedMutant => ({
  file: 'engine/rules/merge.ts',
  line,
  column: 1,
  code: 'if (a) return',
  operator: 'condition',
  from: 'a',
  to: 'true',
  refused: null,
  noticed,
})

const byAll = judged(1, { scenarios: 'a: b', swarm: 'seed 1: c', 'unit tests': 'd' })
const byTests = judged(2, { scenarios: null, swarm: null, 'unit tests': 'd' })
const byNone = judged(3, { scenarios: null, swarm: null, 'unit tests': null })
const fast = judged(4, { scenarios: 'a: b' })
const totals = { mistakes: 90, equivalent: 10 }

describe('the document of judged mutants', () => {
  test('counts what each judge noticed of those that it was asked about', () => {
    expect(documentOf([byAll, byTests, byNone, fast], totals)).toMatchObject({
      mistakes: 90,
      equivalent: 10,
      judges: [
        { judge: 'scenarios', asked: 4, noticed: 2 },
        { judge: 'swarm', asked: 3, noticed: 1 },
        { judge: 'unit tests', asked: 3, noticed: 2 },
      ],
      goals: [
        { by: 'scenarios or swarm', noticed: 2, of: 4, goal: 85, isMet: false },
        { by: 'anything', noticed: 3, of: 4, goal: 97, isMet: false },
      ],
    })
  })

  test('code that no simulated run uses counts for the goal of all judges only', () => {
    const files = ['engine/recording/lines.ts', 'engine/documents/schema-faults.ts']
    const read = files.map((file) => ({ ...byTests, file }))
    expect(documentOf([byAll, ...read], totals).goals).toEqual([
      { by: 'scenarios or swarm', noticed: 1, of: 1, goal: 85, isMet: true },
      { by: 'anything', noticed: 3, of: 3, goal: 97, isMet: true },
    ])
  })

  test('a mutant that the type checker refuses is counted apart, and in no share', () => {
    const refused = { ...judged(5, {}), refused: 'error TS18048' }
    const document = documentOf([byAll, refused, byNone], totals)
    expect(document.refusedByTypes).toBe(1)
    expect(document.judged).toContainEqual(refused)
    expect(document.goals.map(({ noticed, of }) => [noticed, of])).toEqual([
      [1, 2],
      [1, 2],
    ])
    expect(document.judges[0]).toEqual({ judge: 'scenarios', asked: 2, noticed: 1 })
    expect(survivorsOf([refused, byNone])).toEqual([byNone])
  })

  test('a goal is met exactly at its percentage', () => {
    const noticed = (count: number) =>
      Array.from({ length: count }, (_, i) => judged(i, { swarm: 'a' }))
    const isMet = (count: number) =>
      documentOf(
        [...noticed(count), ...Array.from({ length: 100 - count }, (_, i) => judged(200 + i, {}))],
        totals,
      ).goals.map((goal) => goal.isMet)
    expect([84, 85, 96, 97].map(isMet)).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  test('the documents of two machines merge in any order, and a common mutant counts once', () => {
    const whole = documentOf([byAll, byTests, byNone], totals)
    expect(documentOf([byNone, byTests, byTests, byAll], totals)).toEqual(whole)
  })

  test('a survivor is a mutant that no judge noticed', () => {
    expect(survivorsOf([byAll, byTests, byNone, fast])).toEqual([byNone])
  })
})
