import { describe, expect, test } from 'vitest'
import { parts, type Parts } from '../engine/index.ts'
import { runTwice } from './compare-runs.ts'
import { simulate } from './simulate.ts'
import { pullRequests, scenarioOf } from './testing/played.ts'

const scenario = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })

/** An engine that is not the same twice: it counts the commands of all its runs together. */
function forgetful(oddCommand: number): Parts {
  let commands = 0
  return {
    ...parts,
    decide(step, command) {
      commands++
      if (commands === oddCommand) step.emit({ type: 'woken' })
      return parts.decide(step, command)
    },
  }
}

describe('the same scenario run twice', () => {
  test('is the same twice, and the first run is the one that is watched', () => {
    let moments = 0
    const { outcome, difference } = runTwice(scenario, { readers: [() => () => void moments++] })
    expect(difference).toBeNull()
    expect(outcome).toEqual(simulate(scenario))
    expect(moments).toBe(outcome.commands)
  })

  test('is shown the very event at which two runs part', () => {
    // Step by step in turn, the eighth command is the fourth of the second run: a test result.
    const { difference } = runTwice(scenario, { parts: forgetful(8) })
    expect(difference?.first).toContain('"testRunFinished"')
    expect(difference?.second).toBe('{"event":{"type":"woken"}}')
    const { difference: early } = runTwice(scenario, { parts: forgetful(1) })
    expect(early?.sameLines).toBe(1)
    expect(early?.first).toBe('{"event":{"type":"woken"}}')
  })

  test('shows where one of them ends early', () => {
    let isSecond = false
    const throwing: Parts = {
      ...parts,
      evolve(queue, event) {
        if (event.type === 'tipMoved' && event.tip === 3) {
          if (isSecond) throw new Error('gone')
          isSecond = true
        }
        parts.evolve(queue, event)
      },
    }
    const { difference } = runTwice(scenario, { parts: throwing })
    expect(difference?.first).toContain('"finishTestRun"')
    expect(difference?.second).toBeNull()
  })
})
