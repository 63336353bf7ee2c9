/** Formats a benchmark run as text for the terminal. */

import type { Colors } from 'picocolors/types.js'
import type { Target } from '../measuring/measurement.ts'
import { columns, several } from '../../sim/terminal/text.ts'
import { sourcesText } from './published-text.ts'
import type { Change } from './compare.ts'
import { missedIn, type BenchDocument, type BenchmarkResult } from './document.ts'
import { boundInWords, digits, inWords, ratioInWords, spreadInWords } from './format.ts'

/** Returns the text of one benchmark: its figures, its targets and its notes. */
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
  const published = sourcesText(result.published)
  return `${head}${published}${columns(rows, [1, 2])}${[...targets, ...notes].join('')}\n`
}

function targetLine(target: Target, quick: boolean, colors: Colors): string {
  const { name, value, unit, isMet } = target
  const spread = spreadInWords(value, unit)
  const between = spread === '' ? '' : ` (${spread})`
  const judged = isMet ? colors.green('met    ') : colors.red('MISSED ')
  const verdict = quick ? 'unjudged' : judged
  return `  ${verdict} ${name}: ${inWords(value.median, unit)}${between}, ${boundInWords(target)}\n`
}

/** Returns the last line of the output: how many targets are met or missed. */
export function verdictText(document: BenchDocument, colors: Colors): string {
  if (document.quick) return 'quick run: everything works; only a full run measures costs\n'
  const targets = document.benchmarks.flatMap((each) => each.targets).length
  const missed = missedIn(document)
  if (targets === 0) return ''
  return missed === 0
    ? `${colors.green('met')}  ${several(targets, 'target')}\n`
    : `${colors.red('MISSED')}  ${missed} of ${several(targets, 'target')}\n`
}

/** Returns the ratios of two runs. Figures whose ranges overlap are marked. */
export function changesText(changes: readonly Change[], colors: Colors): string {
  if (changes.length === 0) return 'the two runs have no figure in common\n'
  const rows = changes.map(({ benchmark, figure, unit, old, now, ratio, isNoise }) => [
    `  ${benchmark}`,
    figure,
    inWords(old, unit),
    inWords(now, unit),
    `${digits(ratio)} x`,
    isNoise ? 'ranges overlap' : '',
  ])
  const head = ['  benchmark', 'figure', 'old', 'new', 'new : old', '']
  return `${colors.bold('compared with the earlier run')}\n${columns([head, ...rows], [2, 3, 4])}\n`
}
