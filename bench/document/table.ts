/** A run of the benchmarks as text for a terminal. */

import type { Colors } from 'picocolors/types.js'
import type { Target } from '../measuring/measured.ts'
import { columns, several } from '../../sim/command-line/text.ts'
import type { Change } from './compare.ts'
import { missedIn, type BenchDocument, type BenchmarkResult } from './document.ts'
import { boundInWords, digits, inWords, ratioInWords, spreadInWords } from './words.ts'

/** One benchmark: its figures, then its targets, then what one has to know. */
export function benchmarkText(result: BenchmarkResult, quick: boolean, colors: Colors): string {
  const rows = result.figures.map((figure) => [
    `  ${figure.name}`,
    inWords(figure.value.median, figure.unit),
    spreadInWords(figure.value, figure.unit),
    ratioInWords(figure),
  ])
  const targets = result.targets.map((each) => targetLine(each, quick, colors))
  const notes = result.notes.map((note) => `  ${colors.dim(note)}\n`)
  const head = `${colors.bold(result.name)}  ${result.title}\n`
  return `${head}${columns(rows, [1, 2])}${[...targets, ...notes].join('')}\n`
}

function targetLine(target: Target, quick: boolean, colors: Colors): string {
  const { name, value, unit, isMet } = target
  const spread = spreadInWords(value, unit)
  const between = spread === '' ? '' : ` (${spread})`
  const judged = isMet ? colors.green('met    ') : colors.red('MISSED ')
  const verdict = quick ? 'unjudged' : judged
  return `  ${verdict} ${name}: ${inWords(value.median, unit)}${between}, ${boundInWords(target)}\n`
}

/** The last line of all. */
export function verdictText(document: BenchDocument, colors: Colors): string {
  if (document.quick) return 'quick form: it works; how fast it is, only a full run says\n'
  const targets = document.benchmarks.flatMap((each) => each.targets).length
  const missed = missedIn(document)
  if (targets === 0) return ''
  return missed === 0
    ? `${colors.green('met')}  ${several(targets, 'target')}\n`
    : `${colors.red('MISSED')}  ${missed} of ${several(targets, 'target')}\n`
}

/** The ratios of two runs. What lies within both spreads is called noise. */
export function changesText(changes: readonly Change[], colors: Colors): string {
  if (changes.length === 0) return 'nothing was measured in both runs\n'
  const rows = changes.map(({ benchmark, figure, unit, old, now, ratio, isNoise }) => [
    `  ${benchmark}`,
    figure,
    inWords(old, unit),
    inWords(now, unit),
    `${digits(ratio)} x`,
    isNoise ? 'within the spread' : '',
  ])
  const head = ['  benchmark', 'figure', 'old', 'new', 'new : old', '']
  return `${colors.bold('beside the earlier run')}\n${columns([head, ...rows], [2, 3, 4])}\n`
}
