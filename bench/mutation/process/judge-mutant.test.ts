import { describe, expect, test } from 'vitest'
import { engineMutants, readCompiled } from '../mutants/engine-files.ts'
import type { Mutant } from '../mutants/mutant.ts'
import { judgeMutant, type JudgeMutantOptions } from './judge-mutant.ts'

const file = 'engine/rules/merge.ts'
const options: JudgeMutantOptions = { seeds: 1, isFast: true }

/** Returns a mutant that begins its file with this text. */
function beginningWith(text: string): Mutant {
  const mutant = engineMutants().find((each) => each.file === file)
  if (!mutant) throw new Error('no mutant')
  return { ...mutant, change: { start: 0, end: 0, text } }
}

describe('judging a mutant', () => {
  test(
    'given a mutant that breaks the queue, the first judge notices, and says how',
    { tags: ['matrix'] },
    async () => {
      const { compiled } = readCompiled(file)
      const start = compiled.indexOf('return true')
      const change = { start, end: start + 'return true'.length, text: 'return false' }
      const { scenarios, ...others } = await judgeMutant({ ...beginningWith(''), change }, options)
      expect(scenarios).toMatch(/^[a-z-]+: [A-Za-z-]+$/)
      expect(others).toEqual({})
    },
  )

  test('given a mutant that does not load, it is noticed', async () => {
    const verdicts = await judgeMutant(beginningWith('throw new Error("broken");'), options)
    expect(verdicts).toEqual({ scenarios: 'threw Error: broken' })
  })

  test(
    'given a mutant that hangs, it is noticed, and the other judges are asked as well',
    { tags: ['matrix'] },
    async () => {
      const budgetMs = 300
      const hanging = beginningWith('for (;;) {}')
      expect(await judgeMutant(hanging, { seeds: 1, isFast: false, budgetMs })).toEqual({
        scenarios: 'did not end',
        swarm: 'did not end',
        'unit tests': 'did not end',
      })
    },
  )

  test('given an interrupt, the judges end without a verdict', async () => {
    const signal = AbortSignal.abort()
    expect(await judgeMutant(beginningWith(''), { ...options, signal })).toEqual({})
  })
})
