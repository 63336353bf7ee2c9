/** `mergeyard sim import`: makes a scenario from a real history. */

import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { columns, count, several, share } from '../../server/terminal/text.ts'
import { readCiRuns } from '../import/ci-runs.ts'
import { historyOf } from '../import/github/history.ts'
import { importedGitHub } from '../import/github/imported-github.ts'
import { readGitHub } from '../import/github/read-folder.ts'
import { imported } from '../import/imported.ts'
import { readJUnit } from '../import/junit.ts'
import { usualMinutes } from '../import/lengths.ts'
import type { ClassifyOptions } from '../import/landings/classify.ts'
import { readLog } from '../import/read-log.ts'
import type { ImportSources } from '../import/sources.ts'
import { calendarOf, weekHourOf } from '../scenario/time.ts'
import { checkScenario } from '../scenario/check.ts'
import { longestName, type Scenario } from '../scenario/scenario.ts'
import { withLastThirdApart } from '../world/history.ts'
import { commandOf, exitCodes, startFolder } from '../../server/terminal/command.ts'
import type { CliContext, Main } from '../../server/terminal/command.ts'
import { badUsage, refuseOthers } from '../../server/terminal/options.ts'
import { fromOne, type Reader } from '../../server/terminal/readers.ts'
import type { OptionTable, ParsedOptions, Usage, Works } from '../../server/terminal/options.ts'
import { writeAll, writeText } from '../../server/terminal/output.ts'
import { jsonOf, withSafeCharacters, writeScenario } from './report-files.ts'

const table = {
  'github <owner/repo>': 'download the history from GitHub, with the token in GITHUB_TOKEN',
  'save <folder>': 'with --github: keep what was downloaded here (default: <repo>.history)',
  'from <folder>': 'read what --github or gh api downloaded; sim/import/README.md lists the files',
  'git <folder>': 'read this git repository, which may be bare',
  'branch <name>':
    'read the pull requests that landed on this branch (default: that of the repository)',
  'runs <file.csv>': 'read test runs; columns: startedAt, durationSeconds, status',
  'junit <folder>': 'read JUnit reports, one file or subfolder per run',
  'last <n>': { help: 'import only the last n pull requests or runs', default: '500' },
  'with-releases': 'import also the commits that make a release',
  'without-bots': 'leave out what Dependabot, Renovate and other bots wrote',
  'queue-label <name>':
    'of GitHub: the label that submits a pull request (default: automerge and the like)',
  'minutes <n>': {
    help: 'minutes of a run for a change of median size, where no run was measured',
    default: String(usualMinutes),
  },
  'busier <times>': { help: 'multiply the arrival rate by this number', default: '1' },
  'name <text>': 'name of the scenario (default: that of the folder or file)',
  'out <file>': 'write the scenario to this file (default: <name>.imported.json)',
  force: 'overwrite an existing file',
  json: 'print the scenario instead of writing it',
} as const satisfies OptionTable

const command = 'sim import'

const usage: Usage<typeof table> = {
  command,
  npm: 'npm run sim -- import',
  about: `Make a scenario from a real history: what the API of GitHub tells, the log of a repository, a CSV
file of test runs, or the last two together.

  mergeyard sim import --github acme/shop
  mergeyard sim import --from shop.history
  mergeyard sim import --git ../my-repo
  mergeyard sim import --runs runs.csv`,
  table,
  more: `The log is read along first parents. It knows the merges of GitHub (button, squash, rebase, merge queue),
GitLab, Gerrit, bors, homu, Mergify, Kodiak and Tide, and says which it found. Direct pushes and releases
are left out and counted. Nothing is fetched: a partial clone is read as far as it goes.

A download goes on where it was interrupted. The history of GitHub tells when pull requests were submitted,
every run and which were repeated, what was refused and what was cancelled. The list "measured" in the
scenario has each figure with the number of its samples.

The CSV file needs a header line; times without a zone are UTC. An optional column commit contains the
tested commit. Without it, flakes cannot be told from failures. The list "assumed" in the scenario says what
the history does not tell, and how to replace it. To run a scenario file with the name import, write ./import.

Exit code: 0 success; 1 GitHub cannot be asked; 2 invalid input; 130 interrupted.
`,
}

type ImportOptions = ParsedOptions<typeof table>

const taken = ['last', 'busier', 'name', 'out', 'force', 'json'] as const
const ofBranch = ['branch', 'with-releases', 'without-bots'] as const

/** What each source of a history takes. A history of GitHub has everything, so nothing else is read. */
const sources: Works<Parameters<ImportOptions['isGiven']>[0]> = [
  ['github', ['save', ...ofBranch, 'queue-label', ...taken]],
  ['from', [...ofBranch, 'queue-label', ...taken]],
  ['git', ['runs', 'junit', ...ofBranch, 'minutes', ...taken]],
  ['runs', ['junit', ...taken]],
]

/** Returns the name of the scenario. One that nobody chose is cut to what the schema allows. */
function nameOf(parsed: ImportOptions, usual: string): string {
  return parsed.readGiven('name', shortEnough) ?? usual.slice(0, longestName)
}

const shortEnough: Reader<string> = (name, faultOf) => {
  if (name.length <= longestName) return name
  throw faultOf(`at most ${longestName} characters`)
}

const atLeastOne = (parsed: ImportOptions, name: 'last' | 'busier' | 'minutes'): number =>
  parsed.read(name, fromOne)

/** What `--github` downloads. */
type DownloadOptions = {
  /** `owner/name`, as the user wrote it. */
  readonly repository: string
  readonly branch: string | null
  readonly last: number
  readonly queueLabel: string | null
  /** The folder, as the user calls it. */
  readonly save: string
}

/** Completes the folder. Returns null, or the exit code if that was not possible; then it has said why. */
export type DownloadHistory = (
  options: DownloadOptions,
  context: CliContext,
) => Promise<number | null>

/** The client of GitHub is the server's, so who puts the commands together says how a history is downloaded. */
export function importCommand(downloadHistory: DownloadHistory): Main {
  return commandOf(usage, (parsed, context) => importHistory(parsed, context, downloadHistory))
}

/** Refuses before a long download what would be refused after it. */
function refuse(parsed: ImportOptions): void {
  refuseOthers(command, sources, parsed)
  const unused = (['out', 'force'] as const).find((name) => parsed.isGiven(name))
  if (parsed.flag('json') && unused) {
    throw badUsage(command, `--json and --${unused}`, 'only one of them: --json writes no file')
  }
  atLeastOne(parsed, 'busier')
  parsed.readGiven('name', shortEnough)
}

async function importHistory(
  parsed: ImportOptions,
  context: CliContext,
  downloadHistory: DownloadHistory,
): Promise<number> {
  refuse(parsed)
  const from = startFolder(context.env)
  const downloaded = await downloadedTo(parsed, context, downloadHistory)
  if (typeof downloaded === 'number') return downloaded
  const folder = downloaded ?? parsed.text('from')
  const found =
    folder === null ? imported(sourcesOf(parsed, from)) : fromFolder(parsed, folder, from)
  const scenario = checkScenario(withLastThirdApart(found), 'the imported scenario')
  if (parsed.flag('json')) {
    await writeAll(context.stdout, [jsonOf(scenario)])
    return exitCodes.success
  }
  const file = parsed.text('out') ?? `${withSafeCharacters(scenario.name)}.imported.json`
  const path = resolve(from, file)
  if (existsSync(path) && !parsed.flag('force')) {
    throw badUsage(command, `${file}, which already exists`, '--force, or another --out')
  }
  writeScenario(path, '--out', scenario)
  await writeText(context.stdout, importSummary(found, file))
  return exitCodes.success
}

function sourcesOf(parsed: ImportOptions, from: string): ImportSources {
  const { text } = parsed
  const [git, csv, junit] = [text('git'), text('runs'), text('junit')]
  const source = git ?? csv
  if (source === null) throw badUsage(command, 'no history', '--github, --from, --git or --runs')
  const choice = choiceOf(parsed)
  const busier = atLeastOne(parsed, 'busier')
  const log =
    git === null
      ? null
      : readLog({ folder: resolve(from, git), branch: text('branch'), source: git }, choice)
  const all = csv === null ? null : readCiRuns(resolve(from, csv), csv)
  // With a repository, all runs are kept, because they belong to its commits.
  const runs = log ? all : (all?.slice(-choice.last) ?? null)
  if ((log?.landed ?? runs)?.length === 0) {
    throw badUsage(command, `${source}, which has none`, 'at least one pull request or run')
  }
  return {
    name: nameOf(parsed, basename(resolve(from, source)).replace(/\.(?:csv|git)$/, '')),
    log,
    runs,
    allRuns: all,
    junit: junit === null ? null : readJUnit(resolve(from, junit), junit),
    busier,
    minutes: atLeastOne(parsed, 'minutes'),
  }
}

/** Which pull requests of a history are taken. */
const choiceOf = (parsed: ImportOptions): ClassifyOptions => ({
  last: atLeastOne(parsed, 'last'),
  withReleases: parsed.flag('with-releases'),
  withoutBots: parsed.flag('without-bots'),
})

// `--github` and `--from`: a history from GitHub.

/** `--github`: the folder; null without this option; the exit code if the download did not end. */
async function downloadedTo(
  parsed: ImportOptions,
  context: CliContext,
  downloadHistory: DownloadHistory,
): Promise<string | number | null> {
  const repository = parsed.text('github')
  if (repository === null) return null
  const save = parsed.text('save') ?? `${basename(repository)}${historySuffix}`
  const failed = await downloadHistory(
    {
      repository,
      save,
      last: atLeastOne(parsed, 'last'),
      branch: parsed.text('branch'),
      queueLabel: parsed.text('queue-label'),
    },
    context,
  )
  return failed ?? save
}

const historySuffix = '.history'

function fromFolder(parsed: ImportOptions, folder: string, start: string): Scenario {
  const path = resolve(start, folder)
  const history = historyOf(readGitHub(path, folder), {
    ...choiceOf(parsed),
    branch: parsed.text('branch'),
    queueLabel: parsed.text('queue-label'),
  })
  if (history.contents.length === 0) {
    const expected = `at least one pull request for ${history.branch} that was submitted`
    throw badUsage(command, `${folder}, which has none`, expected)
  }
  const name = nameOf(parsed, basename(path, historySuffix))
  return importedGitHub(history, { name, busier: atLeastOne(parsed, 'busier') })
}

/** The summary of an import, from which a user can judge whether it is right. */
export function importSummary(scenario: Scenario, file: string): string {
  const { measured = [], assumed = [], pullRequests = [], description = '' } = scenario
  const calendar = calendarOf(scenario)
  const times = pullRequests.map(({ at = 0 }) => calendar?.timeAt(at) ?? 0)
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0]
  const days = Math.max(1, (last - first) / 86_400_000)
  const perDay = times.length / days
  // A pull request each month is not none.
  const pace = `${perDay < 0.1 ? perDay.toPrecision(1) : perDay.toFixed(1)} a day from ${dayOf(first)} to ${dayOf(last)}`
  const rows = [
    ['  pull requests', `${count(times.length)}, ${pace}`],
    ['  busiest hours', busiestOf(times)],
  ]
  const measuredRows = measured.map(({ what, value, samples }) => [`  ${what}`, value, samples])
  const assumedRows = assumed.flatMap(({ what, value, replace }) => [
    [`  ${what}`, value],
    ['', `replace by: ${replace}`],
  ])
  const blocks = `${columns(rows)}\nmeasured\n${columns(measuredRows)}\nassumed\n${columns(assumedRows)}`
  return `${scenario.name}   ${several(times.length, 'pull request')}\n${description}\n\n${blocks}\nwritten  ${file}\n`
}

function busiestOf(times: readonly number[]): string {
  const hours = times.map((time) => weekHourOf(time).hour)
  const howMany = (hour: number): number => hours.filter((each) => each === hour).length
  return [...new Set(hours)]
    .sort((a, b) => howMany(b) - howMany(a) || a - b)
    .slice(0, 3)
    .map((hour) => `${String(hour).padStart(2, '0')} h UTC ${share(howMany(hour), hours.length)}`)
    .join(', ')
}

const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)
