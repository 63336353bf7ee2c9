/** The mutants of the engine: each is its source with one small mistake. */

import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor, type Span } from 'oxc-parser'
import { firstSeedOf } from '../../sim/random/seeds.ts'
import { operators } from './operators.ts'

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

/** Returns every mutant of the engine. */
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
        ...{ file, line, operator },
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
