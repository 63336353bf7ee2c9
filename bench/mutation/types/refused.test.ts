import { expect, test } from 'vitest'
import { engineMutants, readCompiled } from '../mutants/engine-files.ts'
import { mutantsOf } from '../mutants/find-mutants.ts'
import { refusedByTypes } from './refused.ts'

const file = 'engine/bisection/knowledge.ts'
const compiled = readCompiled(file)

test('given a mutant that reads a field of a value that may be undefined, it is refused', async () => {
  const mutant = mutantsOf(compiled).find(({ from }) => from === '?.composition')
  if (!mutant) throw new Error('no mutant')
  const refused = await refusedByTypes([mutant])
  expect(refused.get(mutant)).toMatch(/^engine\/bisection\/knowledge.ts\(.*error TS18047: /)
})

test('given mutants that compile, none is refused, also when a variable is then unused', async () => {
  const mutant = mutantsOf(readCompiled('engine/evolve/links.ts')).find(({ from, to }) => {
    return from === 'hasRunWith(queue, behind, part)' && to === 'false'
  })
  if (!mutant) throw new Error('no mutant')
  const unused = { start: 0, end: 0, text: 'const unused = 1\n' }
  const both = [mutant, { ...mutant, changeInSource: unused }]
  expect(await refusedByTypes(both)).toEqual(new Map())
})

test('a mistake is the same in the source as in the compiled file', () => {
  const textIn = (text: string): string => text.replaceAll(/[\s;()]/g, '')
  const unlike = engineMutants().filter(({ operator, change, changeInSource }) => {
    // Lists may end in a comma, and conditions hide their value from the type checker.
    return (
      !['list', 'condition'].includes(operator) &&
      textIn(change.text) !== textIn(changeInSource.text)
    )
  })
  expect(unlike).toEqual([])
})
