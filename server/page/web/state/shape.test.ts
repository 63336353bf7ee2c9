import { expect, test } from 'vitest'
import { openMembers, searchTree, type SearchNode } from './fold.ts'
import { lanesOf, targetsOf } from './consequences.ts'
import { aGroup, aStep } from '../testing/frames.ts'

const textOf = ({ tested, step, children }: SearchNode): string =>
  `${tested.join('+')}${step ? ` ${step.run.outcome ?? 'runs'}` : ''}${
    children.length > 0 ? ` (${children.map(textOf).join(', ')})` : ''
  }`

test('a bisection becomes a tree: each set below the smallest failed set that contains it', () => {
  const search = {
    id: 1,
    members: [1, 2, 3, 4],
    steps: [
      aStep([1, 2], 'passed'),
      aStep([1, 2, 3], 'failed'),
      aStep([3], 'failed'),
      aStep([4], null),
    ],
    proven: [1, 2],
    culprits: [3],
  }
  expect(textOf(searchTree(search))).toBe('1+2+3+4 (1+2 passed, 1+2+3 failed (3 failed), 4 runs)')
  expect(openMembers(search)).toEqual([4])
})

test('a bisection that has just started is its batch alone', () => {
  expect(textOf(searchTree({ id: 1, members: [7, 8], steps: [], proven: [], culprits: [] }))).toBe(
    '7+8',
  )
})

test('in single mode the whole line is one lane', () => {
  expect(lanesOf([], 'single')).toEqual([])
  const groups = [aGroup(1, [10, 11]), aGroup(2, [12])]
  expect(lanesOf(groups, 'single')).toEqual([
    {
      groups: [
        { group: groups[0], depth: 0, below: [] },
        { group: groups[1], depth: 1, below: [groups[0]] },
      ],
    },
  ])
})

test('in parallel mode groups that depend on each other are one lane, placed by depth', () => {
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
  const placed = lanesOf(groups, 'parallel').map((lane) =>
    lane.groups.map(({ group, depth, below }) => [group.id, depth, below.map(({ id }) => id)]),
  )
  expect(placed).toEqual([
    [
      [1, 0, []],
      [3, 1, [1]],
      [4, 0, []],
      [5, 2, [3, 4]],
    ],
    [[2, 0, []]],
    [[6, 0, []]],
  ])
})

test('a lane is named by the targets that most of its groups have, for those who may see them', () => {
  const lane = (...targets: (readonly string[] | undefined)[]) => ({
    groups: targets.map((each, id) => {
      const group = aGroup(id, [id], each ? { targets: each } : {})
      return { group, depth: id, below: [] }
    }),
  })
  expect(targetsOf(lane(['web'], ['shop', 'basket'], ['shop']))).toBe('shop, web, basket')
  expect(targetsOf(lane(['a', 'b'], ['c', 'd']))).toBe('a, b, c and others')
  expect(targetsOf(lane(undefined))).toBe('')
})
