/**
 * Tests the house rules in `.oxlintrc.jsonc` with a violation of each. A configured rule may have
 * no effect: a later override replaces an earlier one, and an invalid pattern matches nothing.
 */

import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { lineAt, parse, repositorySources, type Source } from './repository.ts'

const atTop = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const functionOf = (lines: number): string => `export const f = () => {${'\n'.repeat(lines - 1)}}`
const linesOf = (lines: number): string => 'export {}\n'.repeat(lines)

/** Path, expected rule and source text. */
const violations: readonly (readonly [path: string, rule: string, text: string])[] = [
  ['engine/a.ts', 'no-restricted-globals', 'export const now = Date.now()'],
  ['engine/a.ts', 'no-restricted-globals', 'export const now = new Date(0)'],
  ['engine/a.ts', 'no-restricted-globals', 'export const now = globalThis.Date.now()'],
  ['engine/a.ts', 'no-restricted-globals', 'export const t = performance.now()'],
  ['engine/a.ts', 'no-restricted-globals', 'setTimeout(() => 1, 5)'],
  ['engine/a.ts', 'no-restricted-globals', 'setInterval(() => 1, 5)'],
  ['engine/a.ts', 'no-restricted-globals', 'setImmediate(() => 1)'],
  ['engine/a.ts', 'no-restricted-globals', 'queueMicrotask(() => 1)'],
  ['engine/a.ts', 'no-restricted-globals', 'export const { env } = process'],
  ['engine/a.ts', 'no-restricted-globals', 'export const host = { process }'],
  ['engine/a.ts', 'no-restricted-globals', 'export const get = () => fetch("http://a")'],
  ['engine/a.ts', 'no-restricted-globals', 'export const id = crypto.randomUUID()'],
  ['engine/a.ts', 'no-restricted-globals', 'export const format = new Intl.NumberFormat()'],
  ['engine/a.ts', 'no-restricted-globals', 'console.log(1)'],
  ['engine/a.test.ts', 'no-restricted-globals', 'export const now = Date.now()'],
  ['engine/a.ts', 'no-restricted-types', 'export type At = Date'],
  ['engine/a.ts', 'no-restricted-properties', 'export const x = Math.random()'],
  ['engine/a.ts', 'no-restricted-properties', 'export const { random } = Math'],
  ['engine/a.ts', 'no-restricted-properties', 'export const c = "a".localeCompare("b")'],
  ['engine/a.ts', 'no-restricted-properties', 'export const text = (5).toLocaleString()'],
  ['engine/a.ts', 'no-restricted-properties', 'export const text = "a".toLocaleUpperCase()'],
  ['engine/a.ts', 'no-restricted-properties', 'export const text = "a".toLocaleLowerCase()'],
  ['engine/a.ts', 'no-restricted-properties', 'export const here = import.meta.url'],
  ['engine/a.ts', 'no-restricted-properties', 'export const here = import.meta.dirname'],
  ['engine/a.ts', 'no-restricted-properties', 'export const here = import.meta.filename'],
  ['engine/a.ts', 'no-async-await', 'export const f = async () => 1'],
  ['engine/a.ts', 'no-async-await', 'export class A { async f() {} }'],
  ['engine/a.ts', 'no-top-level-await', 'export const a = await import("./b.ts")'],
  ['engine/a.ts', 'prefer-await-to-then', 'import("./b.ts").then(() => 1)'],
  ['engine/a.ts', 'avoid-new', 'export const p = new Promise(() => 1)'],
  ['engine/a.ts', 'no-restricted-imports', 'import "node:fs"'],
  ['engine/a.ts', 'no-restricted-imports', 'export type { A } from "ajv"'],
  ['engine/a.ts', 'no-restricted-imports', 'export * from "@a/b/c.js"'],
  ['engine/a.ts', 'no-restricted-imports', 'export const f = () => import("node:fs")'],
  ['engine/a.ts', 'no-restricted-imports', 'import "./testing/story.ts"'],
  ['engine/a.test.ts', 'no-restricted-imports', 'import "seedrandom"'],
  ['engine/testing/a.ts', 'no-restricted-imports', 'import "seedrandom"'],
  ['sim/a.ts', 'no-restricted-imports', 'import "../engine/testing/story.ts"'],
  ['sim/a.ts', 'no-restricted-imports', 'import "./b.contract.ts"'],
  ['bench/cli/a.ts', 'no-restricted-imports', 'import type { A } from "./b.test.ts"'],
  ['sim/a.ts', 'no-explicit-any', 'export let a: any'],
  ['sim/a.ts', 'consistent-type-imports', 'export type A = import("./b.ts").A'],
  ['sim/a.ts', 'no-non-null-assertion', 'export const f = (a?: string) => a!'],
  ['sim/a.ts', 'consistent-type-assertions', 'export const a = 1 as unknown'],
  ['sim/a.ts', 'consistent-type-assertions', 'export const a = <unknown>1'],
  ['sim/a.ts', 'ban-ts-comment', '// @ts-ignore: no\nexport const a = 1'],
  ['sim/a.ts', 'ban-ts-comment', '// @ts-expect-error: no\nexport const a = 1'],
  ['sim/a.ts', 'ban-ts-comment', '// @ts-nocheck: no\nexport const a = 1'],
  ['sim/a.ts', 'max-lines', linesOf(401)],
  ['.ci/a.mjs', 'max-lines', linesOf(401)],
  ['sim/a.ts', 'max-lines-per-function', functionOf(71)],
  ['sim/a.ts', 'max-lines-per-function', `export class A {\nf() {${'\n'.repeat(70)}}}`],
  ['sim/a.test.ts', 'max-lines-per-function', functionOf(151)],
  ['sim/b.ts', 'no-cycle', 'export type { C } from "./c.ts"\nexport type B = 1'],
  ['sim/c.ts', 'no-cycle', 'import { type B } from "./b.ts"\nexport type C = B'],
]

/** Allowed sources: none of the rules above reports them. */
const allowed: readonly (readonly [path: string, text: string])[] = [
  ['engine/a.ts', 'export const options = { Date: 1, console: 2, process: () => 3 }'],
  ['engine/a.ts', 'export const word = "Date.now()" // Date.now()'],
  ['engine/a.ts', 'export const f = (of: { readonly Date: number }) => Math.max(of.Date, 2)'],
  ['engine/a.ts', 'export * from "../model/b.ts"'],
  ['engine/a.test.ts', 'import "vitest"\nimport "node:fs"\nimport "./testing/story.ts"'],
  ['engine/a.test.ts', 'export const f = async () => { await import("fast-check") }'],
  ['sim/testing/a.ts', 'import "./b.contract.ts"'],
  ['sim/a.ts', 'export const now = Date.now()'],
  ['sim/a.ts', 'export const a = ["x"] as const'],
  ['sim/a.ts', linesOf(400)],
  ['engine/protocol/events.ts', linesOf(600)],
  ['sim/a.ts', functionOf(70)],
  ['sim/a.test.ts', functionOf(150)],
]

/** Sources with the same path get a number, their index in the list: `a.ts` becomes `a7.ts`. */
const sources = [...violations, ...allowed.map(([path, text]) => [path, null, text] as const)].map(
  ([path, rule, text], index) => ({
    path: path.replace(/\ba\./, `a${index}.`),
    rule,
    text,
    title: `${path}: ${text.slice(0, 70).trimEnd().replaceAll('\n', '; ')}`,
  }),
)

const folder = mkdtempSync(join(tmpdir(), 'lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Lints all sources with the rules of this repository. Returns the violated rules by path. */
function lint(): Map<string, Set<string>> {
  copyFileSync(atTop('.oxlintrc.jsonc'), join(folder, '.oxlintrc.jsonc'))
  for (const { path, text } of sources) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  // Oxlint looks for the linter of types on the path.
  const PATH = `${atTop('node_modules/.bin')}${delimiter}${process.env['PATH']}`
  const { stdout } = spawnSync(
    process.execPath,
    [atTop('node_modules/oxlint/bin/oxlint'), '--format=unix'],
    { cwd: folder, encoding: 'utf8', env: { ...process.env, PATH } },
  )
  const found = new Map(sources.map(({ path }) => [path, new Set<string>()]))
  for (const [, path = '', rule = ''] of stdout.matchAll(/^(.+?):\d+:\d+: .*\((.+)\)\]$/gm)) {
    found.get(path)?.add(rule)
  }
  return found
}

const found = lint()

test('no override allows a file of more than 600 lines', () => {
  const limits = [
    ...readFileSync(atTop('.oxlintrc.jsonc'), 'utf8').matchAll(/max-lines".*?(\d+)\]/g),
  ]
  expect(limits.length).toBeGreaterThan(0)
  expect(Math.max(...limits.map(([, lines]) => Number(lines)))).toBeLessThanOrEqual(600)
})

test.each(sources.filter(({ rule }) => rule !== null))('$rule finds $title', ({ path, rule }) => {
  expect([...(found.get(path) ?? [])]).toContain(rule)
})

test.each(sources.filter(({ rule }) => rule === null))('$title is allowed', ({ path }) => {
  const rules = new Set(violations.map(([, rule]) => rule))
  expect([...(found.get(path) ?? [])].filter((rule) => rules.has(rule))).toEqual([])
})

/**
 * No comment disables a check. Instead, fix the finding or change the rule for all files. Oxlint
 * cannot report these comments, because they disable the rule that would report them.
 */
const silencers = /(?:ox|es)lint-disable\S*|(?:c8|v8|istanbul) ignore/

/** Returns the comments of a source that disable a check. */
function silencedIn(source: Source): string[] {
  return source.comments.flatMap(({ value, start }) => {
    const [silencer] = silencers.exec(value) ?? []
    if (silencer === undefined) return []
    return [`${source.path}:${lineAt(source, start)} has ${silencer}: fix the finding`]
  })
}

const silenced = (text: string): string[] => silencedIn(parse({ path: 'sim/x.ts', text }))

test('no comment disables a check', () => {
  expect(repositorySources().flatMap(silencedIn)).toEqual([])
})

test.each([
  ['// oxlint-disable-next-line eqeqeq', 'oxlint-disable-next-line'],
  ['/* oxlint-disable */', 'oxlint-disable'],
  ['const a = 1 // eslint-disable-line', 'eslint-disable-line'],
  ['/* c8 ignore next */', 'c8 ignore'],
])('%s is reported', (text, silencer) => {
  expect(silenced(`\n${text}`)).toEqual([`sim/x.ts:2 has ${silencer}: fix the finding`])
})

test('given such a comment inside a string, it is not reported', () => {
  expect(silenced("const a = '// oxlint-disable'")).toEqual([])
})
