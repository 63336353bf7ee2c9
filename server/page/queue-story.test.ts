/** A queue in the words and figures of the page: the line, a bisection step by step, and the trends. */

import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Millis, RecordedCommand, RecordedSettings } from '../../engine/index.ts'
import { DrivenQueue } from '../testing/driven-queue.ts'
import type { PullRequestPage, Trends, Estimate } from './frame.ts'
import { concluded, lineOf, runsOf } from './picture.ts'
import { pullRequestPage } from './pull-request-page.ts'
import { StateChanges } from './view.ts'
import { trendsOf } from './trends.ts'
import { whyOf } from '../views/why.ts'
import type { TestServer } from '../testing/test-server.ts'
import { type PageStream, bareParts, pageWorld } from './testing/page-client.ts'

const minute: Millis = 60_000

/** A queue that takes batches of three, in the words of the page. */
class Story extends DrivenQueue {
  constructor(settings: RecordedSettings = {}) {
    const batches = { batch: true, batchingMinSize: 3 }
    super({ ...batches, concurrency: 1, bisectionConcurrency: 1, ...settings })
  }

  why(number: number): string {
    return whyOf(this.queue, this.pull(number))
  }

  pageOf(number: number): PullRequestPage {
    const asked = { parts: bareParts(), audience: 'member' } as const
    return pullRequestPage(this.queue, this.pull(number), asked)
  }

  trends(hours: number, now: Millis, audience: 'member' | 'public' = 'member'): Trends {
    const { testCases } = this.registry
    return trendsOf(this.queue, { hours, now, audience, testCases })
  }
}

test('a batch fails, and its bisection grows step by step until the culprit is named', () => {
  const told = new Story()
  for (const number of [1, 2, 3, 4]) told.submit(number, number)
  expect(told.why(1)).toBe('Its tests run with 2 others.')
  expect(told.why(4)).toBe('Waits for the only slot, which is in use.')
  const tree = () => {
    const [first] = lineOf(told.queue).bisections
    return first && { ...first, steps: first.steps.map(({ tested, run }) => [tested, run.outcome]) }
  }
  told.end(10, 1, 'failed')
  expect(tree()).toMatchObject({ members: [1, 2, 3], proven: [], culprits: [] })
  expect(told.why(2)).toMatch(
    /^Its batch failed; the bisection looks for the culprit among [23]\.$/,
  )
  const steps: unknown[] = []
  for (let minutes = 20; tree(); minutes += 10) {
    const run = Object.values(told.queue.engine.queue.testRuns).find(
      ({ owner }) => owner.kind === 'bisection',
    )
    if (!run) break
    steps.push(tree()?.steps)
    told.end(minutes, run.id, run.tested.includes(2) ? 'failed' : 'passed')
  }
  expect(steps).toEqual([
    [[[1], null]],
    [
      [[1], 'passed'],
      [[2], null],
    ],
    [
      [[1], 'passed'],
      [[2], 'failed'],
      [[3], null],
    ],
  ])
  expect([...concluded(told.queue)].map(({ number, state }) => [number, state])).toContainEqual([
    2,
    'FAILED',
  ])
  expect(told.pageOf(2).row).toMatchObject({
    state: 'FAILED',
    why: 'Its tests failed; without it they passed.',
    member: { evidence: { failedIn: expect.stringMatching(/^0c9a5a2e-5b1f-/) } },
  })
})

test('a run of a bisection that is lost is repeated, and until then that is said', () => {
  const told = new Story()
  for (const number of [1, 2, 3]) told.submit(number, number)
  told.end(10, 1, 'failed')
  const [run] = Object.values(told.queue.engine.queue.testRuns)
  told.end(20, run?.id ?? 0, 'errored')
  expect(told.why(1)).toBe(
    'Its batch failed; the bisection looks for the culprit among 3. Its run ended without a verdict, and is repeated.',
  )
  expect(told.why(3)).toBe('Its batch failed; the bisection looks for the culprit among 3.')
})

describe('the adaptive policy says with its numbers', () => {
  const adaptive = { policy: 'adaptive', tipTestMode: 'off' } as const
  const submitted = (numbers: number, settings: RecordedSettings): Story => {
    const told = new Story({ ...adaptive, ...settings })
    for (let number = 1; number <= numbers; number++) told.submit(number, number)
    return told
  }

  // A-340, E-225
  test('how large a batch is', () => {
    const told = submitted(3, { batchingMinSize: 16, concurrency: 3 })
    expect(told.why(3)).toBe('Waits for a batch of 2 to fill; 10 % of the pull requests fail.')
  })

  // A-340, E-189, E-190
  test('why a group is tested alone, waits after that, and waits when it has failed', () => {
    const told = submitted(13, { batch: false, concurrency: 13 })
    const doubt = 'is 28 %, and 30 % are needed.'
    expect(told.why(13)).toBe(
      `Its tests run without those ahead: the chance that these all pass ${doubt}`,
    )
    told.end(20, 13, 'passed')
    expect(told.why(13)).toBe(
      `It passed alone and waits: the chance that those ahead all pass ${doubt}`,
    )
    const failed = submitted(13, { batch: false, concurrency: 13 })
    failed.end(20, 13, 'failed')
    expect(failed.why(13)).toBe(
      'It failed without those ahead; it is settled when these have merged or left.',
    )
  })

  // A-340, E-187, E-226
  test('why a failure steps aside', () => {
    const settings = { batch: false, concurrency: 2, pendingFailureDepth: 1 }
    const told = submitted(2, settings)
    told.end(20, 2, 'failed')
    expect(told.why(2)).toBe(
      'Its run failed, and those behind go on without it, because only 10 % of the runs flake; what is ahead is not settled yet.',
    )
  })

  // A-340, E-200, E-201
  test('why a failure is not believed yet, and that the run that could tell is lost', () => {
    const told = submitted(1, { batch: false })
    told.end(20, 1, 'failed')
    const doubt =
      'Its tests failed; the odds that it breaks them are 1.1 to 1 now, and 10 to 1 are needed, so it is tested again.'
    expect(told.why(1)).toBe(doubt)
    const [run] = Object.values(told.queue.engine.queue.testRuns)
    told.end(30, run?.id ?? 0, 'errored')
    expect(told.why(1)).toBe(`${doubt} Its run ended without a verdict, and is repeated.`)

    const branch = submitted(1, { batch: false, tipTestMode: 'always' })
    for (const id of [1, 2]) branch.end(20 + id, id, 'failed')
    expect(branch.why(1)).toBe(
      'Its run failed; whether the target branch fails by itself is being tested.',
    )
  })
})

test('a run that was cancelled took until the next step', () => {
  const told = new Story({ batch: false, concurrency: 2 })
  for (const number of [1, 2]) told.submit(number, number)
  told.at(12, { type: 'cancelPullRequest', number: 1, reason: 'USER_REQUESTED' })
  expect(told.pageOf(2).runs).toMatchObject([
    { outcome: 'cancelled', endedAt: '1970-01-01T00:12:00.000Z', base: [1] },
    { outcome: null, endedAt: null, base: [] },
  ])
})

test('in parallel mode the reason names what a run stands on, not what is ahead in the line', () => {
  const told = new Story({ mode: 'parallel', batch: false, concurrency: 4 })
  const targets = [['web'], ['api'], ['web', 'api'], ['docs']]
  for (const [index, each] of targets.entries()) {
    told.at(index, { type: 'setImpactedTargets', number: index + 1, targets: each })
    told.submit(index, index + 1)
  }
  expect([1, 2, 3, 4].map((number) => told.why(number))).toEqual([
    'Its tests run.',
    'Its tests run.',
    'Its tests run on top of #1 and #2.',
    'Its tests run.',
  ])
  told.end(10, 3, 'passed')
  expect(told.why(3)).toBe('Its tests passed; it merges after #1 and #2.')
})

// A-276, E-53
test('what has passed behind a batch that is bisected says whom it waits for', () => {
  const told = new Story({ concurrency: 2 })
  for (const number of [1, 2, 3, 4, 5, 6]) told.submit(0, number)
  told.end(10, 1, 'failed')
  const runs = Object.values(told.queue.engine.queue.testRuns)
  told.end(20, runs.find(({ owner }) => owner.kind === 'main')?.id ?? 0, 'passed')
  expect(told.why(4)).toBe(
    'Its tests passed; it merges when the failure of #1, #2 and #3 is settled.',
  )
})

test('given a change of mode, who waits reads that the queue switches', () => {
  const told = new Story({ batch: false })
  for (const number of [1, 2]) told.submit(0, number)
  told.at(5, { type: 'updateQueue', set: { mode: 'parallel' } })
  for (const number of [1, 2]) told.at(5, { type: 'setImpactedTargets', number, targets: ['web'] })
  expect(told.why(2)).toBe('Waits; the queue is switching its mode.')
})

test('the page of a pull request tells its submissions apart, with their runs', () => {
  const told = new Story()
  told.submit(0, 1)
  told.at(5, { type: 'wake' })
  told.end(15, 1, 'failed')
  told.submit(20, 1)
  told.at(25, { type: 'wake' })
  told.end(40, 2, 'passed')
  const page = told.pageOf(1)
  expect(page.row).toMatchObject({ state: 'MERGED', since: '1970-01-01T00:40:00.000Z' })
  expect(page.timeline.map(({ text }) => text)).toEqual([
    'Submitted; waits to be tested.',
    'Its tests start.',
    'Its tests passed.',
    'Merged.',
  ])
  expect(page.runs).toMatchObject([
    { tested: [1], base: [], outcome: 'passed', endedAt: '1970-01-01T00:40:00.000Z' },
  ])
  expect(page.earlier).toMatchObject([{ state: 'FAILED', why: 'Failed: its tests failed.' }])
})

test('members see who put which test in quarantine, and strangers nothing of it', () => {
  const told = new Story()
  told.at(0, { type: 'quarantineTest', test: { name: 'clock' }, who: 'ada', until: 99 * minute })
  expect(told.trends(1, minute).quarantine).toMatchObject({
    merges: 0,
    tests: [{ test: 'clock', who: 'ada', until: '1970-01-01T01:39:00.000Z', inForce: true }],
  })
  expect(told.trends(1, minute, 'public').quarantine).toBeNull()
})

test('trends count by the hour, and who failed before its same commit merged was healthy', () => {
  const told = new Story()
  told.at(0, { type: 'submitPullRequest', number: 1, sha: 'a1b2c3d' })
  told.at(5, { type: 'wake' })
  told.end(15, 1, 'failed')
  told.at(61, { type: 'submitPullRequest', number: 1, sha: 'a1b2c3d' })
  told.at(66, { type: 'wake' })
  told.end(81, 2, 'passed')
  const { hours } = told.trends(2, 90 * minute)
  const none = { merged: 0, failed: 0, runsPassed: 0, runsFailed: 0, healthyEvicted: 0 }
  expect(hours).toEqual([
    {
      from: '1970-01-01T00:00:00.000Z',
      ...none,
      failed: 1,
      runsFailed: 1,
      medianMinutes: null,
      p95Minutes: null,
    },
    {
      from: '1970-01-01T01:00:00.000Z',
      ...none,
      merged: 1,
      runsPassed: 1,
      healthyEvicted: 1,
      medianMinutes: 20,
      p95Minutes: 20,
    },
  ])
})

test('an hour tells each merge, also of one that came again, and 19 of 20 landed within its p95', () => {
  const told = new Story({ batch: false })
  told.submit(0, 1, 2)
  told.end(10, 1, 'passed')
  told.end(30, 2, 'passed')
  told.submit(61, 1)
  const of = { failed: 0, runsPassed: 2, runsFailed: 0, healthyEvicted: 0 }
  expect(told.trends(2, 90 * minute).hours[0]).toEqual({
    from: '1970-01-01T00:00:00.000Z',
    ...of,
    merged: 2,
    medianMinutes: 10,
    p95Minutes: 30,
  })
})

test.each([
  ['mended by a push', { sha: 'a1b2c3d' }, { sha: 'e4f5a6b' }],
  ['of a commit that nobody told', {}, {}],
])('one that failed and merged, %s, was not evicted though healthy', (_how, first, second) => {
  const told = new Story({ batch: false })
  const submit = (minutes: number, of: { readonly sha?: string }): void =>
    void told.at(minutes, { type: 'submitPullRequest', number: 1, ...of })
  submit(0, first)
  told.end(10, 1, 'failed')
  submit(20, second)
  told.end(30, 2, 'passed')
  expect(told.trends(1, minute).hours).toMatchObject([{ merged: 1, healthyEvicted: 0 }])
})

test('the usual length of a run is that of the last that ended by themselves', () => {
  const told = new Story({ batch: false })
  const usual = [12, 13, 14].map((minutes, index) => {
    told.submit(index * 100, index + 1)
    told.end(index * 100 + minutes, index + 1, 'passed')
    return runsOf(told.queue).expectedMinutes
  })
  expect(usual).toEqual([null, null, 13])
  told.submit(300, 4)
  told.at(390, { type: 'cancelPullRequest', number: 4, reason: 'USER_REQUESTED' })
  expect(runsOf(told.queue).expectedMinutes).toBe(13)
})

test('another queue of the same name has not changed its state by what somebody did to the first', () => {
  const [told, changes] = [new Story(), new StateChanges()]
  const heard = (minutes: number, command: RecordedCommand): void =>
    changes.onCommand(told.at(minutes, command))
  heard(1, { type: 'updateQueue', set: { state: 'PAUSED' } })
  expect(changes.of(name)).toMatchObject({ at: minute })
  heard(2, { type: 'deleteQueue' })
  heard(3, { type: 'createQueue', incarnation: randomUUID(), set: {} })
  expect(changes.of(name)).toBeNull()
})

// The estimate on the page: made while somebody watches, from what the queue has shown.

const name = 'github.com/acme/shop:main'

/** These pull requests merge, one after the other. */
function merge({ manager }: TestServer, from: number, to: number): void {
  for (let number = from; number <= to; number++) {
    manager.send(name, { type: 'submitPullRequest', number })
    const { testRuns } = manager.registry.find(name)?.engine.queue ?? {}
    for (const id of Object.keys(testRuns ?? {})) {
      manager.send(name, { type: 'finishTestRun', testRun: Number(id), outcome: 'passed' })
    }
  }
}

/** The first estimate of this kind that a stream brings for a pull request. */
async function estimateFrom<Kind extends Estimate['kind']>(
  stream: PageStream,
  number: number,
  kind: Kind,
): Promise<Estimate & { readonly kind: Kind }> {
  const isOf = (estimate: Estimate): estimate is Estimate & { kind: Kind } => estimate.kind === kind
  for (;;) {
    const { rows } = await stream.frame()
    const estimate = rows.find((row) => row.number === number)?.estimate
    if (estimate && isOf(estimate)) return estimate
  }
}

test('a viewer is told why nobody can know, then when one lands, also after a restart and in a new queue', async () => {
  const submit = ({ manager }: TestServer, number: number) =>
    manager.send(name, { type: 'submitPullRequest', number })
  const { folder, server: first, visitor, queue } = await pageWorld({ batch: false })
  const stream = await visitor.stream(queue)
  merge(first, 1001, 1005)
  submit(first, 1)
  expect((await estimateFrom(stream, 1, 'unknown')).why).toContain('20 test runs')
  merge(first, 1006, 1035)
  submit(first, 2)
  const { from, median, to, lands } = await estimateFrom(stream, 2, 'range')
  expect([from, median, to]).toEqual([from, median, to].toSorted())
  expect(lands).toBeGreaterThanOrEqual(0.8)
  await first.stop()
  const { server: second, visitor: again } = await pageWorld({}, {}, folder)
  submit(second, 3)
  await estimateFrom(await again.stream(queue), 3, 'range')
  // Another queue of the same name, made before anybody is told that the first one is deleted.
  const { manager } = second
  for (const number of [1, 2, 3])
    manager.send(name, { type: 'cancelPullRequest', number, reason: 'USER_REQUESTED' })
  manager.send(name, { type: 'deleteQueue' })
  manager.send(name, { type: 'createQueue', incarnation: randomUUID(), set: {} })
  submit(second, 3)
  const [anew] = [...manager.registry.queues]
  const told = await estimateFrom(await again.stream(anew?.ids.start ?? ''), 3, 'unknown')
  expect(told.why).toContain('20 test runs')
})
