/** Operators on statements and functions. */

import type { ArrowFunctionExpression, Function, Span, Statement } from 'oxc-parser'
import type { Operator } from './operator.ts'

const statement: Operator = {
  name: 'statement',
  sentence: 'a statement is missing: a call, an assignment, a loop, `continue`, `return`',
  visitor: ({ plant }) => {
    const remove = (node: Span): void => plant(node, ';')
    return {
      ExpressionStatement: remove,
      ForOfStatement: remove,
      WhileStatement: remove,
      ContinueStatement: remove,
      BreakStatement: remove,
      ReturnStatement(node) {
        if (!node.argument) remove(node)
      },
    }
  },
}

type AnyFunction = Function | ArrowFunctionExpression

/** Returns the statements of a function; none for a function that is an expression. */
function statementsOf({ body }: AnyFunction): readonly (Statement | { readonly type: string })[] {
  return body?.type === 'BlockStatement' ? body.body : []
}

const body: Operator = {
  name: 'body',
  sentence: 'a function that returns nothing does nothing',
  visitor: ({ textOf, plant }) => {
    const empty = (node: AnyFunction): void => {
      if (node.body && statementsOf(node).length > 1 && !/\breturn [^;]/.test(textOf(node.body))) {
        plant(node.body, '{}')
      }
    }
    return {
      FunctionDeclaration: empty,
      FunctionExpression: empty,
      ArrowFunctionExpression: empty,
    }
  },
}

export const statementOperators: readonly Operator[] = [statement, body]
