import { describe, expect, test } from 'vitest'
import { parts, rules, type Parts } from '../engine/index.ts'
import type { Moment } from './moment.ts'
import type { Property } from './properties/property.ts'
import type { MomentReader, RunContext } from './run-context.ts'
import type { Scenario } from './scenario/scenario.ts'
import { simulate } from './simulate.ts'
import { endsOf, played, pullRequests, scenarioOf, violated } from './testing/played.ts'

describe('an engine with a defect', () => {
  const run = { pullRequests: pullRequests(3) } as const

  const without = (name: keyof typeof rules): Parts => ({
    ...parts,
    rules: Object.entries(rules).flatMap(([each, rule]) => (each === name ? [] : [rule])),
  })

  test('that throws ends the run, with what was found until then', () => {
    const defective: Parts = {
      ...parts,
      evolve(queue, event) {
        if (event.type === 'tipMoved' && event.tip === 2) throw new Error('the tip is lost')
        parts.evolve(queue, event)
      },
    }
    const result = played({ ...run, queue: { concurrency: 1 } }, { parts: defective })
    expect(violated(result)).toEqual(['engine-does-not-throw'])
    const [found] = result.properties[0]?.violations ?? []
    expect(found).toMatchObject({ atMinutes: 20, story: 'The engine threw: the tip is lost.' })
    expect(endsOf(result)).toEqual({ 1: 'MERGED', 2: 'TESTING', 3: 'PENDING' })
    expect(result.testRuns.at(-1)).toMatchObject({ tested: [2], finishedAt: null, outcome: null })
  })

  test('that lets nobody merge comes to rest with everybody still there', () => {
    const { breach } = simulate(scenarioOf(run), { parts: without('merge') })
    expect(breach).toMatchObject({ kind: 'at rest', pullRequests: [1, 2, 3] })
  })

  test('that goes in circles is stopped', () => {
    const restless: Parts = {
      ...parts,
      decide(step, command) {
        const rejection = parts.decide(step, command)
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
})

describe('who watches', () => {
  test('hears every moment, numbered by events, and the end', () => {
    const heard: Moment[] = []
    const ends: number[] = []
    const watching: Property = {
      name: 'watching',
      sentence: 'Watches.',
      watch: (setting, findings) => ({
        onMoment(moment) {
          heard.push(moment)
          findings.check()
        },
        atEnd(queue) {
          ends.push(queue.now)
          expect(setting.hasHonestTests).toBe(true)
          const found = { at: queue.now, sequence: 1, story: 'It ended.', pullRequests: [1] }
          for (let time = 0; time < 30; time++) findings.violate(found)
        },
      }),
    }
    const result = played({ pullRequests: pullRequests(2) }, { properties: [watching] })
    const counts = heard.map(({ sequence, events }) => [sequence, sequence + events.length])
    expect(counts.every(([from], index) => index === 0 || from === counts[index - 1]?.[1])).toBe(
      true,
    )
    expect(ends).toEqual([600_000])
    const found = result.properties.find(({ name }) => name === 'watching')
    expect(found?.checked).toBe(heard.length)
    expect(found?.violations.length).toBe(20)
    expect(found?.violations[0]).toEqual({
      property: 'watching',
      atMinutes: 10,
      sequence: 1,
      story: 'It ended.',
      pullRequests: [1],
    })
  })

  test('may know the truth, and whether tests are honest', () => {
    const honest = (sketch: Parameters<typeof scenarioOf>[0]): boolean => {
      const known: RunContext[] = []
      const reader = (context: RunContext): MomentReader => {
        known.push(context)
        return () => undefined
      }
      simulate(scenarioOf(sketch), { readers: [reader] })
      return known.every(({ hasHonestTests }) => hasHonestTests)
    }
    expect(honest({ suite: { minutes: { median: 20, p95: 45 } } })).toBe(true)
    expect(honest({ suite: { minutes: { exponential: 10 } } })).toBe(false)
    expect(honest({ suite: { minutes: 300 } })).toBe(false)
    expect(honest({ suite: { minutes: 299 } })).toBe(true)
    expect(honest({ suite: { minutes: 299 }, faults: { lateResultMinutes: 1 } })).toBe(false)
    expect(honest({ suiteFlakes: { perRun: 0.1 } })).toBe(false)
    expect(honest({ suiteFlakes: { tests: [{ name: 'a', rate: 0.1 }] } })).toBe(false)
    expect(honest({ pullRequests: [{ number: 1, flakyRuns: [1] }] })).toBe(false)
    expect(honest({ pullRequests: [{ number: 1, testMinutes: 300 }] })).toBe(false)
    expect(honest({ traffic: { count: 1, flakyPullRequestRate: 0.1 } })).toBe(false)
    expect(honest({ faults: { hangRate: 0.1 } })).toBe(false)
    expect(honest({ faults: { outages: [{ from: 1, minutes: 1 }] } })).toBe(false)
    expect(honest({ events: [{ do: 'updateQueue', set: { testingTimeoutMinutes: 5 } }] })).toBe(
      false,
    )
    expect(honest({ faults: { mergeRefusedRate: 0.1, crashRate: 0.1 } })).toBe(true)
  })
})
