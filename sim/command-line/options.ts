/**
 * What can be asked of `npm run sim`, as a table: parsing, `--help` and the check for options that
 * npm swallowed all read it. Source: spec "Commands".
 */

import { allFeatures, featureOf, type Feature } from '../swarm/features.ts'
import { parseOptions, type OptionTable } from './parse-options.ts'
import { seedsOf, type Seeds } from './seed-options.ts'
import { usageFault, wholeNumber } from './usage.ts'

export const optionTable = {
  seed: { kind: 'value', value: 'n', help: "this seed instead of the file's" },
  seeds: { kind: 'value', value: 'n | a..b', help: 'seeds 1..n, or a..b, spread over the cores' },
  'seeds-from': { kind: 'value', value: 'text', help: 'the first seed out of, say, a commit hash' },
  for: { kind: 'value', value: '60s', help: 'as many seeds as fit into that time' },
  shard: { kind: 'value', value: 'i/n', help: 'only that part of the seeds; see merge' },
  set: { kind: 'list', value: 'path=value', help: 'override a field of the scenario; repeatable' },
  with: {
    kind: 'list',
    value: 'feature',
    help: 'without a file: every scenario of the swarm has it; repeatable',
  },
  against: {
    kind: 'value',
    value: 'folder',
    help: "a server's data folder instead: what was recorded, again, exactly",
  },
  queue: {
    kind: 'value',
    value: 'name',
    help: 'which queue of it, like github.com/acme/shop:main',
  },
  json: { kind: 'flag', help: 'the result document alone on standard output' },
  trace: { kind: 'value', value: 'file', help: 'every command, event and effect, a line each' },
  expand: {
    kind: 'value',
    value: 'file',
    help: 'write the scenario with every draw made explicit',
  },
  report: {
    kind: 'value',
    value: 'folder',
    help: 'where the report goes (reports/<scenario>); several have a folder each in it',
  },
  'no-report': { kind: 'flag', help: 'write no files at all' },
  why: { kind: 'value', value: 'number', help: "one pull request's story, in sentences" },
  defects: { kind: 'flag', help: 'inject defects into the engine: does a property see each?' },
  exhaustive: { kind: 'flag', help: 'every case of up to four pull requests; no seed' },
  once: { kind: 'flag', help: 'do not run it a second time to compare (for very long runs)' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies OptionTable

export type Options = {
  readonly files: readonly string[]
  readonly seeds: Seeds | null
  readonly settings: readonly string[]
  /** What every scenario of the swarm has. */
  readonly features: readonly Feature[]
  /** The data folder of a server whose recording is replayed. */
  readonly against: string | null
  /** The queue in it; null: the only one. */
  readonly queue: string | null
  readonly json: boolean
  readonly trace: string | null
  readonly expand: string | null
  /** Where reports go; null: beside each other in `reports/`. */
  readonly report: string | null
  readonly writesFiles: boolean
  /** The pull request whose story is wanted. */
  readonly why: number | null
  /** Check the properties themselves, instead of running scenarios. */
  readonly defects: boolean
  readonly exhaustive: boolean
  readonly once: boolean
  readonly help: boolean
}

/** Reads the arguments. Throws `BadInput` for anything that is not in the table. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { positionals, flag, text, list } = parseOptions({
    table: optionTable,
    args,
    env,
    command: 'sim',
  })
  return {
    files: positionals,
    seeds: seedsOf({
      seed: text('seed'),
      seeds: text('seeds'),
      'seeds-from': text('seeds-from'),
      for: text('for'),
      shard: text('shard'),
    }),
    settings: list('set'),
    features: list('with').map(featureNamed),
    against: text('against'),
    queue: text('queue'),
    json: flag('json'),
    trace: text('trace'),
    expand: text('expand'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    why: whyOf(text('why')),
    defects: flag('defects'),
    exhaustive: flag('exhaustive'),
    once: flag('once'),
    help: flag('help'),
  }
}

function featureNamed(name: string): Feature {
  const feature = featureOf(name)
  if (feature === undefined)
    throw usageFault(`--with "${name}"`, `one of ${allFeatures.join(', ')}`)
  return feature
}

function whyOf(text: string | null): number | null {
  return text === null ? null : wholeNumber('--why', text)
}
