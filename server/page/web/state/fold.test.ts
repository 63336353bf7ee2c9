import { expect, test } from 'vitest'
import fc from 'fast-check'
import {
  fold,
  leftLately,
  type PageState,
  openMembers,
  searchTree,
  type SearchNode,
} from './fold.ts'
import { aChange, aGroup, aHead, anEnd, aRow, aWhole, aStep } from '../testing/frames.ts'
import { anyCommand } from '../../../testing/any-command.ts'
import { DrivenQueue } from '../../../testing/driven-queue.ts'
import { frameText } from '../../channel.ts'
import type { Frame } from '../../frame.ts'
import { pictureOf } from '../../picture.ts'
import { bareParts } from '../../testing/page-client.ts'
import { lanesOf, targetsOf } from './consequences.ts'

test('a whole replaces everything', () => {
  const before = fold(null, aWhole({ rows: [aRow(1), aRow(2)], sequence: 5 }))
  const after = fold(before, aWhole({ rows: [aRow(3)], sequence: 9 }))
  expect([...(after?.rows.keys() ?? [])]).toEqual([3])
  expect(after?.sequence).toBe(9)
})

test('a change alters only what it names', () => {
  const before = fold(null, aWhole({ rows: [aRow(1), aRow(2), aRow(3)], sequence: 5 }))
  const row = aRow(3, { state: 'TESTING' })
  const line = { groups: [aGroup(1, [3])], bisections: [] }
  const after = fold(before, aChange({ rows: [row], gone: [1], line }))
  expect(after).toEqual({
    ...before,
    sequence: 6,
    rows: new Map([2, 3].map((n) => [n, n === 3 ? row : aRow(2)])),
    line,
  })
  // Unchanged rows stay the same objects, so that the page draws only the others again.
  expect(after?.rows.get(2)).toBe(before?.rows.get(2))
  const queue = aHead({ state: 'PAUSED' })
  expect(fold(after, aChange({ queue }))).toEqual({ ...after, queue })
})

test('a change without a whole before it is not understood', () => {
  const { queue, line, waiting } = aWhole()
  expect(fold(null, aChange({ rows: [aRow(1)] }))).toBeNull()
  expect(fold(null, aChange({ queue, line, waiting }))).toBeNull()
})

test('who left last comes first, and who comes again has not left', () => {
  const ended = (...frames: readonly Frame[]): number[] => {
    const whole = fold(null, aWhole({ rows: [anEnd(9), aRow(1), aRow(2)] }))
    const state = frames.reduce(fold, whole)
    return state ? leftLately(state).map(({ number }) => number) : []
  }
  const [two, one] = [2, 1].map((number) => aChange({ rows: [anEnd(number)] }))
  if (!one || !two) throw new Error('no frames')
  expect(ended(two, one)).toEqual([1, 2, 9])
  expect(ended(two, one, aChange({ rows: [aRow(2)] }))).toEqual([1, 9])
  // What is told of it later does not move it.
  expect(ended(two, one, aChange({ rows: [anEnd(9, { why: 'Merged by hand.' })] }))).toEqual([
    1, 2, 9,
  ])
  expect(ended(two, one, aChange({ gone: [9] }))).toEqual([1, 2])
})

// What the server sends, folded by the page, is what the server shows.

/** Commands, and after which of them a frame is sent. */
const story = fc.array(fc.tuple(anyCommand(12), fc.boolean()), { maxLength: 60 })

const batches = { batch: true, batchingMinSize: 3, batchingMaxWaitTimeMinutes: 2, concurrency: 2 }

test.each(['member', 'public'] as const)('folded frames for a %s are the whole', (audience) => {
  fc.assert(
    fc.property(story, (commands) => {
      const told = new DrivenQueue(batches)
      const { registry, queue } = told
      const parts = bareParts()
      const now = '2026-01-05T09:00:00.000Z'
      const take = (folding: PageState | null, text: string | null): PageState | null => {
        if (text === null) return folding
        const frame: Frame = JSON.parse(text)
        return fold(folding, frame)
      }
      let picture = pictureOf(queue, parts, audience)
      let folded = take(null, frameText(null, picture, { sequence: 0, now }))
      for (const [index, [each, isSent]] of commands.entries()) {
        told.tried(registry.sequence + 1, each)
        if (!isSent && index < commands.length - 1) continue
        const next = pictureOf(queue, parts, audience)
        const { sequence } = registry
        folded = take(folded, frameText(picture, next, { sequence, now }))
        picture = next
      }
      const fresh = take(null, frameText(null, picture, { sequence: 0, now }))
      expect({ ...folded, sequence: 0 }).toEqual(fresh)
      expect(folded && leftLately(folded)).toEqual(fresh && leftLately(fresh))
    }),
    { numRuns: 150 },
  )
})

const textOf = ({ tested, step, children }: SearchNode): string =>
  `${tested.join('+')}${step ? ` ${step.run.outcome ?? 'runs'}` : ''}${
    children.length > 0 ? ` (${children.map(textOf).join(', ')})` : ''
  }`

test('a bisection becomes a tree: each set below the smallest failed set that contains it', () => {
  const search = { id: 1, members: [1, 2, 3, 4], proven: [1, 2], culprits: [3] }
  const steps = [
    aStep([1, 2], 'passed'),
    aStep([1, 2, 3], 'timed_out'),
    aStep([2, 3], 'failed'),
    aStep([3], 'failed'),
    aStep([4], null),
  ]
  const tree = (count: number) => textOf(searchTree({ ...search, steps: steps.slice(0, count) }))
  expect(tree(0)).toBe('1+2+3+4')
  expect(tree(5)).toBe('1+2+3+4 (1+2 passed, 1+2+3 timed_out (2+3 failed (3 failed)), 4 runs)')
  expect(openMembers({ ...search, steps })).toEqual([4])
})

test('a line is drawn as lanes: groups that stand on each other are one, placed by depth', () => {
  const groups = [
    aGroup(1, [10]),
    aGroup(2, [11]),
    aGroup(3, [12], { dependsOn: [1] }),
    aGroup(4, [13]),
    // What is below those that it depends on is not drawn.
    aGroup(5, [14], { dependsOn: [1, 3, 4] }),
    // A group that it depended on has left the line.
    aGroup(6, [15], { dependsOn: [99] }),
  ]
  const placed = (mode: 'single' | 'parallel', some = groups) =>
    lanesOf(some, mode).map((lane) =>
      lane.map(({ group, depth, below }) => [group.id, depth, below.map(({ id }) => id)]),
    )
  expect(placed('parallel')).toEqual([
    [
      [1, 0, []],
      [3, 1, [1]],
      [4, 0, []],
      [5, 2, [3, 4]],
    ],
    [[2, 0, []]],
    [[6, 0, []]],
  ])
  expect(placed('single', groups.slice(0, 2))).toEqual([
    [
      [1, 0, []],
      [2, 1, [1]],
    ],
  ])
  expect(placed('single', [])).toEqual([])
})

test('a lane is named by the targets that most of its groups have, for those who may see them', () => {
  const lane = (...targets: (readonly string[] | undefined)[]) =>
    targets.map((each, depth) => ({
      group: aGroup(depth, [depth], each ? { targets: each } : {}),
      depth,
      below: [],
    }))
  expect(targetsOf(lane(['web'], ['shop', 'basket'], ['shop']))).toBe('shop, web, basket')
  expect(targetsOf(lane(['a', 'b'], ['c', 'd']))).toBe('a, b, c and others')
  expect(targetsOf(lane(undefined))).toBe('')
})
