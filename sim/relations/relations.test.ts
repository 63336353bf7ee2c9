import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { engineParts, type EngineParts } from '../../engine/index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { anyScenario } from '../arbitrary/any-scenario.ts'
import { pullRequests, scenarioOf } from '../testing/simulated.ts'
import { relations } from './relations.ts'

type RelationRun = {
  readonly relation: string
  readonly scenario?: Scenario
  readonly made?: EngineParts
}

const three = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })

type RelationFindings = { readonly checked: number; readonly stories: readonly string[] }

/** Runs the scenario, with the given engine, and returns the findings of the relation. */
function findingsOf({
  relation,
  scenario = three,
  made = engineParts,
}: RelationRun): RelationFindings {
  const watched = relations.filter(({ name }) => name === relation)
  const { properties } = simulate(scenario, { properties: watched, parts: made })
  const result = properties.find(({ name }) => name === relation)
  const stories = result?.violations.map(({ story }) => story) ?? []
  return { checked: result?.checked ?? 0, stories }
}

function storiesOf(run: RelationRun): readonly string[] {
  const { checked, stories } = findingsOf(run)
  expect(checked).toBeGreaterThan(0)
  return stories
}

/** An engine that emits an unneeded `woken` before some commands. */
function wakingWhen(
  isDue: (...observed: Parameters<EngineParts['decide']>) => boolean,
): EngineParts {
  return {
    ...engineParts,
    decide(step, command) {
      if (isDue(step, command)) step.emit({ type: 'woken' })
      return engineParts.decide(step, command)
    },
  }
}

describe('the real engine keeps the relation', () => {
  test.each(relations)('$name in arbitrary scenarios', ({ name: relation }) => {
    fc.assert(
      fc.property(anyScenario(), (scenario) => {
        expect(storiesOf({ relation, scenario })).toEqual([])
      }),
      { numRuns: 5 },
    )
  })

  test.each(relations)('$name in scenarios of the swarm', ({ name: relation }) => {
    let checked = 0
    for (let seed = 1; seed <= 8; seed++) {
      const findings = findingsOf({ relation, scenario: swarmScenario(seed) })
      expect(findings.stories).toEqual([])
      checked += Math.sign(findings.checked)
    }
    // A relation may skip a scenario to which it does not apply, but not many of them.
    expect(checked).toBeGreaterThan(4)
  })

  // E-13, E-80, E-82
  test('lanes-keep-apart where a merge of another lane lets a flake go unnoticed', () => {
    // Alone, the repeated run of 1 shows that the clock flakes, so the batch of 3 and 4 is tested once
    // more. With a merge of another lane before it, the repeated run is of another composition.
    const clock = [{ run: 1, tests: ['clock > strikes twelve'] }]
    const scenario = scenarioOf({
      queue: { mode: 'parallel', batch: true, batchingMinSize: 2, pendingFailureDepth: 1 },
      pullRequests: [
        { number: 1, targets: ['web'], noBatch: true, flakyRuns: clock },
        { number: 2, targets: ['web'], noBatch: true, testMinutes: 60 },
        { number: 3, at: 40, targets: ['api'], flakyRuns: clock },
        { number: 4, at: 40, targets: ['api'] },
      ],
      events: [{ at: 20, do: 'restart', number: 1 }],
    })
    expect(findingsOf({ relation: 'lanes-keep-apart', scenario })).toEqual({
      checked: 1,
      stories: [],
    })
  })

  // E-204, E-226
  test('lanes-keep-apart where passes of another lane make runs flake less, so that nothing is held', () => {
    // Alone, two of 18 runs count as flakes when 21 fails; with two passes of another lane it is one in ten.
    const passing = [11, 12, 13, 14, 15, 16].map((number) => ({ number, at: 10 * number }))
    const scenario = scenarioOf({
      queue: {
        mode: 'parallel',
        canOptimisticallyMerge: true,
        pendingFailureDepth: 1,
        policy: 'adaptive',
      },
      pullRequests: [
        { number: 1, testMinutes: 30 },
        { number: 2, flakyRuns: [1] },
        { number: 3, testMinutes: 20 },
        ...passing,
        { number: 21, at: 400, breaks: true },
        { number: 22, at: 400, testMinutes: 20 },
      ].map((each) => ({ ...each, targets: ['web'] })),
    })
    expect(findingsOf({ relation: 'lanes-keep-apart', scenario })).toEqual({
      checked: 1,
      stories: [],
    })
  })
})

describe('a defect is found when an engine', () => {
  test('keeps state outside of its JSON', () => {
    const known = new WeakSet<object>()
    const stateful = wakingWhen(({ queue, at }) => {
      const isNew = !known.has(queue)
      known.add(queue)
      return isNew && at > 0
    })
    const [story] = storiesOf({ relation: 'restart-changes-nothing', made: stateful })
    expect(story).toMatch(
      /^After finishTestRun at minute 10, where one engine says .*testRunFinished.*, the other says .*woken.*\.$/,
    )
  })

  test('depends on the absolute time', () => {
    const timeDependent = wakingWhen(({ at }) => at > 1_000_000_000)
    const [story] = storiesOf({ relation: 'times-shift', made: timeDependent })
    expect(story).toContain('After submitPullRequest at minute 0, where one engine says')
  })

  test('depends on the numbers of pull requests', () => {
    const numberDependent = wakingWhen((_, command) => 'number' in command && command.number === 2)
    const [story] = storiesOf({ relation: 'numbers-are-names', made: numberDependent })
    expect(story).toContain('where one engine says {"event":{"type":"woken"}}')
  })

  test('rejects a command that the other one accepts, or throws', () => {
    const refusing: EngineParts = {
      ...engineParts,
      decide(step, command) {
        if (step.at > 1_000_000_000) return { code: 'test run is over' }
        return engineParts.decide(step, command)
      },
    }
    const throwing: EngineParts = {
      ...engineParts,
      decide(step, command) {
        if (step.at > 1_000_000_000) throw new Error('too late')
        return engineParts.decide(step, command)
      },
    }
    expect(storiesOf({ relation: 'times-shift', made: refusing })[0]).toContain('test run is over')
    expect(storiesOf({ relation: 'times-shift', made: throwing })[0]).toContain('too late')
  })

  test('reacts to the groups of other lanes', () => {
    const scenario = scenarioOf({
      queue: { mode: 'parallel' },
      pullRequests: [{ number: 1, targets: ['web'] }],
      events: [{ at: 5, do: 'cancel', number: 1 }],
    })
    const laneDependent: EngineParts = {
      ...engineParts,
      decide(step, command) {
        const isBusy = command.type === 'cancelPullRequest' && step.queue.line.length > 1
        return isBusy
          ? { code: 'not in queue', number: command.number }
          : engineParts.decide(step, command)
      },
    }
    expect(storiesOf({ relation: 'lanes-keep-apart', scenario, made: laneDependent })).toEqual([
      'Alone, 1 becomes CANCELLED (USER_REQUESTED) at minute 5; with a lane of its own beside it, ' +
        '1 becomes TESTS_PASSED (TEST_RUN_PASSED) at minute 10.',
    ])
  })

  test('depends on the order of submissions at one instant', () => {
    const orderDependent: EngineParts = {
      ...engineParts,
      decide(step, command) {
        const { pullRequests: known } = step.queue
        if (command.type === 'submitPullRequest' && command.number === 1 && 2 in known) {
          throw new Error('2 came before 1')
        }
        return engineParts.decide(step, command)
      },
    }
    const stories = [1, 2, 3, 4, 5, 6].flatMap((seed) =>
      storiesOf({ relation: 'ties-are-free', scenario: { ...three, seed }, made: orderDependent }),
    )
    expect(stories[0]).toBe(
      'With "tieOrder": "shuffled", engine-does-not-throw is violated: The engine threw: 2 came before 1.',
    )
  })
})
