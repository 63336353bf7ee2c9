import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parts, type Parts } from '../../engine/index.ts'
import type { Property } from '../properties/property.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { simulate } from '../simulate.ts'
import { swarmScenario } from '../swarm/swarm.ts'
import { anyScenario } from '../testing/any-scenario.ts'
import { pullRequests, scenarioOf } from '../testing/played.ts'
import { relations } from './index.ts'
import { lanesKeepApart } from './lanes-keep-apart.ts'
import { numbersAreNames } from './numbers-are-names.ts'
import { restartChangesNothing } from './restart.ts'
import { tiesAreFree } from './ties-are-free.ts'
import { timesShift } from './times-shift.ts'

type Wish = { readonly relation: Property; readonly scenario?: Scenario; readonly made?: Parts }

const three = scenarioOf({ queue: { concurrency: 1 }, pullRequests: pullRequests(3) })

type Findings = { readonly checked: number; readonly stories: readonly string[] }

/** What the relation finds in the run; of an engine with a defect, if one is given. */
function findingsOf({ relation, scenario = three, made = parts }: Wish): Findings {
  const { properties } = simulate(scenario, { properties: [relation], parts: made })
  const result = properties.find(({ name }) => name === relation.name)
  const stories = result?.violations.map(({ story }) => story) ?? []
  return { checked: result?.checked ?? 0, stories }
}

function storiesOf(wish: Wish): readonly string[] {
  const { checked, stories } = findingsOf(wish)
  expect(checked).toBeGreaterThan(0)
  return stories
}

/** An engine that wakes in vain before some commands. */
function wakingWhen(isDue: (...heard: Parameters<Parts['decide']>) => boolean): Parts {
  return {
    ...parts,
    decide(step, command) {
      if (isDue(step, command)) step.emit({ type: 'woken' })
      return parts.decide(step, command)
    },
  }
}

describe('the engine that ships', () => {
  test.each(relations)('$name in scenarios of every kind', (relation) => {
    fc.assert(
      fc.property(anyScenario, (scenario) => {
        expect(storiesOf({ relation, scenario })).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test.each(relations)('$name in scenarios of the swarm', (relation) => {
    let checked = 0
    for (let seed = 1; seed <= 30; seed++) {
      const findings = findingsOf({ relation, scenario: swarmScenario(seed) })
      expect(findings.stories).toEqual([])
      checked += Math.sign(findings.checked)
    }
    // A relation may leave out a scenario that it has nothing to say of, but not many of them.
    expect(checked).toBeGreaterThan(20)
  })
})

describe('an engine with a defect', () => {
  test('that remembers something outside of its JSON does not survive a restart', () => {
    const known = new WeakSet<object>()
    const forgetful = wakingWhen(({ queue, at }) => {
      const isNew = !known.has(queue)
      known.add(queue)
      return isNew && at > 0
    })
    const [story] = storiesOf({ relation: restartChangesNothing, made: forgetful })
    expect(story).toMatch(
      /^After finishTestRun at minute 10, where one engine says .*testRunFinished.*, the other says .*woken.*\.$/,
    )
  })

  test('that cares what time it is shifts otherwise', () => {
    const fridays = wakingWhen(({ at }) => at > 1_000_000_000)
    const [story] = storiesOf({ relation: timesShift, made: fridays })
    expect(story).toContain('After submitPullRequest at minute 0, where one engine says')
  })

  test('that cares for numbers goes another way with others', () => {
    const superstitious = wakingWhen((_, command) => 'number' in command && command.number === 2)
    const [story] = storiesOf({ relation: numbersAreNames, made: superstitious })
    expect(story).toContain('where one engine says {"event":{"type":"woken"}}')
  })

  test('that refuses what the other took, or throws, goes another way', () => {
    const refusing: Parts = {
      ...parts,
      decide(step, command) {
        if (step.at > 1_000_000_000) return { code: 'test run is over' }
        return parts.decide(step, command)
      },
    }
    const throwing: Parts = {
      ...parts,
      decide(step, command) {
        if (step.at > 1_000_000_000) throw new Error('too late')
        return parts.decide(step, command)
      },
    }
    expect(storiesOf({ relation: timesShift, made: refusing })[0]).toContain('test run is over')
    expect(storiesOf({ relation: timesShift, made: throwing })[0]).toContain('too late')
  })

  test('that minds what other lanes do does not keep lanes apart', () => {
    const scenario = scenarioOf({
      queue: { mode: 'parallel' },
      pullRequests: [{ number: 1, targets: ['web'] }],
      events: [{ at: 5, do: 'cancel', number: 1 }],
    })
    const busy: Parts = {
      ...parts,
      decide(step, command) {
        const isBusy = command.type === 'cancelPullRequest' && step.queue.line.length > 1
        return isBusy
          ? { code: 'not in queue', number: command.number }
          : parts.decide(step, command)
      },
    }
    expect(storiesOf({ relation: lanesKeepApart, scenario, made: busy })).toEqual([
      'Alone, 1 becomes CANCELLED (USER_REQUESTED) at minute 5; with a lane of its own beside it, ' +
        '1 becomes TESTS_PASSED (TEST_RUN_PASSED) at minute 10.',
    ])
  })

  test('that wants a certain order breaks properties in another', () => {
    const orderly: Parts = {
      ...parts,
      decide(step, command) {
        const { pullRequests: known } = step.queue
        if (command.type === 'submitPullRequest' && command.number === 1 && 2 in known) {
          throw new Error('2 came before 1')
        }
        return parts.decide(step, command)
      },
    }
    const stories = [1, 2, 3, 4, 5, 6].flatMap((seed) =>
      storiesOf({ relation: tiesAreFree, scenario: { ...three, seed }, made: orderly }),
    )
    expect(stories[0]).toBe(
      'With "tieOrder": "shuffled", engine-does-not-throw is violated: The engine threw: 2 came before 1.',
    )
  })
})
