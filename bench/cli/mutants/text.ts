/** The text output of `mergeyard mutants`. */

import type { Colors } from 'picocolors/types.js'
import { columns, count, share } from '../../../sim/terminal/text.ts'
import { judgeNames } from '../../mutation/judges/judge.ts'
import type { Equivalent } from '../../mutation/mutants/equivalents.ts'
import { keyOf, placeOf } from '../../mutation/mutants/mutant.ts'
import { isSimulated, roomOf, roomsNotSimulated } from '../../mutation/mutants/rooms.ts'
import {
  isCounted,
  isNoticed,
  survivorsOf,
  type Goal,
  type JudgedMutant,
  type MutantsDocument,
} from '../../mutation/verdicts/document.ts'

/** Formats the document. `seed` is that of the sample; null if there is none. */
export function mutantsText(
  document: MutantsDocument,
  seed: number | null,
  colors: Colors,
): string {
  const { judged, mistakes, equivalent } = document
  const head = [
    colors.bold('mutants'),
    ...(seed === null ? [] : [`seed ${seed}`]),
    `${count(judged.length)} of ${count(mistakes)} drawn`,
    `${count(equivalent)} more are equivalent`,
  ]
  const survivors = survivorsOf(judged)
  const list = survivors.map((each) => survivorText(each, colors)).join('')
  return `${head.join('   ')}\n\n${tableOf(document)}\n${roomsOf(judged.filter(isCounted))}${list}\n${verdictOf(document, colors)}`
}

/** Formats the verdicts about the mutants that are listed as equivalent, with the reasons of the list. */
export function equivalentsText(
  { judged, equivalent }: MutantsDocument,
  listed: readonly Equivalent[],
  colors: Colors,
): string {
  const reasons = new Map(listed.map((each) => [keyOf(each), each.because]))
  const noticed = judged.filter((each) => isNoticed(each, judgeNames))
  const lines = noticed.map((each) => {
    const by = judgeNames.flatMap((judge) => each.noticed[judge] ?? [])
    const because = reasons.get(keyOf(each)) ?? ''
    return `${survivorText(each, colors)}  listed because  ${because}\n  noticed by      ${by.join(', ')}\n`
  })
  const verdict =
    noticed.length === 0
      ? colors.green('nothing notices them')
      : `${colors.red('NOT EQUIVALENT')}  remove these entries from bench/mutation/equivalents.json`
  const head = [
    colors.bold('equivalent mutants'),
    `${count(judged.length)} of ${count(equivalent)} judged`,
    `${count(noticed.length)} noticed`,
  ]
  return `${head.join('   ')}\n${lines.join('')}\n${verdict}\n`
}

/** How to judge the equivalent mutants that this document leaves out; empty if it has all of them. */
export function judgeOthersText(path: string, { judged, equivalent }: MutantsDocument): string {
  if (judged.length >= equivalent) return ''
  return `judge the others with    npm run mutants -- --equivalents --resume ${path}\n`
}

function tableOf({ judges, goals, judged, refusedByTypes }: MutantsDocument): string {
  const rows = [
    rowOf('refused by the types', refusedByTypes, judged.length, ''),
    ...judges.map(({ judge, asked, noticed }) => rowOf(judge, noticed, asked, '')),
    ...goals.map(({ by, noticed, of, goal }) => rowOf(by, noticed, of, `goal ${goal} %`)),
  ]
  const rooms = [...roomsNotSimulated].join(' and ')
  const left = `scenarios or swarm: without ${rooms}, which no simulated run uses\nrefused by the types: they do not compile, so no judge is asked and no share counts them\n`
  return `${columns([['noticed by', 'mutants', 'of', '', ''], ...rows], [1, 2, 3])}${left}`
}

const rowOf = (name: string, part: number, whole: number, goal: string): string[] => [
  name,
  count(part),
  count(whole),
  share(part, whole),
  goal,
]

/** How much of each room is noticed. */
function roomsOf(judged: readonly JudgedMutant[]): string {
  const rooms = [...new Set(judged.map(roomOf))]
  const rows = rooms.map((room) => {
    const mutants = judged.filter((each) => roomOf(each) === room)
    const part = (by: Parameters<typeof isNoticed>[1]): string =>
      share(mutants.filter((each) => isNoticed(each, by)).length, mutants.length)
    const simulated = mutants.some(isSimulated) ? part(['scenarios', 'swarm']) : '-'
    return [room, count(mutants.length), simulated, part(judgeNames)]
  })
  return columns([['in', 'mutants', 'scenarios or swarm', 'anything'], ...rows], [1, 2, 3])
}

function survivorText(mutant: JudgedMutant, colors: Colors): string {
  const { operator, code, from, to } = mutant
  return `\n${colors.bold(placeOf(mutant))}  ${operator}\n  ${code}\n  from  ${from}\n  to    ${to === ';' ? '(nothing)' : to}\n`
}

function verdictOf({ goals, judged }: MutantsDocument, colors: Colors): string {
  const [first] = survivorsOf(judged)
  const again =
    first === undefined
      ? ''
      : `judge one again with    npm run mutants -- --only ${first.file}:${first.line}\n`
  const missed = goals.filter(({ isMet }) => !isMet)
  if (missed.length === 0) return `${again}${colors.green('the goals are met')}\n`
  return `${again}${colors.red('MISSED')}  ${missed.map(missedText).join(', ')}\n`
}

const missedText = ({ by, noticed, of, goal }: Goal): string =>
  `${by}: ${((100 * noticed) / of).toFixed(1)} %, at least ${goal} %`
