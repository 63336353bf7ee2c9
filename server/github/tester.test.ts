/** The host's own CI tests: how long the verdict of a run is waited for. */

import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { CiTester } from '../code-host/tester.ts'
import { FakeCodeHost } from '../code-host/testing/fake-code-host.ts'
import { judged } from '../code-host/testing/acts.ts'
import type { FakeDialect } from '../code-host/testing/dialect.ts'
import { placeAt } from '../code-host/testing/code-host-world.ts'
import {
  Commits,
  oidOf,
  SimulatedMirror,
  SimulatedRepository,
} from '../code-host/testing/simulated-git.ts'
import { nextId } from '../code-host/testing/state.ts'
import { notesIn } from '../files/notes.ts'
import { TestCases } from '../history/test-cases.ts'
import { apiOnlyIntegrations, makeQueue } from '../queues/managed-queue.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { gitea } from '../gitea/testing/fake-gitea.ts'
import { github } from './testing/fake-github.ts'

const minute = 60_000
const commit = oidOf('tested')

/** A queue with a run in progress on a clock of the test; its branch takes so long to be placed. */
function testing({
  placingMs,
  required,
  dialect = github,
}: {
  placingMs: number
  required: readonly string[]
  dialect?: FakeDialect
}) {
  const world = { at: 1_767_603_600_000, verdict: 'none yet', noVerdict: '' }
  const now = (): number => world.at
  const commits = new Commits(() => undefined)
  const fake = new FakeCodeHost(dialect, {
    folder: '',
    repository: new SimulatedRepository(commits),
    now,
  })
  vi.stubGlobal('fetch', fake.fetch)
  onTestFinished(() => void vi.unstubAllGlobals())
  const logger = pino({ enabled: false })
  const queue = makeQueue(
    { host: 'github.com', owner: 'acme', name: 'shop', targetBranch: 'main' },
    {
      type: 'createQueue',
      incarnation: oidOf('queue'),
      set: { createPrsForTestingBranches: false },
      at: now(),
    },
    {
      wakeAt: () => undefined,
      integrations: apiOnlyIntegrations,
      testCases: new TestCases(),
      epoch: () => null,
    },
  )
  queue.engine.dispatch({ type: 'submitPullRequest', number: 1, at: now() })
  const [run] = Object.values(queue.engine.queue.testRuns)
  if (!run) throw new Error('no run is in progress')
  const mirror = new SimulatedMirror(commits, () => undefined)
  mirror.place = () => {
    world.at += placingMs
    return Promise.resolve(null)
  }
  const { adapter, optionsOf, prefix } = dialect
  const place = placeAt(`http://host.example.com${prefix}`)
  const pace = { isThrottled: false, retryAfterMs: 0 }
  const tester = new CiTester({
    notes: notesIn(temporaryFolder()),
    queue,
    mirror,
    logger,
    now,
    branches: ['main'],
    others: () => [],
    api: adapter.open(optionsOf(place), logger, pace),
    required: () => required.map((name) => ({ name, app: null })),
    noCiMs: 15 * minute,
    isSkippedEnough: false,
    onNotified: () => undefined,
    onEarly: () => undefined,
    onNoVerdict: (_, words) => void (world.noVerdict = words),
    onRefused: () => false,
    onPlaced: () => undefined,
  })
  const chain = [{ number: 1, commit }]
  const testable = { run, tip: oidOf('tip'), base: oidOf('tip'), commit, numbers: [1], chain }
  void tester.test(testable).then((verdict) => (world.verdict = verdict?.outcome ?? 'cancelled'))
  /** The run is looked at so long after it was there. */
  const pollAfter = async (ms: number): Promise<void> => {
    await setImmediate()
    world.at += ms
    await tester.poll(null)
    await setImmediate()
  }
  return { world, fake, pollAfter }
}

//
test.each([github, gitea])(
  'on $kind the status that the queue has written is no check: nothing was tested by it',
  async (dialect) => {
    const { world, fake, pollAfter } = testing({ placingMs: 0, required: ['*'], dialect })
    const own = { sha: commit, context: 'mergeyard (main)', state: 'success', by: 'queue' } as const
    judged(fake.state, own)
    await pollAfter(15 * minute)
    expect(world.verdict).toBe('none yet')
    expect(world.noVerdict).toContain('no CI has begun')
  },
)

//
test('a slow push takes nothing from the first minute, in which no run passes where everything is required', async () => {
  const { world, fake, pollAfter } = testing({ placingMs: 10 * minute, required: ['*'] })
  const check = { id: nextId(fake.state), suite: nextId(fake.state), sha: commit, name: 'lint' }
  const startedAt = world.at + 10 * minute
  const over = { status: 'completed', conclusion: 'success', startedAt } as const
  fake.state.checks.push({ ...check, app: 'circleci', ...over })
  await pollAfter(59_000)
  expect(world.verdict).toBe('none yet')
  await pollAfter(1_000)
  expect(world.verdict).toBe('passed')
})

test('a slow push takes nothing from the time that CI has to begin', async () => {
  const { world, pollAfter } = testing({ placingMs: 20 * minute, required: ['ci'] })
  await pollAfter(14 * minute)
  expect(world.noVerdict).toBe('')
  await pollAfter(minute)
  expect(world.noVerdict).toContain('no CI has begun on mergeyard/pr-1/')
})
