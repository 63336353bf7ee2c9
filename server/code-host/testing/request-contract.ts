/**
 * Who may ask for what, as stories that hold on every host: a request is about the commit that stood when
 * somebody with the right asked, and about one pull request.
 */

import { describe, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import type { FakeDialect, HostName } from './dialect.ts'
import { written } from './acts.ts'
import { playing } from './code-host-contract.ts'
import { type CodeHostWorld, label, pay, refused } from './code-host-world.ts'
import { failingAnswers } from './failing-answers.ts'
import { stacksOfBases } from './stacks-of-bases.ts'

const other = { 'pay.txt': 'never\n' }

/** Does something that the server sees only when it is over. */
async function whileAway(
  { queue }: CodeHostWorld,
  activities: () => Promise<unknown>,
): Promise<void> {
  await queue.stop()
  await activities()
  await queue.start()
}

/** What an author without the right does between two polls, so that a label seems to stand. */
const tricks: readonly {
  readonly it: string
  readonly isDraft?: boolean
  readonly play: (world: CodeHostWorld) => Promise<unknown>
  readonly words: string
  /** Where it is played by default. */
  readonly on?: HostName
}[] = [
  {
    it: 'closes it, pushes other code and reopens it',
    on: 'GitHub',
    play: async (world) => {
      world.change(7, { state: 'closed' }, 'bob')
      await world.push(7, other)
      await world.reopen(7)
    },
    words: 'since it was asked for: ask again',
  },
  {
    it: 'sets another base, pushes other code and sets the base back',
    on: 'Gitea',
    play: async (world) => {
      await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
      world.change(7, { base: 'release' }, 'bob')
      await world.push(7, other)
      world.change(7, { base: 'main' }, 'bob')
    },
    words: 'since it was asked for: ask again',
  },
  {
    it: 'pushes other code',
    on: 'GitLab',
    play: (world) => world.push(7, other),
    words: 'somebody has pushed since it was asked for: ask again',
  },
  {
    it: 'pushes other code on top, without force',
    play: (world) => world.push(7, other, 'refs/heads/change-7'),
    words: 'somebody has pushed since it was asked for: ask again',
  },
  {
    it: 'pushes to a draft and marks it as ready',
    on: 'Gitea',
    isDraft: true,
    play: async (world) => {
      await world.push(7, other)
      world.change(7, { isDraft: false }, 'bob')
    },
    words: 'somebody has pushed since it was asked for: ask again',
  },
]

/** What is done and undone between two polls to one that is in the queue, so that no list shows it. */
const undone: readonly {
  readonly it: string
  readonly play: (world: CodeHostWorld) => unknown
  readonly reason: string
  readonly on: HostName
}[] = [
  {
    it: 'closed and reopened',
    on: 'GitHub',
    play: async (world) => {
      world.change(7, { state: 'closed' }, 'bob')
      await world.reopen(7)
    },
    reason: 'PR_CLOSED',
  },
  {
    it: 'made a draft and ready again',
    on: 'Gitea',
    play: (world) => {
      world.change(7, { isDraft: true }, 'bob')
      world.change(7, { isDraft: false }, 'bob')
    },
    reason: 'PR_CONVERTED_TO_DRAFT',
  },
  {
    it: 'given another base and its own again',
    on: 'GitLab',
    play: (world) => {
      world.change(7, { base: 'release' }, 'bob')
      world.change(7, { base: 'main' }, 'bob')
    },
    reason: 'PR_BASE_BRANCH_CHANGED',
  },
]

export function requestContract(kind: FakeDialect): void {
  describe(`requests on ${kind.host}`, () => {
    boundToCommit(kind)
    leftAndBack(kind)
    overTheApi(kind)
    stacked(kind)
    stacksOfBases(kind)
    withoutRequest(kind)
    onlySinceItListens(kind)
    onlyWithTheRight(kind)
    failingAnswers(kind)
  })
}

function boundToCommit(kind: FakeDialect): void {
  const { on: hosts, worldOf } = playing(kind)
  for (const { it, isDraft = false, play, words, on } of tricks) {
    test(
      `given a label, and its author ${it} before the next poll, nothing merges until somebody asks again`,
      on === undefined ? matrix : hosts[on],
      async () => {
        const world = await worldOf({ isAutomatic: true })
        await world.open(7, pay, { isDraft })
        await world.seen()
        if (isDraft) {
          world.label(7)
          await world.seen()
        }
        await whileAway(world, async () => {
          if (!isDraft) world.label(7)
          await play(world)
        })
        await refused(world, 7, words)
        expect(await world.repository.landed()).toEqual([])
        world.label(7)
        await world.queue.untilState('MERGED', 7)
      },
    )
  }
}

function leftAndBack(kind: FakeDialect): void {
  const { on: hosts, worldOf } = playing(kind)
  for (const { it, play, reason, on } of undone) {
    test(`one in the queue that was ${it} between two polls leaves`, hosts[on], async () => {
      const world = await worldOf()
      await world.ask(7)
      await world.queue.untilState('TESTING', 7)
      await whileAway(world, async () => void (await play(world)))
      await world.queue.untilState('CANCELLED', 7)
      expect(world.queue.reasonOf(7)).toBe(reason)
      await expect.poll(() => world.pull(7).labels).toEqual([])
      world.label(7)
      await world.queue.untilState('TESTING', 7)
    })
  }
}

function overTheApi(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('a submission over the API is about its commit, and a push ends it', on.GitLab, async () => {
    // Only the call makes the server poll.
    const world = await worldOf({ pollMs: 3_600_000 })
    await world.open(7)
    // The call reads the head, and then its turn comes.
    world.fake.before.push(
      { name: kind.one, act: () => undefined },
      { name: kind.one, act: () => world.push(7, other) },
    )
    await expect(world.queue.submit(7)).rejects.toThrow(/^somebody has pushed since \w{40} was/)
    expect(world.queue.states()).toEqual({})
    await world.queue.submit(7)
    await world.push(7, { 'pay.txt': 'once\n' })
    // Another call asks for what stands then.
    await world.queue.submit(7)
    await world.queue.until(() => world.queue.moves(7).includes('CANCELLED PR_PUSHED_TO'))
    expect(world.queue.queue().pullRequests[7]?.sha).toBe(world.pull(7).head)
  })
}

function stacked(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  //
  test('a line Depends-On lets it land after the other one, and leave with it', async () => {
    const world = await worldOf()
    await world.open(6, { 'six.txt': '6\n' })
    await world.ask(7, pay, { body: 'Pays twice.\n\nDepends-On: #6\n' })
    await world.queue.untilState('NOT_READY', 7)
    world.label(6)
    await world.queue.untilState('TESTING', 6)
    world.change(6, { state: 'closed' }, 'bob')
    await world.queue.untilState('CANCELLED', 7)
    expect(world.queue.reasonOf(7)).toBe('PREREQUISITE_MERGE_ITEM_CANCELLED')
    await expect.poll(() => world.said(7).join()).toContain('#6, which it depends on, has left')
  })

  test('a circle of lines Depends-On is refused in words', on.GitHub, async () => {
    const world = await worldOf()
    await world.open(6, { 'six.txt': '6\n' }, { body: 'Depends-On: #7' })
    await world.open(7, pay, { body: 'Depends-On: #6' })
    world.label(6)
    await world.queue.untilState('NOT_READY', 6)
    world.label(7)
    await refused(world, 7, 'it would depend on itself: 7 depends on 6 depends on 7')
    expect(world.queue.states()).toEqual({ 6: 'NOT_READY' })
  })
}

function withoutRequest(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test(
    'after /enqueue, what is pushed before the next poll does not enter',
    on.GitHub,
    async () => {
      const world = await worldOf()
      await world.open(7)
      await world.seen()
      await whileAway(world, async () => {
        world.comment(7, 'ada', '/enqueue')
        await world.push(7, other)
      })
      await refused(world, 7, 'somebody has pushed since it was asked for: ask again')
      expect(world.queue.states()).toEqual({})
    },
  )

  test('a label goes when it is closed, merged, or for another branch', on.GitLab, async () => {
    const world = await worldOf({ isAutomatic: true })
    await world.repository.set('refs/heads/release', await world.repository.oidOf('main'))
    await world.ask(6, { 'six.txt': '6\n' })
    await world.queue.untilState('MERGED', 6)
    await expect.poll(() => world.pull(6).labels).toEqual([])
    for (const number of [7, 8]) {
      await world.ask(number, { [`${number}.txt`]: '1\n' }, { isDraft: true })
    }
    await world.seen()
    expect(world.pull(7).labels).toEqual([label])
    world.change(7, { state: 'closed' }, 'bob')
    world.change(8, { base: 'release' }, 'bob')
    await expect.poll(() => [...world.pull(7).labels, ...world.pull(8).labels]).toEqual([])
  })
}

function onlySinceItListens(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  /** Longer than a poll takes, on whatever machine. */
  const anHourLater = ({ fake }: CodeHostWorld): void => {
    for (const activity of fake.state.activities)
      Object.assign(activity, { at: activity.at - 3_600_000 })
  }
  test('for a fresh data folder, earlier labels are no request', on.Gitea, async () => {
    const world = await worldOf()
    await world.queue.stop()
    world.queue.forget()
    await world.ask(7)
    await world.ask(8, { 'ship.txt': 'once\n' })
    anHourLater(world)
    await world.queue.start()
    await expect.poll(() => [...world.pull(7).labels, ...world.pull(8).labels]).toEqual([])
    await expect
      .poll(() => world.log.filter((line) => line.includes('is no request')))
      .toHaveLength(1)
    expect(world.queue.states()).toEqual({})
    world.label(7)
    await world.queue.untilState('TESTING', 7)
  })

  //
  test('a comment of before the first poll has ended counts', on.GitHub, async () => {
    const world = await worldOf()
    const { fake } = world
    await world.open(7)
    await world.queue.stop()
    world.queue.forget()
    const ask = (): void => {
      // What was said in the second of the start is over.
      const at = fake.state.now() + 5_000
      Object.assign(written(fake.state, 7, '/enqueue', 'ada'), { createdAt: at, updatedAt: at })
    }
    fake.before.push({ name: kind.list, act: ask })
    await world.queue.start()
    await world.queue.untilState('TESTING', 7)
    await expect.poll(() => fake.state.comments[0]?.reactions).toHaveLength(1)
  })

  test(
    'with another label, who entered stays, and what had it is no request',
    on.Gitea,
    async () => {
      const world = await worldOf()
      await world.ask(7)
      await world.queue.untilState('TESTING', 7)
      await world.open(8, { 'ship.txt': 'once\n' }, { labels: ['ready'] })
      anHourLater(world)
      world.queue.send({ type: 'updateQueue', set: { enqueueingLabel: 'ready' } })
      await expect.poll(() => world.pull(8).labels).toEqual([])
      await world.queue.stop()
      await world.queue.start()
      await world.seen()
      expect(world.queue.states()).toEqual({ 7: 'TESTING' })
      world.change(8, { labels: ['ready'] })
      await world.queue.untilState('TESTING', 8)
      world.change(8, { labels: [] })
      await world.queue.untilState('CANCELLED', 8)
      expect(world.queue.states()).toEqual({ 7: 'TESTING', 8: 'CANCELLED' })
    },
  )
}

function onlyWithTheRight(kind: FakeDialect): void {
  const { on, worldOf } = playing(kind)
  test('a label counts by the right of who set it, who is in the timeline', on.GitHub, async () => {
    const world = await worldOf()
    world.fake.state.people.set('tess', 'triage')
    await world.ask(7, pay, { by: 'bob', labelledBy: 'bob' })
    await refused(world, 7, 'may not ask by label')
    if (kind.hasTriage) {
      await world.ask(8, { 'a.txt': '1\n' }, { labelledBy: 'tess' })
      await refused(world, 8, 'tess (triage) may not ask by label')
    }
    await world.ask(9, { 'b.txt': '1\n' }, { labelledBy: 'ada' })
    await world.queue.untilState('TESTING', 9)
    expect(Object.keys(world.queue.states())).toEqual(['9'])
    expect(world.queue.askedBy(9)).toMatch(/^@ada \((write|developer)\), by label$/)
    world.comment(7, 'ada', '/enqueue')
    await expect.poll(() => world.queue.askedBy(7)).not.toBeNull()
    expect(world.queue.askedBy(7)).toMatch(/^@ada \((write|developer)\), by comment$/)
  })

  test('a stranger gets words, and an account that is gone holds up nobody', on.Gitea, async () => {
    const world = await worldOf()
    await world.open(7)
    await world.open(8, { 'ship.txt': 'once\n' })
    await world.seen()
    await whileAway(world, () => {
      world.fake.state.people.set('mallory', 'write')
      world.comment(7, 'mallory', '/enqueue')
      world.change(7, { labels: [label] }, 'mallory')
      world.deleteAccount('mallory')
      world.comment(8, 'ada', '/enqueue')
      return Promise.resolve()
    })
    await world.queue.untilState('TESTING', 8)
    await refused(world, 7, 'ask')
    expect(world.queue.states()).toEqual({ 8: 'TESTING' })
  })
}
