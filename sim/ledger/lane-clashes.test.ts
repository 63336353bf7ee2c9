import { expect, test } from 'vitest'
import { engineParts, newQueue } from '../../engine/index.ts'
import { laneClashes } from './lane-clashes.ts'
import { drive } from '../properties/testing/drive.ts'
import { at, submit } from '../properties/testing/script.ts'
import { truthOf } from '../properties/testing/truth.ts'

// S-47
test('two that break together clash, also if the later one is written after the first has started', () => {
  const script = [
    at(0, { type: 'setImpactedTargets', number: 1, targets: ['core'] }),
    at(5, { type: 'setImpactedTargets', number: 2, targets: ['web'] }),
    ...submit(0, 1),
    ...submit(5, 2),
  ]
  const configuration = { mode: 'parallel' } as const
  const pairs = truthOf({ pairs: [[1, 2]] })
  const queue = newQueue({ configuration, codeHost: 'merges at once' })
  let isWritten = false
  const truth = {
    ...pairs,
    relativesOf: (number: number) => (isWritten ? pairs.relativesOf(number) : []),
  }
  const clashes = laneClashes(truth, queue)
  for (const step of drive({ configuration, script }).steps) {
    for (const event of step.events) {
      isWritten ||= event.type === 'pullRequestSubmitted' && event.number === 2
      engineParts.evolve(queue, event)
      clashes.atEach?.(event, { at: 0, sequence: 0, step })
    }
  }
  expect([1, 2].map((number) => clashes.has(number))).toEqual([true, true])
})
