/** `--defects`: hunts every defect of the catalogue, and prints who notices it and after how many seeds. */

import { overCores, type Spread, type Spreading } from '../../../../sim/campaign/over-cores.ts'
import type { Defect } from '../../../../sim/defects/defect.ts'
import type { Hunt } from '../../../../sim/defects/hunt.ts'
import type { HuntTask } from '../../../../sim/defects/hunt-worker.ts'
import { defects, equivalents } from '../../../../sim/defects/index.ts'
import { judges } from '../../../../sim/judge/judges.ts'
import { exitCodes, startFolder, type CliContext } from '../../../../terminal/command.ts'
import { colorsFor, writeAll } from '../../../../terminal/output.ts'
import { reportFolder, writeReport } from '../../../../sim/terminal/report-files.ts'
import { columns, several } from '../../../../terminal/text.ts'
import { workBar } from '../../../../sim/terminal/work-bar.ts'
import type { Options } from '../options/options.ts'

type DefectsOptions = Pick<Options, 'json' | 'report' | 'writesFiles'> & {
  /** Where the hunts run; the cores of this machine by default. */
  readonly spread?: Spread
  /** What the progress bar says besides. */
  readonly note?: () => string
}

export type HuntsDocument = {
  readonly seedsAtMost: number
  /** In the order of the catalogue. */
  readonly defects: readonly (Hunt & {
    readonly sentence: string
    /** Why it has no effect, if that is known. */
    readonly equivalent: string | null
  })[]
  /** Judges that have noticed none of the defects at its first seed. */
  readonly idle: readonly string[]
}

/** Returns the exit code: 1 if nobody notices a defect, or a judge notices none of the whole catalogue. */
export async function runDefects(
  { json, report, writesFiles, spread = overCores, note = () => '' }: DefectsOptions,
  context: CliContext,
  hunted: readonly Defect[] = defects,
  seedsAtMost = 2000,
): Promise<number> {
  const hunts = await huntAll(hunted, seedsAtMost, { ...context, spread, note })
  const document = huntsDocument(hunted, hunts, seedsAtMost)
  const text = `${JSON.stringify(document, null, 2)}\n`
  await writeAll(context.stdout, [json ? text : readersText(document, context)])
  if (writesFiles) {
    const folder = reportFolder('defects', report, startFolder(context.env))
    writeReport(folder, { 'defects.json': [text] })
  }
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
      return found ? [{ ...found, sentence, equivalent: equivalents[name] ?? null }] : []
    }),
    idle: judges.map(({ name }) => name).filter((name) => !noticing.has(name)),
  }
}

/** The defects that nobody noticed, although they have an effect. */
const survivors = ({ defects: rows }: HuntsDocument): string[] =>
  rows
    .filter(({ noticed, equivalent }) => noticed === null && equivalent === null)
    .map(({ defect }) => defect)

async function huntAll(
  hunted: readonly Defect[],
  seedsAtMost: number,
  { stderr, signal, spread, note }: CliContext & Pick<Spreading, 'spread' | 'note'>,
): Promise<Hunt[]> {
  const bar = workBar(stderr, 'hunting', hunted.length, 'defects')
  const hunts: Hunt[] = []
  try {
    await spread<HuntTask, Hunt>({
      worker: {
        url: new URL('../../../../sim/defects/hunt-worker.js', import.meta.url),
        name: 'huntWorker',
      },
      tasks: hunted.map(({ name }) => ({ defect: name, seedsAtMost })),
      onAnswer: (hunt) => {
        hunts.push(hunt)
        bar.update(hunts.length, `${hunt.defect}${note()}`)
      },
      signal,
    })
  } finally {
    bar.stop()
  }
  return hunts
}

function readersText(document: HuntsDocument, context: CliContext): string {
  const rows = document.defects.map(({ defect, noticed, equivalent }) =>
    noticed
      ? [defect, String(noticed.seed), noticed.by.join(', ')]
      : [defect, '', equivalent === null ? 'NOBODY' : `equivalent: ${equivalent}`],
  )
  const table = columns([['defect', 'seed', 'noticed by'], ...rows], [1])
  const end = context.signal.aborted
    ? 'interrupted\n'
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
