/**
 * Checks the citations of the specification: every cited rule exists, and a test or a scenario
 * covers every rule of the engine.
 *
 * A rule begins with its id in bold, `**E-1**`. A test cites the rules that it covers in a separate
 * line directly above it: `// E-1, E-2`. A scenario cites them in its description.
 */

import type { RepositoryFile } from './repository.ts'
import { lineAt } from './source.ts'

/** The parts of the specification, by the letter of their ids. */
const specifications = { E: 'engine/SPEC.md', A: 'server/API.md', S: 'sim/SPEC.md' } as const

const rule = /\*\*([EAS]-\d+)\*\*/g
const citation = /\b[EAS]-\d+\b/g
const aboveTest =
  /^[ \t]*\/\/ ([EAS]-\d+(?:, [EAS]-\d+)*)\n[ \t]*(?:test|it|describe)(?:\.\w+)?\(/gm
const description = /"description": *"((?:[^"\\\n]|\\.)*)"/

type Rule = { readonly id: string; readonly file: RepositoryFile; readonly line: number }

/** Returns rules with a repeated id, rules in the wrong document, and missing documents. */
export function faultyRules(files: readonly RepositoryFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const missing = Object.values(specifications)
    .filter((path) => !paths.has(path))
    .map((path) => `${path} is missing: it is a part of the specification`)
  const seen = new Map<string, string>()
  const faults = rulesIn(files).flatMap(({ id, file, line }) => {
    const location = `${file.path}:${line}`
    const before = seen.get(id)
    seen.set(id, before ?? location)
    if (before !== undefined) {
      return [`${location} repeats the id ${id} of ${before}: use the next free number`]
    }
    const expected = specificationOf(id)
    return expected === file.path ? [] : [`${location} has the rule ${id}: move it to ${expected}`]
  })
  return [...missing, ...faults]
}

/** Returns citations of rules that do not exist. */
export function deadCitations(files: readonly RepositoryFile[]): string[] {
  const known = new Set(rulesIn(files).map(({ id }) => id))
  return files.filter(isCiting).flatMap((file) =>
    [...citable(file).matchAll(citation)]
      .filter(([id]) => !known.has(id))
      .map((match) => {
        const [id] = match
        const location = file.path.endsWith('.json')
          ? file.path
          : `${file.path}:${lineAt(file, match.index)}`
        return `${location} cites ${id}, which ${specificationOf(id)} does not have: cite an existing rule`
      }),
  )
}

/** Returns the rules of the engine that no test and no scenario covers. */
export function uncoveredRules(files: readonly RepositoryFile[]): string[] {
  const covered = new Set(files.filter(isCiting).flatMap(coveredBy))
  return rulesIn(files)
    .filter(({ id }) => id.startsWith('E-') && !covered.has(id))
    .map(
      ({ id, file, line }) =>
        `${file.path}:${line} has ${id}, which no test covers: write "// ${id}" above a test that does`,
    )
}

function coveredBy(file: RepositoryFile): string[] {
  if (file.path.endsWith('.test.ts')) {
    return [...file.text.matchAll(aboveTest)].flatMap(([, ids = '']) => ids.split(', '))
  }
  return file.path.endsWith('.json') ? (citable(file).match(citation) ?? []) : []
}

function rulesIn(files: readonly RepositoryFile[]): Rule[] {
  const documents = new Set<string>(Object.values(specifications))
  return files
    .filter(({ path }) => documents.has(path))
    .flatMap((file) =>
      [...file.text.matchAll(rule)].map((match) => {
        return { id: match[1] ?? '', file, line: lineAt(file, match.index) }
      }),
    )
}

function specificationOf(id: string): string {
  if (id.startsWith('E')) return specifications.E
  return id.startsWith('A') ? specifications.A : specifications.S
}

/** Files in .ci/ do not count, because the tests of this check cite invented rules. */
function isCiting({ path }: RepositoryFile): boolean {
  const isScenario = path.startsWith('scenarios/') && path.endsWith('.json')
  return !path.startsWith('.ci/') && (/\.(?:ts|md)$/.test(path) || isScenario)
}

/** The text that may contain citations: the description of a scenario, all of any other file. */
function citable({ path, text }: RepositoryFile): string {
  return path.endsWith('.json') ? (description.exec(text)?.[1] ?? '') : text
}
