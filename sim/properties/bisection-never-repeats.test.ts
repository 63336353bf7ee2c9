import { describe, expect, test } from 'vitest'
import { parts, type Event, type Parts } from '../../engine/index.ts'
import { bisectionNeverRepeats } from './bisection-never-repeats.ts'
import { engineWith } from './testing/defects.ts'
import { drive } from './testing/drive.ts'
import { at, submit } from './testing/script.ts'
import { find, tampered, watched } from './testing/watched.ts'

describe('bisection-never-repeats', () => {
  const world = {
    configuration: { batch: true, batchingMinSize: 4, bisectionConcurrency: 1 },
    facts: { breaks: [2, 4] },
    script: submit(0, 1, 2, 3, 4),
  }

  test('holds when every result is used and none asked for again', () => {
    const { checks, violations } = find(bisectionNeverRepeats, world)
    expect(violations).toEqual([])
    expect(checks).toBeGreaterThan(0)
  })

  test('holds for runs that were lost or that somebody asked to repeat', () => {
    const lost = { ...world, oddRuns: { 2: 'errored', 4: 'hangs' } as const }
    expect(find(bisectionNeverRepeats, lost).violations).toEqual([])
    const script = [...world.script, at(11, { type: 'restartTests', number: 1 })]
    expect(find(bisectionNeverRepeats, { ...world, script }).violations).toEqual([])
  })

  test('is violated when a failure is forgotten and asked for again', () => {
    const wrong = engineWith({}, { evolve: forgettingOnce() })
    expect(find(bisectionNeverRepeats, world, wrong).stories[0]).toMatch(
      /^Run \d of bisection 1 tests .*, and run \d had failed on the same, 1 known in all\.$/,
    )
  })

  test('is violated when one composition is tested twice at a time', () => {
    const twice = tampered(drive(world), (event) =>
      event.type === 'testRunStarted' && event.run.owner.kind === 'bisection'
        ? [event, { ...event, run: { ...event.run, id: event.run.id + 100 } }]
        : [event],
    )
    expect(watched([bisectionNeverRepeats], world, twice).stories[0]).toBe(
      'Run 102 of bisection 1 tests 1 and 2 on none, and run 2 was under way on the same.',
    )
  })

  test('is violated when a result is reused that is about something else', () => {
    // Run 3 has convicted 2, and says nothing about whoever is left.
    const elsewhere = (event: Event): Event[] => [
      event.type === 'testRunSaved' ? { ...event, testRun: 99 } : event,
    ]
    const eliminated = { ...world, facts: { breaks: [4] } }
    expect(find(bisectionNeverRepeats, eliminated).violations).toEqual([])
    expect(
      watched([bisectionNeverRepeats], eliminated, tampered(drive(eliminated), elsewhere))
        .stories[0],
    ).toBe('Bisection 1 reused the result of run 99, which is not about what it looks for.')
  })

  test('is violated when the result of the batch is reused although its culprit is out', () => {
    const stale = tampered(drive(world), (event) =>
      event.type === 'memberConvicted'
        ? [event, { type: 'testRunSaved', bisection: 1, composition: '', testRun: 1 }]
        : [event],
    )
    const { stories } = watched([bisectionNeverRepeats], world, stale)
    expect(stories.at(-1)).toBe(
      'Bisection 1 reused the result of run 1, which is not about what it looks for.',
    )
  })
})

/** Once, a failure is not kept. */
function forgettingOnce(): Parts['evolve'] {
  let hasForgotten = false
  return (queue, event) => {
    parts.evolve(queue, event)
    if (event.type !== 'bisectionVerdictReached' || event.outcome === 'passed') return
    const bisection = queue.bisections.find(({ id }) => id === event.bisection)
    if (!hasForgotten && bisection) delete bisection.verdicts[event.run.composition]
    hasForgotten = true
  }
}
