/** Operators on calls of methods. */

import type { CallExpression, MemberExpression } from 'oxc-parser'
import type { Operator } from './operator.ts'

const pairs = [
  ['some', 'every'],
  ['find', 'findLast'],
  ['findIndex', 'findLastIndex'],
  ['indexOf', 'lastIndexOf'],
  ['push', 'unshift'],
  ['pop', 'shift'],
  ['startsWith', 'endsWith'],
  ['min', 'max'],
  ['floor', 'ceil'],
] as const

const others = new Map(
  pairs.flatMap(([a, b]): [string, string][] => [
    [a, b],
    [b, a],
  ]),
)

type MethodCall = {
  readonly method: string
  readonly callee: MemberExpression
}

/** Returns the parts of `object.method(...)`; null for any other call. */
function methodCall({ callee }: CallExpression): MethodCall | null {
  if (callee.type !== 'MemberExpression' || callee.computed) return null
  return { method: callee.property.name, callee }
}

const method: Operator = {
  name: 'method',
  sentence:
    'a method is replaced by its counterpart: `some` and `every`, `push` and `unshift`, ...',
  visitor: ({ plant }) => ({
    CallExpression(node) {
      const call = methodCall(node)
      const other = call ? others.get(call.method) : undefined
      if (call && other !== undefined) plant(call.callee.property, other)
    },
  }),
}

const removable = new Set(['filter', 'slice', 'reverse', 'toReversed'])

const removedCall: Operator = {
  name: 'removed call',
  sentence: '`filter`, `slice` and `reverse` return all elements in their order',
  visitor: ({ textOf, plant }) => ({
    CallExpression(node) {
      const call = methodCall(node)
      if (call && removable.has(call.method)) plant(node, textOf(call.callee.object))
    },
  }),
}

const predicates = new Set(['has', 'includes'])

const membership: Operator = {
  name: 'membership',
  sentence: '`has` and `includes` say the opposite',
  visitor: ({ textOf, plant }) => ({
    CallExpression(node) {
      const call = methodCall(node)
      if (call && predicates.has(call.method)) plant(node, `(!${textOf(node)})`)
    },
  }),
}

const sorts = new Set(['sort', 'toSorted'])

const sorting: Operator = {
  name: 'sorting',
  sentence: 'a list is sorted in the other direction, or not at all',
  visitor: ({ textOf, plant }) => ({
    CallExpression(node) {
      const call = methodCall(node)
      if (!call || !sorts.has(call.method)) return
      plant(node, textOf(call.callee.object))
      plant(node, `${textOf(node)}.reverse()`)
    },
  }),
}

export const callOperators: readonly Operator[] = [method, removedCall, membership, sorting]
