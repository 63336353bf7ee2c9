/** Operators on conditions. */

import type { Expression, IfStatement, Statement } from 'oxc-parser'
import type { Operator } from './operator.ts'

/**
 * True for `if (...) throw`. The engine throws only for a broken invariant. A mutant that never
 * throws there changes nothing in an engine that keeps its invariants.
 */
const isGuard = ({ consequent, alternate }: IfStatement): boolean =>
  alternate === null && isThrow(consequent)

function isThrow(statement: Statement): boolean {
  if (statement.type !== 'BlockStatement') return statement.type === 'ThrowStatement'
  const [only, ...rest] = statement.body
  return only?.type === 'ThrowStatement' && rest.length === 0
}

const condition: Operator = {
  name: 'condition',
  sentence: 'a condition is always true, or always false',
  visitor: ({ plant }) => {
    const always = (test: Expression | null, values: readonly string[]): void => {
      if (!test || test.type === 'Literal') return
      for (const value of values) plant(test, value)
    }
    return {
      IfStatement: (node) => always(node.test, isGuard(node) ? ['true'] : ['true', 'false']),
      ConditionalExpression: ({ test }) => always(test, ['true', 'false']),
      // A loop that never ends proves nothing.
      WhileStatement: ({ test }) => always(test, ['false']),
      ForStatement: ({ test }) => always(test, ['false']),
    }
  },
}

const boundaries: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
}

const boundary: Operator = {
  name: 'boundary',
  sentence: 'a comparison includes or excludes its boundary: `<` and `<=`, `>` and `>=`',
  visitor: ({ textOf, plant }) => ({
    BinaryExpression(node) {
      const other = boundaries[node.operator]
      if (other !== undefined) plant(node, `(${textOf(node.left)} ${other} ${textOf(node.right)})`)
    },
  }),
}

const opposites: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
}

const comparison: Operator = {
  name: 'comparison',
  sentence: 'a comparison is replaced by its opposite',
  visitor: ({ textOf, plant }) => ({
    BinaryExpression(node) {
      const other = opposites[node.operator]
      if (other !== undefined) plant(node, `(${textOf(node.left)} ${other} ${textOf(node.right)})`)
    },
  }),
}

const logical: Operator = {
  name: 'logical',
  sentence: '`&&` and `||` are exchanged, or only one side of them is left',
  visitor: ({ textOf, plant }) => ({
    LogicalExpression(node) {
      if (node.operator === '??') return
      const [left, right] = [textOf(node.left), textOf(node.right)]
      plant(node, `(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`)
      plant(node, `(${left})`)
      plant(node, `(${right})`)
    },
  }),
}

const not: Operator = {
  name: 'not',
  sentence: '`!` is removed',
  visitor: ({ textOf, plant }) => ({
    UnaryExpression(node) {
      if (node.operator === '!') plant(node, `(${textOf(node.argument)})`)
    },
  }),
}

export const conditionOperators: readonly Operator[] = [
  condition,
  boundary,
  comparison,
  logical,
  not,
]
