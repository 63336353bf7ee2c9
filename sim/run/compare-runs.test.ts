import { describe, expect, test } from 'vitest'
import { engineParts, type EngineParts } from '../../engine/index.ts'
import { runTwice } from './compare-runs.ts'
import { simulate } from './simulate.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'

const scenario = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })

/** An engine that differs between runs: it counts the commands of all its runs together. */
function changingAt(oddCommand: number): EngineParts {
  let commands = 0
  return {
    ...engineParts,
    decide(step, command) {
      commands++
      if (commands === oddCommand) step.emit({ type: 'woken' })
      return engineParts.decide(step, command)
    },
  }
}

describe('the same scenario run twice', () => {
  test('has no difference, and observers watch the first run only', () => {
    let steps = 0
    const { outcome, difference } = runTwice(scenario, { observers: [() => () => void steps++] })
    expect(difference).toBeNull()
    expect(outcome).toEqual(simulate(scenario))
    expect(steps).toBe(outcome.commands)
  })

  test('shows the first event that differs', () => {
    // So short a run is made as a whole before the second begins. The fourth command is a test result.
    const { commands } = simulate(scenario)
    const { difference } = runTwice(scenario, { parts: changingAt(commands + 4) })
    expect(difference?.first).toContain('"testRunFinished"')
    expect(difference?.second).toBe('{"event":{"type":"woken"}}')
    const { difference: early } = runTwice(scenario, { parts: changingAt(1) })
    expect(early?.sameLines).toBe(1)
    expect(early?.first).toBe('{"event":{"type":"woken"}}')
  })

  test('shows it also where the runs take turns, at its line of the trace', () => {
    const long = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(60) })
    const lines: string[] = []
    simulate(long, { onTrace: (text) => void lines.push(...text.split('\n').slice(0, -1)) })
    // After 64 steps of each, the 70th of the first run is command 134; the first 40 arrive at once.
    const { difference } = runTwice(long, { parts: changingAt(134) })
    const line = difference?.sameLines ?? 0
    expect(lines.slice(0, line).filter((each) => each.startsWith('{"command"'))).toHaveLength(70)
    expect(difference?.first).toBe('{"event":{"type":"woken"}}')
    expect(difference?.second).toBe(lines[line])
  })

  test('shows where one run ends early', () => {
    let isSecond = false
    const throwing: EngineParts = {
      ...engineParts,
      evolve(queue, event) {
        if (event.type === 'tipMoved' && event.tip === 3) {
          if (isSecond) throw new Error('gone')
          isSecond = true
        }
        engineParts.evolve(queue, event)
      },
    }
    const { difference } = runTwice(scenario, { parts: throwing })
    expect(difference?.first).toContain('"finishTestRun"')
    expect(difference?.second).toBeNull()
  })
})
