/** Operators on values. */

import type { Expression, PrivateIdentifier } from 'oxc-parser'
import type { Operator } from './operator.ts'

const otherArithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
}

const isText = ({ type, ...node }: Expression | PrivateIdentifier): boolean =>
  type === 'TemplateLiteral' || ('value' in node && typeof node.value === 'string')

const arithmetic: Operator = {
  name: 'arithmetic',
  sentence: '`+` and `-`, `*` and `/`, `++` and `--` are exchanged',
  visitor: ({ textOf, plant }) => ({
    BinaryExpression({ operator, left, right, ...node }) {
      const other = otherArithmetic[operator]
      if (other === undefined || isText(left) || isText(right)) return
      plant(node, `(${textOf(left)} ${other} ${textOf(right)})`)
    },
    AssignmentExpression({ operator, left, right, ...node }) {
      const other = otherArithmetic[operator]
      if (other === undefined || isText(right)) return
      plant(node, `${textOf(left)} ${other} ${textOf(right)}`)
    },
    UpdateExpression({ operator, prefix, argument, ...node }) {
      const other = otherArithmetic[operator] ?? operator
      plant(node, prefix ? `${other}${textOf(argument)}` : `${textOf(argument)}${other}`)
    },
  }),
}

const literal: Operator = {
  name: 'literal',
  sentence: '`true` and `false` are exchanged; a number is one more, or one less',
  visitor: ({ plant }) => ({
    Literal(node) {
      if (typeof node.value === 'boolean') plant(node, String(!node.value))
      if (typeof node.value !== 'number') return
      plant(node, String(node.value + 1))
      if (node.value > 0) plant(node, String(node.value - 1))
    },
  }),
}

const fallback: Operator = {
  name: 'fallback',
  sentence: '`??` is removed: only its left side is left, or only its right side',
  visitor: ({ textOf, plant }) => ({
    LogicalExpression(node) {
      if (node.operator !== '??') return
      plant(node, `(${textOf(node.left)})`)
      plant(node, `(${textOf(node.right)})`)
    },
  }),
}

const optional: Operator = {
  name: 'optional',
  sentence: '`?.` becomes `.`',
  visitor: ({ textOf, plant }) => ({
    MemberExpression(node) {
      if (!node.optional) return
      const member = textOf({ start: node.object.end, end: node.end })
      const plain = node.computed ? member.replace('?.', '') : member.replace('?.', '.')
      plant({ start: node.object.end, end: node.end }, plain)
    },
    CallExpression(node) {
      if (!node.optional) return
      const call = { start: node.callee.end, end: node.end }
      plant(call, textOf(call).replace('?.', ''))
    },
  }),
}

const list: Operator = {
  name: 'list',
  sentence: 'a list is empty, or one of its elements is missing',
  visitor: ({ textOf, plant }) => ({
    ArrayExpression(node) {
      if (node.elements.length === 0) return
      plant(node, '[]')
      if (node.elements.length === 1) return
      for (const left of node.elements) {
        const rest = node.elements.filter((each) => each !== left)
        plant(node, `[${rest.map((each) => (each ? textOf(each) : '')).join(', ')}]`)
      }
    },
  }),
}

export const valueOperators: readonly Operator[] = [arithmetic, literal, fallback, optional, list]
