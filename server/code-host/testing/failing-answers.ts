/** What a host that fails, refuses or hides something makes of requests, as stories that hold on every host. */

import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { notFound, refused as refusal } from './call.ts'
import { playing } from './code-host-contract.ts'
import { type CodeHostWorld, label, pay, refused } from './code-host-world.ts'
import type { FakeDialect } from './dialect.ts'

export function failingAnswers(kind: FakeDialect): void {
  concernsOnePullRequest(kind)
  concernsNobodyOnceStopped(kind)
  cannotBeSaidYet(kind)
  concernsTheRepository(kind)
}

/** What was done to these is answered with a failure. Returns what ends that. */
function failActivities(
  { activities }: FakeDialect,
  { fake }: CodeHostWorld,
  statuses: Readonly<Record<string, number>>,
): () => void {
  const usual = fake.routes[activities]
  if (!usual) throw new Error(`the fake does not answer ${activities}`)
  fake.routes[activities] = (state, call) => {
    const status = statuses[Object.values(call.path).at(-1) ?? '']
    const failure = status === undefined ? null : refusal(status, 'not this one')
    return failure ?? usual(state, call)
  }
  return () => void (fake.routes[activities] = usual)
}

function concernsOnePullRequest(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('one that changes nothing is refused in words, and the others go on', matrix, async () => {
    const world = await worldOf()
    await world.ask(7, {})
    await world.ask(8)
    await refused(world, 7, 'changes nothing on main')
    await world.queue.untilState('TESTING', 8)
    expect(world.queue.states()).toEqual({ 8: 'TESTING' })
  })

  test('a head that the host has not taken over is said there', on.Gitea, async () => {
    const world = await worldOf()
    await world.open(7, pay, { isFork: true })
    world.change(7, { head: 'f'.repeat(40) }, 'bob')
    await world.seen()
    world.label(7)
    await world.ask(8, { 'ship.txt': 'once\n' })
    await refused(world, 7, 'the repository does not have ffff')
    await world.queue.untilState('TESTING', 8)
    expect(world.queue.host().status().faults).toEqual([])
  })

  test('where the host refuses to answer it is said, and the others go on', on.GitLab, async () => {
    const world = await worldOf()
    const statuses = { 7: 403, 8: 404 }
    await world.queue.stop()
    for (const number of [7, 8, 9]) await world.ask(number, { [`${number}.txt`]: '1\n' })
    failActivities(kind, world, statuses)
    await world.queue.start()
    await world.queue.untilState('TESTING', 9)
    for (const [number, status] of Object.entries(statuses)) {
      await refused(world, Number(number), String(status))
    }
    expect(world.queue.states()).toEqual({ 9: 'TESTING' })
  })

  test('a host that fails about a request is asked again', on.Gitea, async () => {
    const world = await worldOf()
    await world.open(8, { '8.txt': '1\n' })
    await world.seen()
    const mend = failActivities(kind, world, { 7: 500, 8: 500 })
    await world.ask(7)
    world.comment(8, 'ada', '/enqueue high')
    await world.ask(9, { '9.txt': '1\n' })
    await world.queue.untilState('TESTING', 9)
    await world.seen()
    const words = 'a request cannot be judged'
    expect(world.queue.host().status().faults.join()).toContain(words)
    for (const number of ['"number":7', '"number":8']) {
      const told = world.log.filter((line) => line.includes(words) && line.includes(number))
      expect(told).toHaveLength(1)
    }
    await world.queue.stop()
    await world.queue.start()
    await world.seen()
    expect(world.queue.states()).toEqual({ 9: 'TESTING' })
    expect([...world.said(7), ...world.said(8)]).toEqual([])
    expect(world.pull(7).labels).toContain(label)
    mend()
    await world.queue.untilState('TESTING', 7)
    await world.queue.untilState('TESTING', 8)
  })
}

function concernsNobodyOnceStopped(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  // There a new title is no reason to ask who did what.
  if (kind.host === 'GitLab') return
  test('a stop waits for no answer about another one', on.Gitea, async () => {
    const world = await worldOf()
    const numbers = [7, 8, 9]
    for (const number of numbers) await world.ask(number, { [`${number}.txt`]: '1\n' })
    await world.queue.untilState('TESTING', ...numbers)
    const stops: Promise<void>[] = []
    world.fake.onRequest = (name) => {
      if (name === kind.activities) stops.push(world.queue.stop())
      return null
    }
    for (const number of numbers) world.change(number, { title: 'Ship' })
    await expect.poll(() => stops.length).toBeGreaterThan(0)
    await stops[0]
    expect(stops).toHaveLength(1)
  })
}

function cannotBeSaidYet(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('a refusal that no comment could say before a stop is said after it', on.Gitea, async () => {
    const world = await worldOf()
    world.fake.onRequest = (name) => (name === kind.comment ? refusal(500, 'not now') : null)
    await world.ask(7, {})
    await expect.poll(() => world.pull(7).labels).not.toContain(label)
    await world.seen()
    await world.queue.stop()
    expect(world.said(7)).toEqual([])
    world.fake.onRequest = () => null
    await world.queue.start()
    await refused(world, 7, 'changes nothing on main')
    await world.seen()
    expect(world.said(7)).toHaveLength(1)
  })
}

function concernsTheRepository(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('while the account has no access, nobody fails', on.GitLab, async () => {
    const passed: (() => void)[] = []
    const world = await worldOf({
      isAutomatic: true,
      webhooks: 'once',
      // Only webhooks say what to poll.
      pollMs: 2 ** 30,
      hold: (command, send) =>
        void (command.type === 'finishTestRun' && passed.length === 0 ? passed.push(send) : send()),
    })
    await world.open(8, { 'ship.txt': 'once\n' })
    await world.ask(7)
    await expect.poll(() => passed).toHaveLength(1)
    await world.fake.hooks.settled()
    for (const _ of ['a pass', 'the one after it']) await world.queue.poll()
    world.fake.onRequest = (name) => (name === 'GET /user' ? null : notFound)
    passed[0]?.()
    world.label(8)
    const faults = (): string => world.queue.host().status().faults.join()
    await expect.poll(faults).toContain('does not see the repository any more')
    world.fake.onRequest = () => null
    await world.queue.untilState('MERGED', 7)
    await world.queue.untilState('MERGED', 8)
    expect([...world.queue.moves(7), ...world.queue.moves(8)].join()).not.toContain('FAILED')
  })
}
