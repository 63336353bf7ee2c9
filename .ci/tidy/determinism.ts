/**
 * The engine knows no time but that of its commands, and no chance: the same commands give the
 * same events on any machine. So it touches no clock, no randomness, no locale, and never waits.
 */

import { isTestCode, placeOf, visit, type Source } from './source.ts'

type Node = { readonly type: string; readonly start: number }

const clock = 'the time comes with each command, as `at`'
const waiting = 'the engine never waits: ask a port, which answers with a command'
const outside = 'the engine reaches the world through its ports alone'
const locale = 'locales differ between machines: compare with < and >'

const bannedNames: Readonly<Record<string, string>> = {
  Date: clock,
  performance: clock,
  setTimeout: waiting,
  setInterval: waiting,
  setImmediate: waiting,
  queueMicrotask: waiting,
  Promise: waiting,
  process: outside,
  globalThis: outside,
  console: outside,
  fetch: outside,
  crypto: 'chance belongs to the simulator, which draws it from a seed',
  Intl: locale,
}

const bannedMembers: Readonly<Record<string, string>> = {
  'Math.random': 'chance belongs to the simulator, which draws it from a seed',
  localeCompare: locale,
  toLocaleString: locale,
  toLocaleUpperCase: locale,
  toLocaleLowerCase: locale,
}

/** Tests may read files, and wait for them; clocks and chance are as little theirs as the engine's. */
const testsMayUse = new Set(['process', 'import.meta', 'import()', 'async', 'await', 'Promise'])

/** Every use of a clock, of chance, of a locale or of waiting, with what to do instead. */
export function chanceIn(source: Source): string[] {
  const faults: string[] = []
  /** Names that only say which member of an object is meant. */
  const labels = new Set<Node>()
  const isTest = isTestCode(source.path)
  const add = (node: Node, what: string, advice: string): void => {
    if (isTest && testsMayUse.has(what)) return
    faults.push(`${placeOf(source, node)} uses ${what}: ${advice}`)
  }
  const addIfAsync = (node: Node & { readonly async: boolean }): void => {
    if (node.async) add(node, 'async', waiting)
  }
  visit(source, {
    MemberExpression: ({ object, property, computed }) => {
      if (computed || property.type !== 'Identifier') return
      labels.add(property)
      const of = object.type === 'Identifier' ? `${object.name}.${property.name}` : property.name
      for (const name of [of, property.name]) {
        const advice = ownEntry(bannedMembers, name)
        if (advice !== null) add(property, name, advice)
      }
    },
    Property: ({ key, shorthand }) => void (shorthand || labels.add(key)),
    PropertyDefinition: ({ key }) => void labels.add(key),
    MethodDefinition: ({ key }) => void labels.add(key),
    TSPropertySignature: ({ key }) => void labels.add(key),
    TSMethodSignature: ({ key }) => void labels.add(key),
    Identifier: (node) => {
      const advice = labels.has(node) ? null : ownEntry(bannedNames, node.name)
      if (advice !== null) add(node, node.name, advice)
    },
    ArrowFunctionExpression: addIfAsync,
    FunctionDeclaration: addIfAsync,
    FunctionExpression: addIfAsync,
    AwaitExpression: (node) => add(node, 'await', waiting),
    ImportExpression: (node) => add(node, 'import()', outside),
    MetaProperty: (node) => add(node, 'import.meta', outside),
  })
  return faults
}

function ownEntry(table: Readonly<Record<string, string>>, name: string): string | null {
  return Object.hasOwn(table, name) ? (table[name] ?? null) : null
}
