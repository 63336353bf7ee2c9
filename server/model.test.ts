/** Random sequences of calls and server restarts, compared with a simple model. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shop } from './testing/client.ts'
import { start, temporaryFolder, type TestServer } from './testing/any-store.ts'
import type * as wire from './contract/wire.ts'

type Conclusion = 'MERGED' | 'FAILED' | 'CANCELLED'
type ModelPullRequest = { number: number; priority: number; age: number; isReady: boolean }

/**
 * A simple model of a queue without batches and with one slot: one pull request is tested, the
 * others wait by priority and then by age, those submitted during a pause come after them, and pull
 * requests that have left are recorded.
 */
class ModelQueue {
  isPaused = false
  testing: ModelPullRequest | null = null
  /** The pull requests that have left, newest last. */
  left: { number: number; state: Conclusion }[] = []
  #waiting: ModelPullRequest[] = []
  #submissions = 0

  get inOrder(): number[] {
    return [...(this.testing ? [this.testing] : []), ...this.#waiting].map(({ number }) => number)
  }

  submit(number: number, priority: number | undefined): void {
    this.left = this.left.filter((each) => each.number !== number)
    const known = [this.testing, ...this.#waiting].find((each) => each?.number === number)
    const age = ++this.#submissions
    if (known) known.priority = priority ?? known.priority
    else this.#waiting.push({ number, priority: priority ?? 100, age, isReady: !this.isPaused })
    this.#settle()
  }

  /** Returns false if the pull request is not in the queue. */
  leave(number: number, state: Conclusion): boolean {
    if (!this.inOrder.includes(number)) return false
    if (this.testing?.number === number) this.testing = null
    this.#waiting = this.#waiting.filter((each) => each.number !== number)
    this.left.push({ number, state })
    this.#settle()
    return true
  }

  pause(isPaused: boolean): void {
    this.isPaused = isPaused
    this.#settle()
  }

  stateOf(number: number): string | undefined {
    if (this.testing?.number === number) return 'TESTING'
    const waiting = this.#waiting.find((each) => each.number === number)
    if (waiting) return waiting.isReady ? 'PENDING' : 'NOT_READY'
    return this.left.find((each) => each.number === number)?.state
  }

  #settle(): void {
    for (const each of this.#waiting) each.isReady ||= !this.isPaused
    const rank = ({ isReady, priority }: ModelPullRequest): number => (isReady ? priority : 256)
    this.#waiting.sort((a, b) => rank(a) - rank(b) || a.age - b.age)
    if (!this.isPaused) this.testing ??= this.#waiting.shift() ?? null
  }
}

const number = fc.integer({ min: 1, max: 6 })
const priority = fc.option(fc.constantFrom(10, 100, 150, 200), { nil: undefined })

const call = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('submit' as const), number, priority }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restartTests' as const), number }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      outcome: fc.constantFrom('passed' as const, 'failed' as const),
    }),
  },
  fc.record({ do: fc.constant('pause' as const), isPaused: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const) }),
  fc.record({ do: fc.constant('restartServer' as const) }),
)
type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never

/** The queue under test and its model. A call can replace the server. */
type ModelWorld = { server: TestServer; model: ModelQueue; readonly queue: wire.QueueRef }

/** The result of a call, and the result according to the model. */
type Comparison = { readonly is: unknown; readonly shouldBe: unknown }
const asExpected: Comparison = { is: true, shouldBe: true }

const oneSlot = { concurrency: 1 }

async function statusOf(
  { server, queue }: ModelWorld,
  operation: string,
  body: object,
): Promise<number> {
  return (await server.client.call(operation, { ...queue, ...body })).status
}

function perform(world: ModelWorld, each: Call): Promise<Comparison> {
  switch (each.do) {
    case 'submit':
      return submit(world, each.number, each.priority)
    case 'cancel':
      return cancel(world, each.number)
    case 'restartTests':
      return restartTests(world, each.number)
    case 'report':
      return report(world, each.outcome)
    case 'pause':
      return pause(world, each.isPaused)
    case 'delete':
      return deleteAndMakeAgain(world)
    case 'restartServer':
      return restartServer(world)
  }
}

async function submit(
  world: ModelWorld,
  pr: number,
  request: number | undefined,
): Promise<Comparison> {
  const requested = request === undefined ? {} : { priority: request }
  world.model.submit(pr, request)
  const is = await statusOf(world, 'submitPullRequest', { pr: { number: pr }, ...requested })
  return { is, shouldBe: 200 }
}

async function cancel(world: ModelWorld, pr: number): Promise<Comparison> {
  const shouldBe = world.model.leave(pr, 'CANCELLED') ? 200 : 404
  return { is: await statusOf(world, 'cancelPullRequest', { pr: { number: pr } }), shouldBe }
}

async function restartTests(world: ModelWorld, pr: number): Promise<Comparison> {
  const { model } = world
  if (model.isPaused) return asExpected
  const errorStatus = model.inOrder.includes(pr) ? 400 : 404
  const shouldBe = model.testing?.number === pr ? 200 : errorStatus
  return {
    is: await statusOf(world, 'restartTestsOnPullRequest', { pr: { number: pr } }),
    shouldBe,
  }
}

async function report({ server, model, queue }: ModelWorld, outcome: string): Promise<Comparison> {
  if (model.isPaused) return asExpected
  const { testRuns } = await server.client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  const is = testRuns.map(({ testedPullRequests: [first] }) => first?.prNumber)
  const shouldBe = model.testing ? [model.testing.number] : []
  const [run] = testRuns
  if (run && model.testing) {
    await server.client.ok('reportTestRun', { testRunId: run.testRunId, outcome })
    const state: Conclusion = outcome === 'passed' ? 'MERGED' : 'FAILED'
    model.leave(model.testing.number, state)
  }
  return { is, shouldBe }
}

async function pause(world: ModelWorld, isPaused: boolean): Promise<Comparison> {
  world.model.pause(isPaused)
  const state = isPaused ? 'PAUSED' : 'RUNNING'
  return { is: await statusOf(world, 'updateQueue', { state }), shouldBe: 200 }
}

async function deleteAndMakeAgain(world: ModelWorld): Promise<Comparison> {
  const isEmpty = world.model.inOrder.length === 0
  const is = await statusOf(world, 'deleteQueue', {})
  if (isEmpty) {
    await statusOf(world, 'createQueue', oneSlot)
    world.model = new ModelQueue()
  }
  return { is, shouldBe: isEmpty ? 200 : 400 }
}

async function restartServer(world: ModelWorld): Promise<Comparison> {
  await world.server.stop()
  world.server = await start(world.server.data)
  return asExpected
}

/** The visible state of the queue, and the state according to the model. */
async function compare({ server: { client }, model, queue }: ModelWorld): Promise<Comparison> {
  const { enqueuedPullRequests } = await client.ok<wire.Queue>('getQueue', queue)
  const { pullRequests } = await client.ok<wire.PullRequestPage>('listPullRequests', queue)
  const stateOf = (each: wire.EnqueuedPullRequest): string => `${each.prNumber} ${each.state}`
  const left = model.left.map(({ number: each }) => each).reverse()
  const expected = (numbers: readonly number[]): string[] =>
    numbers.map((each) => `${each} ${model.stateOf(each)}`)
  return {
    is: [enqueuedPullRequests.map(stateOf), pullRequests.map(stateOf)],
    shouldBe: [expected(model.inOrder), expected(left)],
  }
}

test('after any sequence of calls, the server agrees with the model', async () => {
  let server = await start(temporaryFolder())
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
      round++
      const queue = { repo: shop, targetBranch: `round-${round}` }
      await server.client.ok('createQueue', { ...queue, ...oneSlot })
      const world: ModelWorld = { server, model: new ModelQueue(), queue }
      for (const each of calls) {
        const answered = await perform(world, each)
        server = world.server
        expect(answered.is).toEqual(answered.shouldBe)
        const state = await compare(world)
        expect(state.is).toEqual(state.shouldBe)
      }
    }),
    { numRuns: 8 },
  )
  await server.stop()
})
