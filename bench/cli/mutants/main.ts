/** The command `mergeyard mutants`. */

import { resolve } from 'node:path'
import { exitCodes, startFolder, type CliContext } from '../../../sim/terminal/context.ts'
import { colorsFor, writeAll } from '../../../sim/terminal/output.ts'
import { commandOf, type Main } from '../../../sim/terminal/command.ts'
import { BadLines } from '../../../sim/scenario/bad-input.ts'
import { badUsage } from '../../../sim/terminal/parse-options.ts'
import { reportFolder, writeReport } from '../../../sim/terminal/report-files.ts'
import { workBar } from '../../../sim/terminal/work-bar.ts'
import { chosen } from '../../mutation/mutants/chosen.ts'
import { engineMutants } from '../../mutation/mutants/engine-files.ts'
import { readEquivalents, sorted } from '../../mutation/mutants/equivalents.ts'
import type { Mutant } from '../../mutation/mutants/mutant.ts'
import { judgeAll } from '../../mutation/process/judge-all.ts'
import { judgeMutant } from '../../mutation/process/judge-mutant.ts'
import { refusedByTypes } from '../../mutation/types/refused.ts'
import {
  documentOf,
  idOf,
  survivorsOf,
  withVerdicts,
  type JudgedMutant,
  type MutantsDocument,
} from '../../mutation/verdicts/document.ts'
import { readDocument } from '../../mutation/verdicts/read-document.ts'
import { mutantsOptionsOf, usage, type MutantsOptions } from './options.ts'
import { equivalentsText, judgeOthersText, mutantsText } from './text.ts'

/** What the command uses to judge. Tests replace it. */
export type Judging = {
  readonly judgeAll: typeof judgeAll
  /** Asks all judges about the engine without a mistake. */
  readonly judgeEngine: typeof judgeMutant
  readonly refusedByTypes: typeof refusedByTypes
}

export function mutantsCommand(judging: Judging): Main {
  return commandOf(usage, async (parsed, context) => {
    const [first, ...files] = parsed.operands
    const options = mutantsOptionsOf(parsed)
    if (first === 'merge') return merge(files, options, context)
    if (first !== undefined) {
      throw badUsage('mutants', first, 'options only, or merge with documents')
    }
    return judge(options, context, judging)
  })
}

export const main = mutantsCommand({ judgeAll, judgeEngine: judgeMutant, refusedByTypes })

async function merge(
  files: readonly string[],
  options: MutantsOptions,
  context: CliContext,
): Promise<number> {
  const from = startFolder(context.env)
  const documents = files.map((file) => readDocument(resolve(from, file), file))
  const [first] = documents
  if (!first) throw badUsage('mutants', 'only merge', 'documents: a.json b.json')
  const judged = documents.flatMap((document) => document.judged)
  const document = documentOf(judged, first)
  await show(document, null, options, context)
  return exitCodeOf(document)
}

async function judge(
  options: MutantsOptions,
  context: CliContext,
  judging: Judging,
): Promise<number> {
  const { mistakes, equivalent } = sorted(engineMutants(), readEquivalents())
  const mutants = chosen(options.equivalents ? equivalent : mistakes, options)
  if (mutants.length === 0 && options.only.length > 0) {
    throw badUsage('mutants', `--only ${options.only.join(' ')}`, 'a path with mutants in engine/')
  }
  const ids = new Set(mutants.map(idOf))
  // The code may have changed since, so only mutants that still exist count.
  const earlier = earlierIn(options, context).filter((each) => ids.has(idOf(each)))
  const known = new Set(earlier.map(idOf))
  const left = mutants.filter((mutant) => !known.has(idOf(mutant)))
  const judged = [...earlier, ...(await judgeMutants(left, options, context, judging))]
  const totals = { mistakes: mistakes.length, equivalent: equivalent.length }
  const document = documentOf(judged, totals)
  await show(document, options.seed, options, context)
  if (options.writesFiles) {
    const folder = reportFolder('mutants', options.report, startFolder(context.env))
    const path = writeReport(folder, { 'mutants.json': [jsonOf(document)] })
    const others = options.equivalents ? judgeOthersText(path, document) : ''
    if (!options.json) await writeAll(context.stdout, [`document  ${path}\n${others}`])
  }
  if (context.signal.aborted) return exitCodes.interrupted
  if (!options.equivalents) return exitCodeOf(document)
  const areAllUnnoticed = survivorsOf(document.judged).length === document.judged.length
  return areAllUnnoticed ? exitCodes.success : exitCodes.failure
}

function earlierIn({ resume }: MutantsOptions, { env }: CliContext): readonly JudgedMutant[] {
  return resume === null ? [] : readDocument(resolve(startFolder(env), resume), resume).judged
}

async function judgeMutants(
  mutants: readonly Mutant[],
  { swarm, fast, equivalents }: MutantsOptions,
  { stderr, signal }: CliContext,
  judging: Judging,
): Promise<JudgedMutant[]> {
  const bar = workBar(stderr, 'mutants', mutants.length, 'mutants')
  const judged: JudgedMutant[] = []
  // A listed mutant is equivalent whether it compiles or not.
  const refused = await judging.refusedByTypes(equivalents ? [] : mutants, signal)
  for (const [mutant, error] of refused) judged.push(withVerdicts(mutant, {}, error))
  const compiling = mutants.filter((mutant) => !refused.has(mutant))
  try {
    const options = { seeds: swarm, isFast: fast, signal }
    await refuseFailing(judging, options)
    await judging.judgeAll(compiling, {
      ...options,
      areEquivalent: equivalents,
      onJudged(mutant, verdicts) {
        judged.push(withVerdicts(mutant, verdicts))
        const { length } = survivorsOf(judged)
        const note = equivalents ? `${judged.length - length} noticed` : `${length} survived`
        bar.update(judged.length, note)
      },
    })
  } finally {
    bar.stop()
  }
  return judged
}

/** A judge that fails without a mistake would notice every mutant. */
async function refuseFailing(
  { judgeEngine }: Judging,
  options: Parameters<typeof judgeMutant>[1],
): Promise<void> {
  const verdicts = await judgeEngine(null, { ...options, isFast: false })
  const failing = Object.entries(verdicts).filter(([, noticed]) => noticed !== null)
  if (failing.length === 0) return
  throw new BadLines(
    failing.map(([name, noticed]) => {
      return `mutants: the ${name} must hold without a mistake in the engine: ${noticed}`
    }),
  )
}

function exitCodeOf({ goals }: MutantsDocument): number {
  return goals.every(({ isMet }) => isMet) ? exitCodes.success : exitCodes.failure
}

async function show(
  document: MutantsDocument,
  seed: number | null,
  { json, equivalents }: MutantsOptions,
  { stdout, env }: CliContext,
): Promise<void> {
  const colors = colorsFor(stdout, env)
  const text = equivalents
    ? equivalentsText(document, readEquivalents(), colors)
    : mutantsText(document, seed, colors)
  await writeAll(stdout, [json ? jsonOf(document) : text])
}

const jsonOf = (document: MutantsDocument): string => `${JSON.stringify(document, null, 2)}\n`
