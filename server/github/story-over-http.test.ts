/**
 * The story of a day, told over HTTP alone: people label and push on the host, CI judges, and clients ask the
 * API of the server.
 */

import { expect, test } from 'vitest'
import type { CodeHostWorld } from '../code-host/testing/code-host-world.ts'
import { githubWorld } from './testing/fake-github.ts'
import { protect } from '../code-host/testing/toy-ci.ts'
import type { FakeWorkflowRun } from '../code-host/testing/state.ts'

const main = { repo: { host: 'local', owner: 'acme', name: 'shop' }, targetBranch: 'main' }

function call({ queue }: CodeHostWorld, operation: string, body: object): Promise<Response> {
  return fetch(`${queue.server.url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-token': 'secret' },
    body: JSON.stringify({ ...main, ...body }),
  })
}

/** The state of a pull request, as the API says it. */
async function asked(world: CodeHostWorld, number: number): Promise<string> {
  const answer = await call(world, 'getSubmittedPullRequest', { pr: { number } })
  const found: { readonly state?: string } = JSON.parse(await answer.text())
  return (found.state ?? String(answer.status)).toLowerCase()
}

/** The run in progress whose tree has this file, when there is one. */
async function runWith({ ci, repository }: CodeHostWorld, file: string): Promise<FakeWorkflowRun> {
  let found: FakeWorkflowRun | undefined
  const look = async (): Promise<boolean> => {
    for (const run of ci.going) {
      if ((await repository.files(run.sha)).includes(file)) found = run
    }
    return found !== undefined
  }
  await expect.poll(look).toBe(true)
  if (!found) throw new Error(`nothing tests ${file}`)
  return found
}

//
test('from a label to merged on the host, past a flake, a failure, a force-push and a rule', async () => {
  const world = await githubWorld({
    jobs: ['ci', 'lint'],
    webhooks: 'twice',
    set: {
      createPrsForTestingBranches: false,
      policy: 'adaptive',
      state: 'PAUSED',
      batch: true,
      batchingMinSize: 2,
      batchingMaxWaitTimeMinutes: 0,
      concurrency: 1,
    },
  })
  const { ci, repository, fake } = world
  protect(fake.state, { from: 'ruleset', checks: ['ci', 'lint'], approvals: 0 })

  // Two that harm nobody, and whose first run flakes: parts of the batch are tested, and both merge.
  await world.ask(1, { 'a.txt': 'a\n' })
  await world.ask(2, { 'b.txt': 'b\n' })
  for (const number of [1, 2]) await expect.poll(() => asked(world, number)).toBe('not_ready')
  expect((await call(world, 'updateQueue', { state: 'RUNNING' })).status).toBe(200)
  ci.finish(await runWith(world, 'b.txt'), 'failure', 'lint')
  const isMerged = async (): Promise<boolean> => {
    for (const run of ci.going) ci.finish(run, 'success')
    const states = [await asked(world, 1), await asked(world, 2)]
    return states.every((state) => state === 'merged')
  }
  await expect.poll(isMerged).toBe(true)

  // One that breaks the tests, and is told by whom; from now on a failure is believed at once.
  expect((await call(world, 'updateQueue', { policy: 'documented' })).status).toBe(200)
  const broken = await world.ask(3, { 'broken/3': '' })
  const failed = await runWith(world, 'broken/3')
  ci.finish(failed, 'failure', 'ci')
  // Nobody waits for the other job.
  await expect.poll(() => failed.conclusion).toBe('cancelled')
  await expect.poll(() => asked(world, 3)).toBe('failed')
  await expect.poll(() => world.said(3)).toEqual([expect.stringContaining('`ci` failed')])
  await expect.poll(() => world.statusOf(broken.head)).toContain('failure: has failed')

  // One that is force-pushed during its tests: it leaves, its CI stops, and the label brings it again.
  await world.ask(4)
  const before = await runWith(world, 'pay.txt')
  const head = await world.push(4, { 'pay.txt': 'thrice\n' })
  await expect.poll(() => asked(world, 4)).toBe('cancelled')
  await expect.poll(() => before.conclusion).toBe('cancelled')
  await expect.poll(() => world.pull(4).labels).toEqual([])
  await world.seen()
  world.label(4)
  ci.finish(await runWith(world, 'pay.txt'), 'success')
  await expect.poll(() => asked(world, 4)).toBe('merged')
  await expect.poll(() => world.statusOf(head)).toBe('success: has merged')

  // GitHub shows the same, the branch took only commits with both checks, and everything is said once.
  const isShownAsMerged = (number: number): boolean => world.pull(number).mergedAt !== null
  await expect.poll(() => [1, 2, 3, 4].filter(isShownAsMerged)).toEqual([1, 2, 4])
  expect(await repository.landed()).toEqual(['1', '2', '4'])
  expect(await repository.text('pay.txt')).toBe('thrice')
  await expect
    .poll(() => [1, 2, 3, 4].map((number) => world.said(number).length))
    .toEqual([1, 1, 1, 1])
  await fake.hooks.settled()
})
