import { describe, expect, test } from 'vitest'
import { endsOf, simulated, pullRequests, scenarioOf, violated } from '../testing/simulated.ts'
import { engineParts, rules, type EngineParts } from '../../engine/index.ts'
import type { SeenStep, Point } from '../steps/step.ts'
import type { Property } from '../observe/property.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { Progress } from './progress.ts'
import { simulate, runTwice } from './simulate.ts'

describe('the quiet phase', () => {
  test('sets a PAUSED queue RUNNING, and every pull request ends', () => {
    const outcome = simulate(
      scenarioOf({
        pullRequests: pullRequests(2),
        events: [{ at: 1, do: 'updateQueue', set: { state: 'PAUSED' } }],
      }),
    )
    expect(outcome.breach).toBeNull()
    expect([outcome.faultPhaseEndedAt, outcome.endedAt]).toEqual([600_000, 600_000])
  })

  test('makes pull requests ready to which the code host objects', () => {
    const result = simulated({
      pullRequests: pullRequests(2),
      events: [{ at: 0, do: 'setMergeable', number: 2, mergeable: false }],
      queue: { state: 'DRAINING' },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('has no faults: a code host that refused every merge merges', () => {
    const result = simulated({
      queue: { state: 'PAUSED' },
      pullRequests: pullRequests(2),
      faults: { mergeRefusedRate: 1, hangRate: 1, lostRunRate: 1 },
    })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'MERGED' })
  })

  test('does not wait for wake-ups of runs that have ended', () => {
    const result = simulated({
      queue: { testingTimeoutMinutes: 300 },
      pullRequests: pullRequests(1),
    })
    expect(result.endedAtMinutes).toBe(10)
  })

  test('a wake-up while nobody is in the queue is not its end, although a refused command is still to come', () => {
    const result = simulated({
      queue: { testingTimeoutMinutes: 30 },
      pullRequests: pullRequests(1),
      events: [{ at: 60, do: 'cancel', number: 1 }],
    })
    expect(result.endedAtMinutes).toBe(10)
  })
})

describe('an engine with a defect', () => {
  const run = { pullRequests: pullRequests(3) } as const

  const without = (name: keyof typeof rules): EngineParts => ({
    ...engineParts,
    rules: Object.entries(rules).flatMap(([each, rule]) => (each === name ? [] : [rule])),
  })

  test('that throws ends the run, and the findings until then are kept', () => {
    const defective: EngineParts = {
      ...engineParts,
      evolve(queue, event) {
        if (event.type === 'tipMoved' && event.tip === 2) throw new Error('the tip is lost')
        engineParts.evolve(queue, event)
      },
    }
    const result = simulated({ ...run, queue: { concurrency: 1 } }, { parts: defective })
    expect(violated(result)).toEqual(['engine-does-not-throw'])
    const [found] = result.properties[0]?.violations ?? []
    expect(found).toMatchObject({ atMinutes: 20, story: 'The engine threw: the tip is lost.' })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'TESTING', 3: 'PENDING' })
    expect(result.testRuns.at(-1)).toMatchObject({ tested: [2], finishedAt: null, outcome: null })
  })

  test('that merges nothing comes to rest with all pull requests in the queue', () => {
    const { breach } = simulate(scenarioOf(run), { parts: without('merge') })
    expect(breach).toMatchObject({ kind: 'at rest', pullRequests: [1, 2, 3] })
  })

  test('that is in a loop is stopped', () => {
    const restless: EngineParts = {
      ...engineParts,
      decide(step, command) {
        const rejection = engineParts.decide(step, command)
        if (command.type === 'wake') step.emit({ type: 'wakeScheduled', wakeAt: step.at + 1 })
        return rejection
      },
    }
    const hanging: Scenario = scenarioOf({ ...run, faults: { hangRate: 1 } })
    const outcome = simulate(hanging, { parts: restless })
    expect(outcome.breach).toMatchObject({ kind: 'no progress' })
    const moving = outcome.properties.find(({ name }) => name === 'keeps-moving')
    expect(moving?.violations[0]?.story).toMatch(/^\d+ commands went by in which none of the 2 /)
  })

  test('in which a branch is mended again and again, and nothing else happens, is stopped', () => {
    const progress = new Progress()
    const mend = (): void => progress.onEvent({ type: 'reportPush' }, [])
    for (let push = 1; push <= 10_000; push++) mend()
    expect(progress.fault).toBeNull()
    mend()
    expect(progress.fault).toMatch(/^10001 commands went by /)
  })
})

describe('a property', () => {
  test('receives every step, numbered by events, and the end', () => {
    const steps: SeenStep[] = []
    const ends: [number, Point | null][] = []
    const watching: Property = {
      name: 'watching',
      sentence: 'Watches.',
      watch: ({ check, knowsTruth }) => ({
        atRest(point) {
          steps.push(point.step)
          check(true, point, () => ({ story: 'never', pullRequests: [] }))
        },
        atEnd(queue, last) {
          ends.push([queue.now, last])
          expect(knowsTruth).toBe(true)
          const ended = { at: queue.now, sequence: 1 }
          for (let time = 0; time < 30; time++) {
            check(false, ended, () => ({ story: 'it ended.', pullRequests: [1] }))
          }
        },
      }),
    }
    const result = simulated({ pullRequests: pullRequests(2) }, { properties: [watching] })
    const counts = steps.map(({ sequence, events }) => [sequence, sequence + events.length])
    expect(counts.every(([from], index) => index === 0 || from === counts[index - 1]?.[1])).toBe(
      true,
    )
    const step = steps.at(-1)
    expect(ends).toEqual([[600_000, { at: 600_000, sequence: counts.at(-1)?.[1], step }]])
    const found = result.properties.find(({ name }) => name === 'watching')
    expect(found?.checked).toBe(steps.length + 30)
    expect(found?.violations.length).toBe(20)
    expect(found?.violations[0]).toEqual({
      property: 'watching',
      atMinutes: 10,
      sequence: 1,
      story: 'It ended.',
      pullRequests: [1],
    })
  })

  test('sees the ledger as it was before its event, at any position among the properties', () => {
    const seen: string[] = []
    const looking = (name: string): Property => ({
      name,
      sentence: 'Looks.',
      watch: ({ ledger }) => ({
        atCommand: () => void seen.push(`${name} ${ledger.commits.length}`),
        on: { tipMoved: ({ tip }) => void seen.push(`${name} ${ledger.commits.length} < ${tip}`) },
        atRest: () => void seen.push(`${name} ${ledger.commits.length}`),
      }),
    })
    const both = [looking('first'), looking('second')]
    simulated({ pullRequests: pullRequests(1) }, { properties: both })
    expect(seen.slice(-6)).toEqual([
      ...['first 0', 'second 0'],
      ...['first 0 < 1', 'second 0 < 1'],
      ...['first 1', 'second 1'],
    ])
  })
})

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
