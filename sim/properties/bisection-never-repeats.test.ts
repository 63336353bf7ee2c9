import { describe, expect, test } from 'vitest'
import { engineParts, rules, type Event, type EngineParts } from '../../engine/index.ts'
import { withMisreadSettings } from '../run/altered-engines.ts'
import { bisectionNeverRepeats } from './bisection-never-repeats.ts'
import { engineWithRules } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { at, submit } from './testing/script.ts'
import { findingsOf, altered, checkProperties } from './testing/watched.ts'

describe('bisection-never-repeats', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
    facts: { breaks: [2, 4] },
    script: submit(0, 1, 2, 3, 4),
  }

  test('holds when every result is used and no run is repeated', () => {
    const { checks, violations } = findingsOf(bisectionNeverRepeats, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds for runs that were lost and for requested repetitions', () => {
    const lost = { ...world, faultyRuns: { 2: 'errored', 4: 'hangs' } as const }
    expect(findingsOf(bisectionNeverRepeats, lost).violations).toEqual([])
    const script = [...world.script, at(11, { type: 'restartTests', number: 1 })]
    expect(findingsOf(bisectionNeverRepeats, { ...world, script }).violations).toEqual([])
  })

  // E-202
  test('holds for runs that the odds demand, also when one of them is lost', () => {
    const configuration = { ...world.configuration, policy: 'adaptive' } as const
    const demanded = { ...world, configuration, facts: { breaks: [1] } }
    expect(findingsOf(bisectionNeverRepeats, demanded).violations).toEqual([])
    const lost = { ...demanded, faultyRuns: { 4: 'errored', 5: 'errored' } as const }
    expect(findingsOf(bisectionNeverRepeats, lost).violations).toEqual([])
  })

  // E-202
  test('is violated when a run is made again although the odds convict', () => {
    const wrong = engineWithRules({
      advanceBisection: withMisreadSettings(rules.advanceBisection, asking),
      startBisectionRuns: withMisreadSettings(rules.startBisectionRuns, asking),
    })
    const { stories } = findingsOf(
      bisectionNeverRepeats,
      { ...world, facts: { breaks: [1] } },
      wrong,
    )
    expect(stories[0]).toMatch(/^Run \d of bisection 1 tests 1 on none, although run \d had failed/)
  })

  test('is violated when a failure is forgotten and its run repeated', () => {
    const wrong = engineWithRules({}, { evolve: forgettingOnce() })
    expect(findingsOf(bisectionNeverRepeats, world, wrong).stories[0]).toMatch(
      /^Run \d of bisection 1 tests .*, although run \d had failed on the same \(results in all: 1\)\.$/,
    )
  })

  test('is violated when two runs test one composition at the same time', () => {
    const twice = altered(drive(world), (event) =>
      event.type === 'testRunStarted' && event.run.owner.kind === 'bisection'
        ? [event, { ...event, run: { ...event.run, id: event.run.id + 100 } }]
        : [event],
    )
    expect(checkProperties([bisectionNeverRepeats], world, twice).stories[0]).toBe(
      'Run 102 of bisection 1 tests 1 and 2 on none, although run 2 was testing the same.',
    )
  })

  test('is violated when a result is reused for another composition', () => {
    // Run 3 has convicted 2 and is no result for the other members.
    const elsewhere = (event: Event): Event[] => [
      event.type === 'testRunSaved' ? { ...event, testRun: 99 } : event,
    ]
    const eliminated = { ...world, facts: { breaks: [4] } }
    expect(findingsOf(bisectionNeverRepeats, eliminated).violations).toEqual([])
    expect(
      checkProperties([bisectionNeverRepeats], eliminated, altered(drive(eliminated), elsewhere))
        .stories[0],
    ).toBe(
      'Bisection 1 reused the result of run 99, which is for a composition that it does not need.',
    )
  })

  test('is violated when the result of the batch is reused after its culprit has left', () => {
    const stale = altered(drive(world), (event) =>
      event.type === 'memberConvicted'
        ? [event, { type: 'testRunSaved', bisection: 1, composition: '', testRun: 1 }]
        : [event],
    )
    const { stories } = checkProperties([bisectionNeverRepeats], world, stale)
    expect(stories.at(-1)).toBe(
      'Bisection 1 reused the result of run 1, which is for a composition that it does not need.',
    )
  })
})

const asking = (): { policy: 'adaptive' | 'documented' } => ({ policy: 'adaptive' })

/** An engine that forgets one failure. */
function forgettingOnce(): EngineParts['evolve'] {
  let hasForgotten = false
  return (queue, event) => {
    engineParts.evolve(queue, event)
    if (event.type !== 'bisectionVerdictReached' || event.outcome === 'passed') return
    const bisection = queue.bisections.find(({ id }) => id === event.bisection)
    if (!hasForgotten && bisection) delete bisection.verdicts[event.run.composition]
    hasForgotten = true
  }
}
