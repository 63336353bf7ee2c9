/** What can be asked of `npm run tune`. */

import { seedsIn } from '../../sim/campaign/seeds.ts'
import {
  badUsage,
  optionsHelp,
  parseOptions,
  seedRangeOf,
  type OptionTable,
} from '../../sim/command-line/parse-options.ts'
import { freeAxis, knownAxis, knownAxisNames, type Axis } from './axes.ts'
import type { QueueAddress } from './curl.ts'
import { preferences, type Preference } from './verdict.ts'

const optionTable = {
  batch: { kind: 'value', value: '1,2,4', help: 'batch sizes; 1 means batches of one, off none' },
  wait: { kind: 'value', value: '0,5', help: 'longest waits for a batch to fill, minutes' },
  concurrency: { kind: 'value', value: '5,10', help: 'main test runs at once' },
  bisection: { kind: 'value', value: '2,5', help: 'bisection runs at once' },
  depth: { kind: 'value', value: '0,1,2', help: 'successors awaited before a failure counts' },
  optimistic: { kind: 'value', value: 'on,off', help: 'whether a pass clears everybody ahead' },
  set: { kind: 'list', value: 'path=1,2', help: 'any field; with one value, for every setting' },
  seeds: { kind: 'value', value: 'n | a..b', help: 'seeds 1..n, or a..b (40)' },
  prefer: { kind: 'value', value: 'what', help: 'balance (default), time or cost' },
  json: { kind: 'flag', help: 'the document alone on standard output' },
  report: { kind: 'value', value: 'folder', help: 'where it goes (reports/<scenario>)' },
  'no-report': { kind: 'flag', help: 'write no files at all' },
  repo: { kind: 'value', value: 'host/owner/name', help: 'whose queue the curl line sets' },
  branch: { kind: 'value', value: 'branch', help: 'of which branch (main)' },
  server: { kind: 'value', value: 'address', help: 'on which server (http://127.0.0.1:3000)' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies OptionTable

export const helpText = `Find settings for a queue: the scenario with every combination of the values given, over many
seeds, on the same pull requests. Says what to set, if that can be told, and what it costs and saves
beside the scenario's own setting.

  npm run tune -- <scenario file> [options]

${optionsHelp(optionTable)}
Without any values: --batch 1,2,4,8,16 --wait 0,2,5,10. Settings that are clearly beaten are dropped
after 10, 20, 40, ... seeds. What is preferred:
${Object.entries(preferences)
  .map(([name, means]) => `  ${name.padEnd(9)}${means}\n`)
  .join('')}
  npm run tune -- scenarios/startup-monorepo.json
  npm run tune -- scenarios/flaky-storm.json --depth 0,1,2 --optimistic on,off --seeds 100

Exit: 0 done; 1 the simulator found the engine at fault; 2 the input cannot be used; 130 interrupted.
`

export type TuneOptions = {
  readonly files: readonly string[]
  readonly axes: readonly Axis[]
  readonly seeds: readonly number[]
  readonly preference: Preference
  readonly json: boolean
  readonly report: string | null
  readonly writesFiles: boolean
  readonly address: QueueAddress
  readonly help: boolean
}

export function readTuneOptions(args: readonly string[], env: NodeJS.ProcessEnv): TuneOptions {
  const given = parseOptions({ table: optionTable, args, env, command: 'tune' })
  const { text, flag } = given
  const known = knownAxisNames.flatMap((name) => {
    const list = text(name)
    return list === null ? [] : [knownAxis(name, list)]
  })
  const free = given.list('set').map(freeAxis)
  const isVaried = [...known, ...free].some(({ values }) => values.length > 1)
  const usual = isVaried || known.length > 0 ? [] : usualAxes()
  return {
    files: given.positionals,
    axes: [...usual, ...known, ...free],
    seeds: [...seedsIn(seedRangeOf('tune', text('seeds') ?? '40'))],
    preference: preferenceOf(text('prefer') ?? 'balance'),
    json: flag('json'),
    report: text('report'),
    writesFiles: !flag('no-report'),
    address: addressOf(text('repo'), text('branch'), text('server')),
    help: flag('help'),
  }
}

function usualAxes(): Axis[] {
  return [knownAxis('batch', '1,2,4,8,16'), knownAxis('wait', '0,2,5,10')]
}

function preferenceOf(text: string): Preference {
  if (text === 'balance' || text === 'time' || text === 'cost') return text
  throw badUsage('tune', `--prefer ${text}`, 'balance, time or cost')
}

function addressOf(
  repo: string | null,
  branch: string | null,
  server: string | null,
): QueueAddress {
  const [host = '', ...path] = (repo ?? 'github.com/OWNER/REPO').split('/')
  const name = path.at(-1) ?? ''
  const owner = path.slice(0, -1).join('/')
  if (host === '' || owner === '' || name === '') {
    throw badUsage('tune', `--repo ${repo ?? ''}`, 'host/owner/name, like github.com/acme/shop')
  }
  return {
    server: server ?? 'http://127.0.0.1:3000',
    repo: { host, owner, name },
    branch: branch ?? 'main',
  }
}
