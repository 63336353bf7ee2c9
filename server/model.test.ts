/** Random sequences of calls, with restarts in between, against a model of a few lines. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shop } from './testing/client.ts'
import { ModelQueue, type Conclusion } from './testing/model.ts'
import { start, temporaryFolder, type TestServer } from './testing/running.ts'
import type * as wire from './wire.ts'

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

/** The queue under test and what it should be; the server may be another one after each call. */
type World = { server: TestServer; model: ModelQueue; readonly queue: wire.QueueRef }

/** What a call answered, and what the model says it should have. */
type Seen = { readonly is: unknown; readonly shouldBe: unknown }
const asExpected: Seen = { is: true, shouldBe: true }

const oneSlot = { concurrency: 1 }

async function statusOf(
  { server, queue }: World,
  operation: string,
  body: object,
): Promise<number> {
  return (await server.client.call(operation, { ...queue, ...body })).status
}

function perform(world: World, each: Call): Promise<Seen> {
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

async function submit(world: World, pr: number, wish: number | undefined): Promise<Seen> {
  const asked = wish === undefined ? {} : { priority: wish }
  world.model.submit(pr, wish)
  const is = await statusOf(world, 'submitPullRequest', { pr: { number: pr }, ...asked })
  return { is, shouldBe: 200 }
}

async function cancel(world: World, pr: number): Promise<Seen> {
  const shouldBe = world.model.leave(pr, 'CANCELLED') ? 200 : 404
  return { is: await statusOf(world, 'cancelPullRequest', { pr: { number: pr } }), shouldBe }
}

async function restartTests(world: World, pr: number): Promise<Seen> {
  const { model } = world
  if (model.isPaused) return asExpected
  const refusal = model.inOrder.includes(pr) ? 400 : 404
  const shouldBe = model.testing?.number === pr ? 200 : refusal
  return {
    is: await statusOf(world, 'restartTestsOnPullRequest', { pr: { number: pr } }),
    shouldBe,
  }
}

async function report({ server, model, queue }: World, outcome: string): Promise<Seen> {
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

async function pause(world: World, isPaused: boolean): Promise<Seen> {
  world.model.pause(isPaused)
  const state = isPaused ? 'PAUSED' : 'RUNNING'
  return { is: await statusOf(world, 'updateQueue', { state }), shouldBe: 200 }
}

async function deleteAndMakeAgain(world: World): Promise<Seen> {
  const isEmpty = world.model.inOrder.length === 0
  const is = await statusOf(world, 'deleteQueue', {})
  if (isEmpty) {
    await statusOf(world, 'createQueue', oneSlot)
    world.model = new ModelQueue()
  }
  return { is, shouldBe: isEmpty ? 200 : 400 }
}

async function restartServer(world: World): Promise<Seen> {
  await world.server.stop()
  world.server = await start(world.server.data)
  return asExpected
}

/** Everything that can be seen of the queue, and what the model says of it. */
async function look({ server: { client }, model, queue }: World): Promise<Seen> {
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

const patience = { timeout: 60_000 }

test('whatever is called in whatever order, the server does as the model', patience, async () => {
  let server = await start(temporaryFolder())
  let round = 0
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 10, maxLength: 40 }), async (calls) => {
      round++
      const queue = { repo: shop, targetBranch: `round-${round}` }
      await server.client.ok('createQueue', { ...queue, ...oneSlot })
      const world: World = { server, model: new ModelQueue(), queue }
      for (const each of calls) {
        const answered = await perform(world, each)
        server = world.server
        expect(answered.is).toEqual(answered.shouldBe)
        const seen = await look(world)
        expect(seen.is).toEqual(seen.shouldBe)
      }
    }),
    { numRuns: 30 },
  )
  await server.stop()
})
