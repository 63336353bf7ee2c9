/**
 * Imports run one way: engine <- server, engine <- sim <- bench. Scenarios and reports are data,
 * read when they are needed. The engine imports nothing outside itself, so it runs anywhere and
 * always alike.
 */

import { posix } from 'node:path'
import { isTestCode, placeOf, visit, type Source } from './source.ts'

/** Whom the files of a folder may import, beside their own folder. */
const directions: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  server: ['engine'],
  sim: ['engine'],
  bench: ['engine', 'sim'],
  '.ci': [],
}

export type Exception = { readonly from: string; readonly to: string; readonly reason: string }

/** The only imports that may run against the direction: one file into one folder, and why. */
export const exceptions: readonly Exception[] = []

export type Import = {
  readonly from: string
  readonly specifier: string
  /** Where it stands. */
  readonly place: string
}

/** Every import of a source, for types or for values, re-exports and dynamic ones included. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  const add = (node: { readonly start: number; readonly value: unknown } | null): void => {
    if (node === null) return
    const specifier = String(node.value)
    found.push({ from: source.path, specifier, place: placeOf(source, node) })
  }
  visit(source, {
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    ImportExpression: ({ source: specifier }) => {
      if (specifier.type === 'Literal') add(specifier)
    },
  })
  return found
}

/** The file a relative import means; null for a package. */
export function targetOf({ from, specifier }: Import): string | null {
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null
}

/** What is wrong with one import, as an advice; null when nothing is. */
export function faultOf(each: Import, allowed: readonly Exception[] = exceptions): string | null {
  const target = targetOf(each)
  return target === null ? faultOfPackage(each) : faultOfRelative(each, target, allowed)
}

function faultOfPackage({ from, specifier }: Import): string | null {
  if (folderOf(from) !== 'engine') return null
  if (!isTestCode(from))
    return 'the engine imports no package: pass in what it needs through a port'
  const isTestTool = /^(?:vitest|fast-check|node:.+)$/.test(specifier)
  return isTestTool ? null : 'tests of the engine import only vitest, fast-check and node: modules'
}

function faultOfRelative(
  { from }: Import,
  target: string,
  allowed: readonly Exception[],
): string | null {
  if (!/\.(?:ts|json)$/.test(target)) return 'a relative import ends in .ts: name the very file'
  if (isTestCode(target) && !isTestCode(from)) {
    return 'only tests import test code: move what both need out of it'
  }
  const [home, to] = [folderOf(from), folderOf(target)]
  if (home === to || directions[home]?.includes(to) === true) return null
  if (allowed.some((each) => each.from === from && each.to === to)) return null
  return to in directions
    ? `${home} does not import ${to}: move what both need to where both may import it`
    : `${to} holds data: read it when it is needed, instead of importing it`
}

/** Exceptions that no import needs any more. */
export function idleExceptions(
  imports: readonly Import[],
  allowed: readonly Exception[] = exceptions,
): Exception[] {
  return allowed.filter(
    ({ from, to }) =>
      !imports.some((each) => each.from === from && folderOf(targetOf(each) ?? '') === to),
  )
}

/** Packages that a product needs and an installation without development tools would lack. */
export function missingInProduction(
  imports: readonly Import[],
  dependencies: readonly string[],
): Import[] {
  return imports.filter(({ from, specifier }) => {
    if (isTestCode(from) || !['server', 'sim'].includes(folderOf(from))) return false
    if (specifier.startsWith('.') || specifier.startsWith('node:')) return false
    return !dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`))
  })
}

function folderOf(path: string): string {
  const end = path.indexOf('/')
  return end === -1 ? 'the top level' : path.slice(0, end)
}
