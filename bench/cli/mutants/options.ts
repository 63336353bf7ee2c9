/** The options of `mergeyard mutants`. */

import { randomInt } from 'node:crypto'
import type { Shard } from '../../../sim/random/seeds.ts'
import type { OptionTable, Usage } from '../../../sim/terminal/option-table.ts'
import { badUsage, type ParsedOptions } from '../../../sim/terminal/parse-options.ts'
import { shardOf, wholeNumber } from '../../../sim/terminal/read-values.ts'
import { columns } from '../../../sim/terminal/text.ts'
import { operators } from '../../mutation/operators/index.ts'

const table = {
  sample: { kind: 'value', value: 'n', default: '50', help: 'judge a random sample of this size' },
  seed: { kind: 'value', value: 'n', help: 'draw the same sample again' },
  all: { kind: 'flag', help: 'judge every mutant; takes hours' },
  only: {
    kind: 'list',
    value: 'path',
    help: 'only mutants of this folder, file or line (engine/rules, .../merge.ts, .../merge.ts:12); all of them without --sample; repeatable',
  },
  equivalents: {
    kind: 'flag',
    help: 'judge the mutants listed as equivalent: none may be noticed, or give other events',
  },
  fast: { kind: 'flag', help: 'stop at the first judge that notices a mutant' },
  swarm: {
    kind: 'value',
    value: 'n',
    default: '150',
    help: 'seeds of the swarm for each mutant, and as many for the model',
  },
  shard: { kind: 'value', value: 'i/n', help: 'judge only part i of n of the mutants; see merge' },
  resume: {
    kind: 'value',
    value: 'mutants.json',
    help: 'skip the mutants judged in this document',
  },
  json: { kind: 'flag', help: 'print only the document, as JSON, to standard output' },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'write the document to this folder (default: reports/mutants)',
  },
  'no-report': { kind: 'flag', help: 'write no files' },
} as const satisfies OptionTable

export const usage: Usage<typeof table> = {
  command: 'mutants',
  npm: 'npm run mutants --',
  about: `Plant small mistakes in the engine, one at a time, and report who notices them: the scenarios, a share
of the swarm, the unit tests of the engine.

  mergeyard mutants                        a random sample of 50
  mergeyard mutants --only engine/rules    every mutant of a folder
  mergeyard mutants merge a.json b.json    merge the documents of several machines`,
  operands: { name: 'merge and documents', least: 0, most: Infinity },
  table,
  more: `Operators:
${columns(operators.map(({ name, sentence }) => [`  ${name}`, sentence]))}
A mutant that throws, hangs or takes all memory is noticed. One that the type checker refuses is counted
apart: no judge is asked about it, and no share counts it.

Exit code: 0 the goals are met; 1 a goal is missed, or an equivalent mutant is noticed; 2 invalid input;
130 interrupted.
`,
}

export type MutantsOptions = {
  /** The seed of the sample. */
  readonly seed: number
  /** The size of the sample; null: every mutant. */
  readonly sample: number | null
  readonly only: readonly string[]
  readonly equivalents: boolean
  readonly fast: boolean
  readonly swarm: number
  readonly shard: Shard | null
  readonly resume: string | null
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
}

const newSeedsBelow = 2 ** 40

/** Reads the options. Throws `BadInput` if one is invalid or if they contradict each other. */
export function mutantsOptionsOf(parsed: ParsedOptions<typeof table>): MutantsOptions {
  const { flag, text, list, fault, isGiven } = parsed
  if (flag('all') && isGiven('sample')) {
    throw badUsage('mutants', '--all and --sample together', 'only one of them')
  }
  const numberOf = (name: 'sample' | 'swarm' | 'seed'): number =>
    wholeNumber(text(name) ?? '', (expected) => fault(name, expected))
  const isSample = isGiven('sample') || !(flag('all') || flag('equivalents') || isGiven('only'))
  const shard = text('shard')
  return {
    seed: isGiven('seed') ? numberOf('seed') : randomInt(newSeedsBelow),
    sample: isSample ? numberOf('sample') : null,
    only: list('only'),
    equivalents: flag('equivalents'),
    fast: flag('fast'),
    swarm: numberOf('swarm'),
    shard: shard === null ? null : shardOf(shard, (expected) => fault('shard', expected)),
    resume: text('resume'),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
  }
}
