/** What `mergeyard sim` does besides running scenarios: `--list`, `--defects` and `--exhaustive`. */

import type { Options } from './options.ts'
import { shrunkText } from './shrink-failure.ts'
import { type Spreading, onCores } from '../campaign/over-cores.ts'
import { runsBar, under, workBar } from './progress-bar.ts'
import { jsonOf, refuseUnwritable, reportFolder, writeReport } from './report-files.ts'
import { coverageMarks } from '../coverage-marks/index.ts'
import type { Hunt, HuntTask } from '../defects/hunt.ts'
import { defects, type Defect } from '../defects/index.ts'
import { largerScopes, titleOf, wholeScopes, type Scope } from '../exhaustive/scopes.ts'
import { searchAll, nothingJudged, sumOf } from '../exhaustive/search.ts'
import type { CheckAnswer, CheckTask, Judged, Searched } from '../exhaustive/search.ts'
import { loadSources } from '../judge/source.ts'
import { judges, storyOf } from '../judge/verdict.ts'
import { builtIn } from '../observe/findings.ts'
import { relations } from '../relations/relations.ts'
import { allFeatures } from '../swarm/features.ts'
import { exitCodes, type CliContext, startFolder } from '../../server/terminal/command.ts'
import { colorsFor, widthOf, writeAll, writeText } from '../../server/terminal/output.ts'
import { columns, count, duration, several } from '../../server/terminal/text.ts'

// `--list`: prints what the simulator checks, draws and plants, or scenarios, each with its sentence.

/** A feature says what it is by its name. */
type Entry = { readonly name: string; readonly sentence: string } | string

/** The lists by their name in `--json`, each with a title for readers. */
type Lists = Readonly<Record<string, { readonly title: string; readonly of: readonly Entry[] }>>

const ownLists: Lists = {
  properties: { title: 'properties, checked at every event', of: [...builtIn, ...judges] },
  relations: { title: 'relations, between a run and a changed run', of: relations },
  marks: { title: 'coverage marks, which 1,000 random scenarios must reach', of: coverageMarks },
  defects: { title: 'defects, which --defects plants in the engine', of: defects },
  features: { title: 'features of random scenarios, for --with', of: allFeatures },
}

/** Prints the scenarios of these files, else what the simulator has. Returns the exit code. Rule: S-259. */
export async function printLists(
  { files, json }: Pick<Options, 'files' | 'json'>,
  context: CliContext,
) {
  const lists = files.length > 0 ? { scenarios: scenariosOf(files, context) } : ownLists
  if (json) await writeAll(context.stdout, [jsonText(lists)])
  else await writeText(context.stdout, listText(lists))
  return exitCodes.success
}

function scenariosOf(files: readonly string[], { env, stderr }: CliContext): Lists[string] {
  const onSkipped = (line: string): void => void stderr.write(line)
  const asWritten = { settings: [], features: [], onSkipped }
  const of = loadSources(files, startFolder(env), asWritten).flatMap((source): Entry[] => {
    if (source.kind === 'swarm') return []
    const { name, description = '' } = source.scenario
    return [{ name, sentence: description }]
  })
  return { title: 'scenarios', of }
}

function jsonText(lists: Lists): string {
  const entries = Object.entries(lists).map(([list, { of }]) => {
    const shown = of.map((entry) => {
      return typeof entry === 'string' ? entry : { name: entry.name, sentence: entry.sentence }
    })
    return [list, shown] as const
  })
  return jsonOf(Object.fromEntries(entries))
}

function lineOf(entry: Entry): string {
  if (typeof entry === 'string') return entry
  const { name, sentence } = entry
  return sentence === '' ? name : `${name}: ${sentence}`
}

function listText(lists: Lists): string {
  const sections = Object.values(lists).map(({ title, of }) => {
    return `${of.length} ${title}\n${of.map((entry) => `  ${lineOf(entry)}\n`).join('')}`
  })
  return sections.join('\n')
}

// `--defects`: hunts every defect of the catalogue, and prints who notices it and after how many seeds.

/** Where the work is done: on the cores of this machine by default. */
type DefectsOptions = Pick<Options, 'json' | 'report' | 'writesFiles'> & Partial<Spreading>

export type HuntsDocument = {
  readonly seedsAtMost: number
  /** In the order of the catalogue. */
  readonly defects: readonly (Hunt & { readonly sentence: string })[]
  /** Judges that have noticed none of the defects at its first seed. */
  readonly idle: readonly string[]
}

/** Returns the exit code: 1 if nobody notices a defect, or a judge notices none of the whole catalogue. */
export async function runDefects(
  { json, report, writesFiles, ...spreading }: DefectsOptions,
  context: CliContext,
  hunted: readonly Defect[] = defects,
  seedsAtMost = 2000,
): Promise<number> {
  const folder = reportFolder('defects', report, startFolder(context.env))
  if (writesFiles) refuseUnwritable(folder)
  const hunts = await huntAll(hunted, seedsAtMost, { ...onCores, ...spreading, ...context })
  const document = huntsDocument(hunted, hunts, seedsAtMost)
  const text = jsonOf(document)
  if (json) await writeAll(context.stdout, [text])
  else await writeText(context.stdout, readersText(document, context))
  if (writesFiles) writeReport(folder, { 'defects.json': [text] })
  if (context.signal.aborted) return exitCodes.interrupted
  const isProven = hunted !== defects || document.idle.length === 0
  return survivors(document).length === 0 && isProven ? exitCodes.success : exitCodes.failure
}

export function huntsDocument(
  hunted: readonly Defect[],
  hunts: readonly Hunt[],
  seedsAtMost: number,
): HuntsDocument {
  const byDefect = new Map(hunts.map((each) => [each.defect, each]))
  const noticing = new Set(hunts.flatMap(({ noticed }) => noticed?.by ?? []))
  return {
    seedsAtMost,
    defects: hunted.flatMap(({ name, sentence }) => {
      const found = byDefect.get(name)
      return found ? [{ ...found, sentence }] : []
    }),
    idle: judges.map(({ name }) => name).filter((name) => !noticing.has(name)),
  }
}

/** The defects that nobody noticed. */
const survivors = ({ defects: rows }: HuntsDocument): string[] =>
  rows.filter(({ noticed }) => noticed === null).map(({ defect }) => defect)

async function huntAll(
  hunted: readonly Defect[],
  seedsAtMost: number,
  { stderr, signal, spread, note }: CliContext & Spreading,
): Promise<Hunt[]> {
  const hunts: Hunt[] = []
  await under(workBar(stderr, 'hunting', hunted.length, 'defects'), (bar) =>
    spread<HuntTask, Hunt>({
      worker: { url: new URL('../defects/hunt.js', import.meta.url), name: 'huntWorker' },
      tasks: hunted.map(({ name }) => ({ defect: name, seedsAtMost })),
      onAnswer: (hunt) => {
        hunts.push(hunt)
        bar.update(hunts.length, `${hunt.defect}${note()}`)
      },
      signal,
    }),
  )
  return hunts
}

function readersText(document: HuntsDocument, context: CliContext): string {
  const rows = document.defects.map(({ defect, noticed }) =>
    noticed ? [defect, String(noticed.seed), noticed.by.join(', ')] : [defect, '', 'NOBODY'],
  )
  const table = columns([['defect', 'seed', 'noticed by'], ...rows], [1])
  const end = context.signal.aborted
    ? ''
    : verdictOf(document, colorsFor(context.stdout, context.env))
  return `${table}\n${end}`
}

function verdictOf(document: HuntsDocument, colors: ReturnType<typeof colorsFor>): string {
  const { defects: rows, seedsAtMost, idle } = document
  const survived = survivors(document)
  const all = several(rows.length, 'defect')
  const limit = `within ${several(seedsAtMost, 'seed')}`
  if (survived.length > 0) {
    return `${colors.red('SURVIVED')}  ${survived.length} of ${all} ${limit}: ${survived.join(', ')}\n`
  }
  const proof = idle.length > 0 ? `; none is noticed first by ${idle.join(', ')}` : ''
  return `${colors.green('noticed')}  ${all}, each ${limit}${proof}\n`
}

// `--exhaustive`: visits every state of a few pull requests, without seeds.

type ExhaustiveOptions = Pick<Options, 'json' | 'writesFiles' | 'statesAtMost'> & Partial<Spreading>

/** Returns the exit code. Rule: S-63. */
export async function runExhaustive(
  options: ExhaustiveOptions,
  context: CliContext,
  scopes: readonly Scope[] = options.statesAtMost === null ? wholeScopes : largerScopes,
): Promise<number> {
  const startedAt = performance.now()
  const searches = await searchWithBar(scopes, { ...onCores, ...options, ...context })
  const minutes = (performance.now() - startedAt) / 60_000
  const total = totalOf(scopes, searches)
  if (options.json) {
    const own = searches.map(({ first: _first, ...counts }, index) => ({
      ...scopes[index],
      ...counts,
    }))
    const document = { ...total, searches: own }
    await writeAll(context.stdout, [jsonOf(document)])
  } else {
    const table = searchesText(scopes, searches, widthOf(context.stdout))
    await writeAll(context.stdout, [table, exhaustiveText(total, minutes, context)])
  }
  const { first } = total
  if (first) {
    const shrunk = await shrunkText(first, options, context)
    await writeAll(options.json ? context.stderr : context.stdout, [shrunk])
  }
  if (context.signal.aborted) return exitCodes.interrupted
  return first ? exitCodes.failure : exitCodes.success
}

function searchesText(
  scopes: readonly Scope[],
  searches: readonly Searched[],
  width: number | null,
): string {
  const rows = scopes.map((scope, index) => {
    const { states = 0, steps = 0, runs = 0, isComplete = false } = searches[index] ?? {}
    const title = `${titleOf(scope)}${isComplete ? '' : ', cut off'}`
    return [title, ...[states, steps, runs].map((each) => count(each))]
  })
  return columns([['', 'states', 'steps', 'judged runs'], ...rows], [1, 2, 3], width)
}

async function searchWithBar(
  scopes: readonly Scope[],
  {
    stderr,
    signal,
    spread,
    note,
    statesAtMost,
  }: CliContext & Spreading & Pick<Options, 'statesAtMost'>,
): Promise<Searched[]> {
  let doing = 'every state'
  return under(
    runsBar(stderr, () => `${doing}${note()}`, 1),
    (bar) =>
      searchAll({
        scopes,
        signal,
        statesAtMost: statesAtMost ?? Infinity,
        check: (tasks, onAnswer) =>
          spread<CheckTask, CheckAnswer>({
            worker: {
              url: new URL('../exhaustive/search.js', import.meta.url),
              name: 'checkWorker',
            },
            tasks,
            onAnswer,
            signal,
          }),
        onProgress: ({ known, length, states, more }) => {
          doing = `${several(states, 'state')}, cases of ${several(length, 'step')}`
          bar.expect(known)
          for (let each = 0; each < more; each++) bar.advance()
        },
      }),
  )
}

type Total = Searched & { readonly pullRequestsAtMost: number }

function totalOf(scopes: readonly Scope[], searches: readonly Searched[]): Total {
  const sum = (of: (each: Searched) => number): number =>
    searches.reduce((total, each) => total + of(each), 0)
  return {
    pullRequestsAtMost: Math.max(...scopes.map(({ pullRequests }) => pullRequests)),
    isComplete: searches.every(({ isComplete }) => isComplete),
    states: sum(({ states }) => states),
    steps: sum(({ steps }) => steps),
    ...searches.reduce<Judged>(sumOf, nothingJudged),
  }
}

function exhaustiveText(total: Total, minutes: number, context: CliContext): string {
  const { pullRequestsAtMost: most, isComplete, states, runs, checks, failed, first } = total
  const colors = colorsFor(context.stdout, context.env)
  const what = `${several(states, 'state')} and ${several(runs, 'run')}, in ${duration(minutes)}`
  const about = `\n${isComplete ? 'every state' : 'some states'} of up to ${several(most, 'pull request')}   ${what}\n\n`
  if (checks === 0) return `${about}Nothing was checked.\n`
  if (!first) return `${about}${colors.green('holds')}  ${several(checks, 'check')}\n`
  const [failure] = first.failures
  const story = failure ? `${storyOf(failure)}\n` : ''
  return `${about}${story}\n${colors.red('DOES NOT HOLD')}  in ${several(failed, 'run')}\n`
}
