import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { chosen, isIn } from './chosen.ts'
import { engineFiles, engineMutants, readCompiled } from './engine-files.ts'
import { outdated, readEquivalents, sorted } from './equivalents.ts'
import { keyOf, mutated, placeOf } from './mutant.ts'

const all = engineMutants()

describe('the mutants of the engine', () => {
  test('every file of the engine with code has mutants', () => {
    const files = new Set(all.map(({ file }) => file))
    const without = engineFiles().filter((file) => !files.has(file))
    const compiled = without.map((file) => readCompiled(file).compiled)
    // Types, and modules that only pass on what others export.
    expect(compiled.filter((text) => /\bif \(/.test(text))).toEqual([])
  })

  test('every mutant is valid code that differs from the engine', () => {
    const invalid = engineFiles().flatMap((file) => {
      const { compiled } = readCompiled(file)
      return all
        .filter((mutant) => mutant.file === file)
        .filter(({ change }) => {
          const text = mutated(compiled, change)
          return text === compiled || parseSync('a.js', text).errors.length > 0
        })
    })
    expect(invalid.map(placeOf)).toEqual([])
  })

  test('the line of a mutant is the line of the source that holds the code', () => {
    const onOneLine = all.filter(({ operator, from }) => {
      return operator === 'membership' && !from.includes('…')
    })
    expect(onOneLine.length).toBeGreaterThan(20)
    expect(onOneLine.filter(({ code, from }) => !code.includes(from))).toEqual([])
  })
})

describe('a choice of mutants', () => {
  const choice = { only: [], sample: 40, seed: 3, shard: null }
  const places = (...args: Parameters<typeof chosen>): string[] => chosen(...args).map(keyOf)

  test('the same seed draws the same sample, another seed draws another', () => {
    const drawn = places(all, choice)
    expect(drawn).toHaveLength(40)
    expect(places(all.toReversed(), choice)).toEqual(drawn)
    expect(places(all, { ...choice, seed: 4 })).not.toEqual(drawn)
  })

  test('a change of one file leaves the rest of the sample as it is', () => {
    const drawn = places(all, choice)
    const [gone] = chosen(all, choice)
    const others = all.filter(({ file }) => file !== gone?.file)
    const kept = drawn.filter((key) => !key.startsWith(`${gone?.file}\n`))
    expect(places(others, choice).slice(0, kept.length)).toEqual(kept)
  })

  test('the shards together are the sample', () => {
    const parts = [1, 2, 3].map((index) => places(all, { ...choice, shard: { index, of: 3 } }))
    expect(parts.flat()).toEqual(places(all, choice))
  })

  test('given paths, only mutants of these folders, files and lines are chosen', () => {
    const mutant = all.find(({ file }) => file === 'engine/rules/merge.ts')
    if (!mutant) throw new Error('no mutant')
    const paths = ['engine/rules', 'engine/rules/', mutant.file, `${mutant.file}:${mutant.line}`]
    expect(paths.map((path) => isIn(mutant, path))).toEqual([true, true, true, true])
    const others = ['engine/rule', 'engine/rules/merge', `${mutant.file}:${mutant.line}0`]
    expect(others.map((path) => isIn(mutant, path))).toEqual([false, false, false])
  })
})

describe('the list of equivalent mutants', () => {
  const equivalents = readEquivalents()

  test('every entry matches a mutant; if one does not, judge the changed code again', () => {
    expect(outdated(all, equivalents)).toEqual([])
  })

  test('every entry is listed once and says why in a sentence', () => {
    expect(new Set(equivalents.map(keyOf)).size).toBe(equivalents.length)
    expect(equivalents.filter(({ because }) => !/^[A-Z].{20,}\.$/.test(because))).toEqual([])
  })

  test('given an entry, its mutants are equivalent on any line, and all others are mistakes', () => {
    const [first] = all
    if (!first) throw new Error('no mutant')
    const moved = { ...first, line: first.line + 7 }
    const entry = { ...first, because: 'A reason.' }
    expect(sorted([moved, ...all.slice(1)], [entry]).equivalent).toContainEqual(moved)
    expect(outdated([moved], [entry, { ...entry, code: 'return' }])).toEqual([
      { ...entry, code: 'return' },
    ])
  })
})
