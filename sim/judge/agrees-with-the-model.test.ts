import { describe, expect, test } from 'vitest'
import { engineParts, rules, type EngineParts } from '../../engine/index.ts'
import { defectNamed } from '../defects/index.ts'
import { answering, insteadOfRejecting, replacing, without } from '../defects/alterations.ts'
import { simulate } from '../run/simulate.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { shrink } from '../shrink/shrink.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import { agreesWithTheModel } from './agrees-with-the-model.ts'
import { failuresOf } from './verdict.ts'

/** Runs the scenario beside the model, and returns what it finds. */
function findingsOf(
  scenario: Scenario,
  parts: EngineParts = engineParts,
): { readonly checked: number; readonly stories: readonly string[] } {
  const { properties } = simulate(scenario, { properties: [agreesWithTheModel], parts })
  const result = properties.find(({ name }) => name === agreesWithTheModel.name)
  const stories = result?.violations.map(({ story }) => story) ?? []
  return { checked: result?.checked ?? 0, stories }
}

const batches = { batch: true, batchingMinSize: 3, concurrency: 1 } as const

describe('the engine agrees with the model', () => {
  // E-36, E-143
  test('when an upload came before a text conflict, and an urgent pull request after it', () => {
    // 2 waits for 1 because of the conflict, and depends on it only by the upload.
    const targets = ['web']
    const scenario = scenarioOf({
      queue: { mode: 'parallel', concurrency: 3 },
      pullRequests: [
        { number: 1, targets },
        { number: 2, at: 2, targets: ['ios'], conflictsWith: [1] },
        { number: 3, at: 3, targets, priority: 'urgent' },
      ],
      events: [{ at: 1, do: 'setImpactedTargets', number: 1, targets: ['ios'] }],
    })
    const { checked, stories } = findingsOf(scenario)
    expect(stories).toEqual([])
    expect(checked).toBeGreaterThan(0)
  })

  // E-94, E-96
  test('when one that waits for a conflict has lost the target that it shared', () => {
    const scenario = scenarioOf({
      queue: { mode: 'parallel' },
      pullRequests: [
        { number: 1, targets: ['core'] },
        { number: 2, targets: ['core'], conflictsWith: [1] },
        { number: 3, at: 1, targets: ['core'], priority: 'urgent' },
      ],
      events: [{ do: 'setImpactedTargets', number: 2, targets: [] }],
    })
    expect(findingsOf(scenario).stories).toEqual([])
  })

  // E-143
  test('when an upload adds a target of one behind it that is being merged', () => {
    const scenario = scenarioOf({
      queue: { mode: 'parallel' },
      pullRequests: [
        { number: 1, targets: ['core'] },
        { number: 2, targets: ['core'] },
        { number: 3, targets: ['ios'] },
      ],
      events: [{ at: 20, do: 'setImpactedTargets', number: 2, targets: ['ios'] }],
      faults: { mergeMinutes: 20 },
    })
    expect(findingsOf(scenario).stories).toEqual([])
  })

  // E-208
  test('when the branch has moved, as reported, and a member was cancelled while its group merged', () => {
    const scenario = scenarioOf({
      queue: { batch: true },
      pullRequests: [{ number: 2 }, { number: 5 }],
      events: [{ at: 20, do: 'cancel', number: 2 }],
      codeHost: { landsGroups: true },
      faults: { mergeMinutes: 20, branchMovedRate: 1 },
    })
    expect(findingsOf(scenario).stories).toEqual([])
  })

  // E-63, E-158
  test('about the tries of a lost run when two lanes below it have changed places', () => {
    const scenario = scenarioOf({
      seed: 4,
      queue: { mode: 'parallel', batch: true },
      suite: { minutes: { uniform: [9, 11] } },
      pullRequests: [
        { number: 3 },
        { number: 2, at: 9, targets: ['core'] },
        { number: 7, at: 30, targets: ['docs'] },
      ],
      events: [
        { at: 15, do: 'setImpactedTargets', number: 3, targets: ['docs'] },
        { at: 31, do: 'setImpactedTargets', number: 2, targets: 'ALL' },
      ],
      faults: {
        outages: [
          { from: 40, minutes: 20 },
          { from: 10, minutes: 17 },
        ],
        mergeMinutes: 20,
      },
    })
    expect(findingsOf(scenario).stories).toEqual([])
  })
})

describe('a difference', () => {
  test('says after which command, what the model expects by which rule, and what the engine did', () => {
    const scenario = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(2) })
    const idle = without('formGroup')
    expect(findingsOf(scenario, idle).stories).toEqual([
      'After submitPullRequest at minute 0, the model expects main run 1 on 0 commits > 1 (attempt 0, until minute 300) (E-12, E-22 to E-26, E-61 to E-64, E-158, E-189, E-190, E-210, E-232, E-262 to E-267), and the engine says nothing more.',
    ])
  })

  test('is shown once in a run, because everything after it differs as well', () => {
    const scenario = scenarioOf({ queue: batches, pullRequests: pullRequests(9) })
    const { checked, stories } = findingsOf(scenario, defectNamed('batch-of-one-more').parts)
    expect(stories).toHaveLength(1)
    expect(checked).toBeLessThan(findingsOf(scenario).checked)
  })

  test('is a command that the specification refuses and the engine accepts', () => {
    const lenient = insteadOfRejecting('cancelPullRequest', 'not in queue', () => null)
    const scenario = scenarioOf({
      pullRequests: pullRequests(1),
      events: [{ at: 100, do: 'cancel', number: 1 }],
    })
    expect(findingsOf(scenario, lenient).stories).toEqual([
      'After cancelPullRequest at minute 100, the model refuses the command.',
    ])
  })

  test('is a command that the engine refuses and the specification accepts', () => {
    const strict = answering('cancelPullRequest', () => ({ code: 'not in queue', number: 1 }))
    const scenario = scenarioOf({
      pullRequests: pullRequests(1),
      events: [{ at: 5, do: 'cancel', number: 1 }],
    })
    expect(findingsOf(scenario, strict).stories).toEqual([
      'After cancelPullRequest at minute 5, the model accepts the command, and the engine refuses it.',
    ])
  })

  test('is a wake-up that comes too late', () => {
    const scenario = scenarioOf({ pullRequests: pullRequests(1) })
    const asleep = without('armWake')
    expect(findingsOf(scenario, asleep).stories).toEqual([
      'After submitPullRequest at minute 0, the model expects a wake-up by minute 300 (E-8), and the engine asks for none.',
    ])
  })

  test('is not that the rules are tried in other steps', () => {
    const scenario = scenarioOf({ queue: batches, pullRequests: pullRequests(4) })
    const split = replacing({ merge: (step) => rules.merge(step) && rules.merge(step) })
    expect(findingsOf(scenario, split)).toEqual(findingsOf(scenario))
  })
})

test('a difference is shrunk like any other violation', () => {
  const parts = defectNamed('batch-of-one-more').parts
  const scenario = scenarioOf({ queue: batches, pullRequests: pullRequests(9) })
  const outcome = simulate(scenario, { properties: [agreesWithTheModel], parts })
  const [failure] = failuresOf(outcome.properties)
  const shrunk = failure ? shrink(scenario, failure, { parts }) : null
  expect(shrunk?.failure.name).toBe('agrees-with-the-model')
  expect(shrunk?.scenario.pullRequests?.length).toBeLessThan(5)
})
