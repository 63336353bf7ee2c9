/** The mutants of the engine: each is its source with one small mistake. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'
import type {
  ArrowFunctionExpression,
  Expression,
  Function,
  IfStatement,
  PrivateIdentifier,
  Span,
  Statement,
  VisitorObject,
} from 'oxc-parser'
import { firstSeedOf } from '../../sim/random/seeds.ts'

/** The folder of the repository. This file is compiled to `dist/bench/mutation/`. */
export const repository = fileURLToPath(new URL('../../../', import.meta.url))

export type Mutant = {
  /** The source, for example `engine/rules/merge.ts`, and the line, counted from 1. */
  readonly file: string
  readonly line: number
  /** The whole line without its indentation. */
  readonly code: string
  /** The name of the operator, the original text and the mutated one, each on one line. */
  readonly operator: string
  readonly from: string
  readonly to: string
  /** The whole source with the mistake. */
  readonly source: string
}

/** An entry of `equivalents.json`. It names the code and not the line, which other changes shift. */
export type Equivalent = Pick<Mutant, 'file' | 'code' | 'operator' | 'from' | 'to'> & {
  /** Why nothing can notice the mutant. */
  readonly because: string
}

/** Returns a key that stays the same while other lines of the file change. */
export const keyOf = ({ file, code, operator, from, to }: Omit<Equivalent, 'because'>): string =>
  [file, code, operator, from, to].join('\n')

/** Returns the sources of the engine: all but test code. */
function engineFiles(): string[] {
  return readdirSync(join(repository, 'engine'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('engine', path).replaceAll(sep, '/'))
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(path))
    .sort()
}

export const engineMutants = (): Mutant[] =>
  engineFiles().flatMap((file) => mutantsOf(file, readFileSync(join(repository, file), 'utf8')))

export function readEquivalents(): Equivalent[] {
  const path = join(repository, 'bench/mutation/equivalents.json')
  const list: Equivalent[] = JSON.parse(readFileSync(path, 'utf8'))
  return list
}

/** Returns the mutants of a source, in the order of the operators. Throws if it does not parse. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`)
  // The literals of types are not code.
  const types: Span[] = []
  new Visitor({ TSLiteralType: (node) => void types.push(node) }).visit(program)
  const textOf = ({ start, end }: Span): string => source.slice(start, end)
  const lines = source.split('\n')
  const found = new Map<string, Mutant>()
  for (const [operator, visitor] of Object.entries(operators)) {
    const plant = ({ start, end }: Span, to: string): void => {
      if (types.some((type) => type.start <= start && end <= type.end)) return
      // Two operators may make the same change.
      const change = `${start} ${end} ${to}`
      if (found.has(change)) return
      const line = source.slice(0, start).split('\n').length
      // The type checker takes what is behind a plain `false` for unreachable, and would refuse it.
      const text = operator === 'condition' ? `(${to} as boolean)` : to
      found.set(change, {
        file,
        line,
        operator,
        code: (lines[line - 1] ?? '').trim(),
        from: oneLine(source.slice(start, end)),
        to: oneLine(to),
        source: source.slice(0, start) + text + source.slice(end),
      })
    }
    new Visitor(visitor(plant, textOf)).visit(program)
  }
  return [...found.values()]
}

const longest = 100

/** Long texts are cut, because a reader needs only their beginning. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= longest ? line : `${line.slice(0, longest)}…`
}

/** Whether the mutant is in this folder, in this file, or on this line (`engine/rules/merge.ts:12`). */
export function isIn({ file, line }: Mutant, path: string): boolean {
  const folder = path.replace(/\/$/, '')
  return folder === file || folder === `${file}:${line}` || file.startsWith(`${folder}/`)
}

/** Draws a sample by the keys, so that a change of one file hardly changes the sample of a seed. */
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, rank: firstSeedOf(`${seed} ${keyOf(mutant)}`) }))
    .sort((a, b) => a.rank - b.rank || a.mutant.line - b.mutant.line)
    .slice(0, size)
    .map(({ mutant }) => mutant)
}

// The kinds of small mistakes that are planted in the code. `operators` lists them.

/** Where an operator plants its mutants: `text` in the place of the span. */
type Plant = (span: Span, text: string) => void
/** Returns the visitor that finds the places for an operator. */
type Operator = (plant: Plant, textOf: (span: Span) => string) => VisitorObject

/** Exchanges the operator of a binary expression. */
const exchanged =
  (others: Readonly<Record<string, string>>): Operator =>
  (plant, textOf) => ({
    BinaryExpression(node) {
      const other = others[node.operator]
      if (other !== undefined) plant(node, `(${textOf(node.left)} ${other} ${textOf(node.right)})`)
    },
  })

/** Calls `each` with the calls of these methods: the whole call, the object and the method's name. */
function calls(
  methods: Iterable<string>,
  each: (call: Span, object: Span, name: Span & { readonly name: string }) => void,
): VisitorObject {
  const wanted = new Set(methods)
  return {
    CallExpression(node) {
      const { callee } = node
      if (callee.type !== 'MemberExpression' || callee.computed) return
      if (wanted.has(callee.property.name)) each(node, callee.object, callee.property)
    },
  }
}

/**
 * True for `if (...) throw`. The engine throws only for a broken invariant, so a mutant that never throws
 * there changes nothing.
 */
function isGuard({ consequent, alternate }: IfStatement): boolean {
  const statements: readonly Statement[] =
    consequent.type === 'BlockStatement' ? consequent.body : [consequent]
  return alternate === null && statements.length === 1 && statements[0]?.type === 'ThrowStatement'
}

const isText = ({ type, ...node }: Expression | PrivateIdentifier): boolean =>
  type === 'TemplateLiteral' || ('value' in node && typeof node.value === 'string')

/** Reads pairs such as `min max, pop shift`: each of a pair stands for the other. */
const both = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.split(', ').flatMap((pair) => {
      const [a = '', b = ''] = pair.split(' ')
      return [[a, b] as const, [b, a] as const]
    }),
  )

const otherMethods = both(
  'some every, find findLast, findIndex findLastIndex, indexOf lastIndexOf, push unshift, pop shift, startsWith endsWith, min max, floor ceil',
)

const otherArithmetic: Readonly<Record<string, string>> = {
  ...both('+ -, * /, += -=, ++ --'),
  '%': '*',
}

/** The operators by name, in the order in which they are applied. */
export const operators: Readonly<Record<string, Operator>> = {
  /** A condition is always true, or always false. */
  condition(plant) {
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
  boundary: exchanged({ '<': '<=', '<=': '<', '>': '>=', '>=': '>' }),
  comparison: exchanged(both('< >=, <= >, === !==')),
  logical: (plant, textOf) => ({
    LogicalExpression(node) {
      if (node.operator === '??') return
      const [left, right] = [textOf(node.left), textOf(node.right)]
      plant(node, `(${left} ${node.operator === '&&' ? '||' : '&&'} ${right})`)
      plant(node, `(${left})`)
      plant(node, `(${right})`)
    },
  }),
  not: (plant, textOf) => ({
    UnaryExpression(node) {
      if (node.operator === '!') plant(node, `(${textOf(node.argument)})`)
    },
  }),
  arithmetic: (plant, textOf) => ({
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
  literal: (plant) => ({
    Literal(node) {
      if (typeof node.value === 'boolean') plant(node, String(!node.value))
      if (typeof node.value !== 'number') return
      plant(node, String(node.value + 1))
      if (node.value > 0) plant(node, String(node.value - 1))
    },
  }),
  /** Only the left side of `??` is left, or only the right one. */
  fallback: (plant, textOf) => ({
    LogicalExpression(node) {
      if (node.operator !== '??') return
      plant(node, `(${textOf(node.left)})`)
      plant(node, `(${textOf(node.right)})`)
    },
  }),
  /** `?.` becomes `.`. */
  optional: (plant, textOf) => ({
    MemberExpression(node) {
      if (!node.optional) return
      const member = { start: node.object.end, end: node.end }
      plant(member, textOf(member).replace('?.', node.computed ? '' : '.'))
    },
    CallExpression(node) {
      if (!node.optional) return
      const call = { start: node.callee.end, end: node.end }
      plant(call, textOf(call).replace('?.', ''))
    },
  }),
  /** A list is empty, or one of its elements is missing. */
  list: (plant, textOf) => ({
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
  method: (plant) =>
    calls(Object.keys(otherMethods), (_call, _object, method) => {
      plant(method, otherMethods[method.name] ?? '')
    }),
  'removed call': (plant, textOf) =>
    calls(['filter', 'slice', 'reverse', 'toReversed'], (call, object) => {
      plant(call, textOf(object))
    }),
  membership: (plant, textOf) =>
    calls(['has', 'includes'], (call) => plant(call, `(!${textOf(call)})`)),
  sorting: (plant, textOf) =>
    calls(['sort', 'toSorted'], (call, object) => {
      plant(call, textOf(object))
      plant(call, `${textOf(call)}.reverse()`)
    }),
  /** A statement is missing. */
  statement(plant) {
    const remove = (node: Span): void => plant(node, ';')
    return {
      ExpressionStatement: remove,
      ForOfStatement: remove,
      WhileStatement: remove,
      ContinueStatement: remove,
      BreakStatement: remove,
      ReturnStatement: (node) => (node.argument ? undefined : remove(node)),
    }
  },
  /** A function that returns nothing does nothing. */
  body(plant, textOf) {
    const empty = ({ body }: Function | ArrowFunctionExpression): void => {
      if (body?.type !== 'BlockStatement' || body.body.length < 2) return
      if (!/\breturn [^;]/.test(textOf(body))) plant(body, '{}')
    }
    return { FunctionDeclaration: empty, FunctionExpression: empty, ArrowFunctionExpression: empty }
  },
}
