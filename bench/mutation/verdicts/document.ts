/** The result of judging mutants as JSON. */

import { judgeNames, type JudgeName } from '../judges/judge.ts'
import { placeOf, type Mutant, type MutantFacts } from '../mutants/mutant.ts'
import { isSimulated } from '../mutants/rooms.ts'
import type { Verdicts } from '../process/judge-mutant.ts'

export const documentVersion = 2

export type MutantsDocument = {
  /** The version of this format. */
  readonly mutants: typeof documentVersion
  /** The number of mutants of the engine that are not equivalent, and the number that are. */
  readonly mistakes: number
  readonly equivalent: number
  /** The number of drawn mutants that the type checker refuses. No share counts them. */
  readonly refusedByTypes: number
  readonly judges: readonly JudgeFigures[]
  readonly goals: readonly Goal[]
  /** All drawn mutants that were judged or refused, by place. */
  readonly judged: readonly JudgedMutant[]
}

export type JudgedMutant = MutantFacts & {
  /** The first error of the type checker; null if the mutant compiles. */
  readonly refused: string | null
  /** Empty for a refused mutant: no judge is asked about it. */
  readonly noticed: Verdicts
}

type JudgeFigures = {
  readonly judge: JudgeName
  /** The number of mutants that this judge was asked about, and of those that it noticed. */
  readonly asked: number
  readonly noticed: number
}

export type Goal = {
  readonly by: string
  readonly noticed: number
  /** The number of mutants that count: for scenarios and swarm, only those of simulated code. */
  readonly of: number
  /** The goal in percent. */
  readonly goal: number
  readonly isMet: boolean
}

type Totals = Pick<MutantsDocument, 'mistakes' | 'equivalent'>

/** Returns the document for mutants that were judged. A mutant that is listed twice counts once. */
export function documentOf(all: readonly JudgedMutant[], totals: Totals): MutantsDocument {
  const judged = [...new Map(all.map((each) => [idOf(each), each])).values()].sort(byPlace)
  const counted = judged.filter(isCounted)
  return {
    mutants: documentVersion,
    ...totals,
    refusedByTypes: judged.length - counted.length,
    judges: judgeNames.map((judge) => figuresOf(judge, counted)),
    goals: [
      goalOf('scenarios or swarm', 85, counted.filter(isSimulated), ['scenarios', 'swarm']),
      goalOf('anything', 97, counted, judgeNames),
    ],
    judged,
  }
}

/** Returns a name of the mutant on one line. It is unique in one version of the engine. */
export const idOf = (mutant: MutantFacts): string =>
  `${placeOf(mutant)}  ${mutant.operator}  ${mutant.from} → ${mutant.to}`

export function withVerdicts(
  { file, line, column, code, operator, from, to }: Mutant,
  noticed: Verdicts,
  refused: string | null = null,
): JudgedMutant {
  return { file, line, column, code, operator, from, to, refused, noticed }
}

/** Whether the mutant counts: one that does not compile never reaches a judge. */
export const isCounted = ({ refused }: JudgedMutant): boolean => refused === null

/** Returns the mutants that no judge noticed. */
export const survivorsOf = (judged: readonly JudgedMutant[]): JudgedMutant[] =>
  judged.filter((each) => isCounted(each) && !isNoticed(each, judgeNames))

export function isNoticed({ noticed }: JudgedMutant, by: readonly JudgeName[]): boolean {
  return by.some((judge) => (noticed[judge] ?? null) !== null)
}

function figuresOf(judge: JudgeName, judged: readonly JudgedMutant[]): JudgeFigures {
  const asked = judged.filter(({ noticed }) => noticed[judge] !== undefined)
  const noticed = asked.filter((each) => isNoticed(each, [judge]))
  return { judge, asked: asked.length, noticed: noticed.length }
}

function goalOf(
  by: string,
  goal: number,
  judged: readonly JudgedMutant[],
  judges: readonly JudgeName[],
): Goal {
  const noticed = judged.filter((each) => isNoticed(each, judges)).length
  return { by, noticed, of: judged.length, goal, isMet: noticed * 100 >= goal * judged.length }
}

function byPlace(a: JudgedMutant, b: JudgedMutant): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  if (a.line !== b.line || a.column !== b.column) return a.line - b.line || a.column - b.column
  return idOf(a) < idOf(b) ? -1 : 1
}
