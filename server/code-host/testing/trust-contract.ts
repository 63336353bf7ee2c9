/** Whose word counts on a host, and what counts as tested: stories that hold on every one. */

import { describe, expect, test } from 'vitest'
import { systemTime } from '../../queues/system-clock.ts'
import { judged } from './acts.ts'
import type { FakeDialect } from './dialect.ts'
import { playing } from './code-host-contract.ts'
import { type CodeHostWorld, label } from './code-host-world.ts'
import { nextId, oneApproval, type FakeWorkflowRun } from './state.ts'
import { runInProgress } from './toy-ci.ts'

/** Writes a result on the commit of a run as a CI of elsewhere does. */
function report(
  { fake }: CodeHostWorld,
  run: FakeWorkflowRun,
  context: string,
  passes: boolean,
): void {
  const { state } = fake
  const [{ sha, suite }, result] = [run, passes ? 'success' : 'failure'] as const
  if (fake.dialect.kind !== 'gitlab') {
    judged(state, { sha, context, state: result, by: 'other-ci[bot]' })
    return
  }
  state.checks.push({
    id: nextId(state),
    suite,
    sha,
    name: context,
    app: 'other-ci',
    status: 'completed',
    conclusion: result,
    startedAt: state.now(),
  })
}

export function trustContract(kind: FakeDialect): void {
  describe(`on ${kind.host}`, () => {
    approvals(kind)
    results(kind)
    brokenMain(kind)
  })
}

function approvals(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('the approval of a stranger counts no more than his objection', on.Gitea, async () => {
    const world = await worldOf({ isAutomatic: true })
    world.fake.state.rules = oneApproval
    const { head } = await world.ask(7)
    world.change(7, { reviews: [{ user: 'eve', state: 'APPROVED', commit: head }] })
    await world.queue.untilState('NOT_READY', 7)
    await world.seen()
    expect(world.queue.states()).toEqual({ 7: 'NOT_READY' })
    world.change(7, {
      reviews: [
        { user: 'eve', state: 'CHANGES_REQUESTED', commit: head },
        { user: 'ada', state: 'APPROVED', commit: head },
      ],
    })
    await world.queue.untilState('MERGED', 7)
  })

  test('an approval that ends after the tests is missed before the merge', on.GitHub, async () => {
    // Only webhooks make the server poll, and there is none for a person who leaves.
    const world = await worldOf({ webhooks: 'once', pollMs: 3_600_000 })
    world.fake.state.rules = oneApproval
    const { head } = await world.open(7)
    const reviews = [{ user: 'ada', state: 'APPROVED', commit: head }]
    world.change(7, { reviews, labels: [label] })
    const run = await runInProgress(world.ci)
    world.fake.state.people.set('ada', 'read')
    world.ci.finish(run, 'success')
    await world.queue.untilState('FAILED', 7)
    expect(await world.repository.files()).not.toContain('pay.txt')
  })
}

function results(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('given 130 results on a commit, all of them are read', on.GitLab, async () => {
    const world = await worldOf({ set: { requiredStatuses: ['ci', 'first', 'last'] } })
    await world.ask(7)
    const run = await runInProgress(world.ci)
    // Between two pages of a list they would be read in part.
    const reportAll = (): void => {
      report(world, run, 'first', false)
      for (let count = 0; count < 128; count++) report(world, run, `other ${count}`, true)
      report(world, run, 'last', false)
    }
    world.fake.before.push({ name: kind.ci, act: reportAll })
    await world.queue.untilState('FAILED', 7)
    const failed = world.queue.queue().pullRequests[7]?.evidence?.failedTests
    expect(failed).toEqual([{ name: 'first' }, { name: 'last' }])
  })

  test('a required check that never comes is named, and nobody fails', on.GitHub, async () => {
    let aheadMs = 0
    const time = { ...systemTime, system: () => Date.now() + aheadMs }
    const set = { requiredStatuses: ['ci', 'build'] }
    const world = await worldOf({ jobs: ['build', 'lint'], isAutomatic: true, time, set })
    await world.ask(7)
    const states = () => world.fake.state.workflowRuns.map(({ status }) => status)
    await expect.poll(states).toEqual(['completed'])
    await world.seen()
    aheadMs = 16 * 60_000
    await world.queue.until(() => world.queue.queue().state === 'PAUSED')
    const words = /required check ci did not appear on mergeyard.*; build, lint did/
    expect(world.queue.host().status().faults.join()).toMatch(words)
    await expect.poll(() => world.said(7).join()).toMatch(words)
    world.queue.send({ type: 'updateQueue', set: { requiredStatuses: ['build'] } })
    await world.queue.untilState('MERGED', 7)
    expect(world.queue.queue().state).toBe('RUNNING')
    expect(world.queue.moves(7).join()).not.toContain('FAILED')
  })

  test('a run in which every check was skipped has tested nothing', on.GitHub, async () => {
    const world = await worldOf()
    await world.ask(7)
    world.ci.finish(await runInProgress(world.ci), 'skipped')
    await world.queue.untilState('FAILED', 7)
    const words = expect.stringContaining('(skipped: nothing was tested)')
    await expect.poll(() => world.said(7)).toEqual([words])
    expect(await world.repository.files()).not.toContain('pay.txt')
  })
}

function brokenMain(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  // A-231, E-229, E-232, E-233
  test.each([false, true])(
    'a main that fails by itself stops the queue, nobody leaves, and an urgent one mends it; test pull requests: %s',
    on.Gitea,
    async (createPrsForTestingBranches) => {
      const set = { policy: 'adaptive', createPrsForTestingBranches } as const
      const world = await worldOf({ isAutomatic: true, set })
      const broken = await world.repository.commit('refs/heads/main', { 'broken/pay': 'x\n' })
      // On the main of before, the pull request would be tested with the commit that is on main now.
      await world.seen()
      await world.ask(7)
      const words = `main fails by itself since ${broken.slice(0, 12)} by Ada: ci; nothing has passed in this queue yet, so the tests may be set up wrongly; nobody leaves for it`
      const faults = (): string => world.queue.host().status().faults.join()
      await expect.poll(faults).toContain(words)
      await expect.poll(() => world.said(7).join()).toContain(words)
      const titles = [...world.fake.state.pulls.values()].map(({ title }) => title)
      const own = 'Test of main without any pull request by the merge queue'
      expect(titles.some((each) => each.includes(own))).toBe(createPrsForTestingBranches)

      // The host numbers the pull requests of test branches from the highest one on.
      await world.open(70, { 'broken/pay': null })
      world.comment(70, 'ada', '/enqueue urgent')
      await world.queue.untilState('MERGED', 70)
      await world.queue.untilState('MERGED', 7)
      expect(world.queue.moves(7).map((move) => move.split(' ')[0])).not.toContain('FAILED')
      expect(world.queue.queue().state).toBe('RUNNING')
      expect(faults()).toBe('')
    },
  )
}
