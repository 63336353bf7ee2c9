import { describe, expect, test } from 'vitest'
import { queueStates } from '../model/queue-state.ts'
import { lanes, Story } from '../testing/story.ts'

describe('the interface document on parallel queues', () => {
  // E-92
  test('"Impacted targets are used with parallel queues": in single mode they have no effect', () => {
    const story = new Story({ concurrency: 3 })
    story.touches(1, ['web'])
    story.touches(2, ['api'])
    story.submit(1, 2, 3)
    expect(story.running).toEqual(['> 1', '1 > 2', '1 2 > 3'])
  })

  test('"ALL is the way to stay under the request size limit": the same groups depend on it', () => {
    const list = Array.from({ length: 20_000 }, (_, nth) => `package-${nth}`)
    const named = lanes({ 1: ['package-0'], 2: ['package-19999'], 3: list })
    named.submit(1, 2, 3)
    const all = lanes({ 1: ['package-0'], 2: ['package-19999'], 3: 'ALL' })
    all.submit(1, 2, 3)
    expect(named.running).toEqual(['> 1', '> 2', '1 2 > 3'])
    expect(all.running).toEqual(named.running)
  })

  // E-24
  test('"Testing concurrency": all lanes of a queue share the slots', () => {
    const story = lanes({ 1: ['a'], 2: ['b'], 3: ['c'], 4: ['d'] }, { concurrency: 3 })
    story.submit(1, 2, 3, 4)
    expect(story.running).toEqual(['> 1', '> 2', '> 3'])
  })

  // E-71
  test('"Bisection testing concurrency": the bisections of all lanes share separate slots', () => {
    const batches = { batch: true, batchingMinSize: 2, concurrency: 2, bisectionConcurrency: 1 }
    const story = lanes({ 1: ['a'], 2: ['a'], 3: ['b'], 4: ['b'] }, batches)
    story.submit(1, 2, 3, 4)
    story.fail('> 1 2')
    story.fail('> 3 4')
    expect(story.running).toEqual(['bisect > 1'])
    story.fail('bisect > 1')
    story.pass('bisect > 2')
    expect(story.running).toEqual(['bisect > 3'])
  })

  test('"Batches are tested against the projected future state": the state of their lane', () => {
    const batches = { batch: true, batchingMinSize: 2 }
    const targets = { 1: ['a'], 2: ['a'], 3: ['b'], 4: ['b'], 5: ['b', 'a'], 6: ['b'] }
    const story = lanes(targets, batches)
    story.submit(1, 2, 3, 4, 6, 5)
    expect(story.running).toEqual(['> 1 2', '> 3 4', '1 2 3 4 > 6 5'])
  })
})

/** A queue in the given state: pull request 1 is tested and 2 waits. */
function inState(state: (typeof queueStates)[number]): Story {
  const story = new Story({ concurrency: 1 })
  story.touches(2, ['web'])
  story.touches(3, ['api'])
  story.submit(1, 2)
  if (state === 'SWITCHING_MODES') story.update({ mode: 'parallel' })
  else story.update({ state })
  return story
}

describe('the interface document on queue states', () => {
  // E-102
  test('"A queue has a state: RUNNING, PAUSED, DRAINING, SWITCHING_MODES": there is no other state', () => {
    expect([...queueStates]).toEqual(['RUNNING', 'PAUSED', 'DRAINING', 'SWITCHING_MODES'])
    expect(queueStates.map((state) => inState(state).queue.state)).toEqual([...queueStates])
  })

  // E-17, E-98
  test.each(queueStates)('"Submit a pull request": %s accepts it, and it merges later', (state) => {
    const story = inState(state)
    story.submit(3)
    expect(story.stateOf(3)).toBe(state === 'RUNNING' ? 'PENDING' : 'NOT_READY')
    story.pass('> 1')
    if (state !== 'SWITCHING_MODES') story.update({ state: 'RUNNING' })
    story.pass('> 2')
    story.pass('> 3')
    expect(story.merged).toEqual([1, 2, 3])
  })

  // E-98
  test.each(queueStates)('"Remove a pull request from the queue": in %s', (state) => {
    const story = inState(state)
    expect(story.cancel(2)).toBeNull()
    expect(story.cancel(1)).toBeNull()
    expect(story.states(1, 2)).toEqual(['CANCELLED', 'CANCELLED'])
    expect(story.running).toEqual([])
  })

  // E-98
  test.each(queueStates)('"Re-run tests on a pull request": in %s', (state) => {
    const story = inState(state)
    expect(story.restart(1)).toBeNull()
    expect(story.running).toEqual(state === 'PAUSED' ? [] : ['> 1'])
    expect(story.reasonOf(1)).toBe(state === 'PAUSED' ? 'TESTS_RESTARTED_BY_API_REQUEST' : null)
  })

  // E-28, E-98
  test.each(queueStates)('"Update queue configuration": in %s it stops no run', (state) => {
    const story = inState(state)
    expect(story.update({ concurrency: 3, batch: true, batchingMinSize: 2 })).toBeNull()
    expect(story.queue.configuration).toMatchObject({ concurrency: 3, batch: true })
    expect(story.running[0]).toBe('> 1')
    expect(story.happened('testRunCancelled')).toEqual([])
  })

  // E-98
  test.each(queueStates)('"Set the impacted targets of a pull request": in %s', (state) => {
    const story = inState(state)
    story.touches(2, 'ALL')
    expect(story.queue.impactedTargets[2]).toBe('ALL')
    expect(story.running[0]).toBe('> 1')
  })
})

describe('PAUSED', () => {
  // E-99
  test('starts neither restarts nor bisection runs', () => {
    const story = new Story({ concurrency: 2, batch: true, batchingMinSize: 2 })
    story.submit(1, 2, 3, 4)
    story.update({ state: 'PAUSED' })
    story.fail('> 1 2')
    expect(story.running).toEqual([])
    story.update({ state: 'RUNNING' })
    expect(story.running).toEqual(['bisect > 1', '> 3 4'])
  })

  // E-18, E-101
  test('when it is RUNNING again, waiting pull requests become ready in order of submission', () => {
    const story = new Story({ concurrency: 1 }, { state: 'PAUSED' })
    story.submit(3, 1, 2)
    expect(story.states(1, 2, 3)).toEqual(['NOT_READY', 'NOT_READY', 'NOT_READY'])
    story.update({ state: 'RUNNING' })
    expect(story.reasonOf(1)).toBe('MERGE_ITEM_NOW_READY')
    for (const number of [3, 1, 2]) story.pass(`> ${number}`)
    expect(story.merged).toEqual([3, 1, 2])
  })
})
