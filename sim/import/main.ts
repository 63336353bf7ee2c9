/** `npm run sim -- import`: a scenario from a real history. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { writeAll } from '../command-line/output.ts'
import {
  badUsage,
  optionsHelp,
  parseOptions,
  wholeNumber,
  type OptionTable,
} from '../command-line/parse-options.ts'
import { exitCodes, startFolder, type Surroundings } from '../command-line/surroundings.ts'
import { checkScenario } from '../scenario/load.ts'
import { readCiRuns } from './ci-runs.ts'
import { readLandings } from './git-log.ts'
import { imported, type History } from './imported.ts'
import { readJUnit } from './junit.ts'
import { landedOf, type Landed } from './landed.ts'
import { importSummary } from './summary.ts'

const optionTable = {
  git: { kind: 'value', value: 'folder', help: 'a repository, bare ones included' },
  branch: { kind: 'value', value: 'name', help: 'the branch that they landed on (main)' },
  runs: { kind: 'value', value: 'file.csv', help: 'test runs: startedAt, durationSeconds, status' },
  junit: { kind: 'value', value: 'folder', help: 'JUnit reports, a file or a subfolder per run' },
  last: { kind: 'value', value: 'n', help: 'only the last so many (500)' },
  busier: { kind: 'value', value: 'times', help: 'squeeze time: as busy as so many such teams' },
  name: { kind: 'value', value: 'text', help: "the scenario's name (the folder's or the file's)" },
  out: { kind: 'value', value: 'file', help: 'where the scenario goes (<name>.json)' },
  force: { kind: 'flag', help: 'overwrite it' },
  json: { kind: 'flag', help: 'print the scenario instead of writing it' },
  help: { kind: 'flag', help: 'this text' },
} as const satisfies OptionTable

const helpText = `Make a scenario from a real history: a repository's log, a CSV of test runs, or both.

  npm run sim -- import --git ../my-repo --branch main [options]
  npm run sim -- import --runs runs.csv [options]

${optionsHelp(optionTable)}
A CSV has a head; a column commit tells what a run tested. The scenario says in its description what
was assumed. A scenario file that is called import is ./import.

Exit: 0 written; 2 the input cannot be used.
`

const command = 'sim'

/** Does what the arguments ask. Throws `BadInput` for what cannot be used. */
export async function importHistory(
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  const { flag, text, positionals } = parseOptions({
    table: optionTable,
    args,
    env: around.env,
    command,
  })
  if (flag('help')) {
    await writeAll(around.stdout, [helpText])
    return exitCodes.holds
  }
  if (positionals.length > 0) {
    throw badUsage(command, `import ${positionals.join(' ')}`, 'options only: import --help')
  }
  const from = startFolder(around.env)
  const found = imported(historyOf(text, from))
  const scenario = checkScenario(found.scenario, 'the imported scenario')
  const written = `${JSON.stringify(scenario, null, 2)}\n`
  if (flag('json')) {
    await writeAll(around.stdout, [written])
    return exitCodes.holds
  }
  const file = text('out') ?? `${scenario.name.replaceAll(/[^A-Za-z0-9._-]/g, '_')}.json`
  const path = resolve(from, file)
  if (existsSync(path) && !flag('force')) {
    throw badUsage(command, `${file}, which is there already`, '--force, or another --out')
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, written)
  await writeAll(around.stdout, [importSummary(found, file)])
  return exitCodes.holds
}

type Text = (name: keyof typeof optionTable) => string | null

function historyOf(text: Text, from: string): History {
  const [git, csv, junit] = [text('git'), text('runs'), text('junit')]
  const source = git ?? csv
  if (source === null) throw badUsage(command, 'import without a history', '--git or --runs')
  const last = atLeastOne('--last', text('last') ?? '500')
  const busier = atLeastOne('--busier', text('busier') ?? '1')
  const landed = git === null ? null : landedIn(resolve(from, git), text('branch'), last)
  const all = csv === null ? null : readCiRuns(resolve(from, csv), csv)
  // Beside a repository all runs count: they belong to its commits.
  const runs = landed ? all : (all?.slice(-last) ?? null)
  if ((landed ?? runs)?.length === 0) {
    throw badUsage(command, `${source}, which holds nothing`, 'at least one commit or run')
  }
  const name = text('name') ?? basename(resolve(from, source)).replace(/\.(?:csv|git)$/, '')
  return {
    name: name.slice(0, longestName),
    landed,
    runs,
    junit: junit === null ? null : readJUnit(resolve(from, junit), junit),
    busier,
  }
}

/** As long as the name of a scenario may be. */
const longestName = 80

function landedIn(folder: string, branch: string | null, last: number): Landed[] {
  return landedOf(readLandings({ folder, branch: branch ?? 'main', last }))
}

function atLeastOne(option: string, text: string): number {
  const number = wholeNumber(command, option, text)
  if (number < 1) throw badUsage(command, `${option} ${text}`, '1 or more')
  return number
}
