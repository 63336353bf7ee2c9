/** The comparison as a table and sentences for the terminal. */

import { columns, several } from '../../terminal/text.ts'
import { intervalsAbout, cellText } from '../statistics/text.ts'
import {
  measuresOf,
  measures,
  standings,
  tiersOf,
  type Compared,
  type ComparisonDocument,
} from './comparison.ts'
import { boundRows, boundsWords } from './bounds-text.ts'
import { lengthModels } from './length-models.ts'
import type { ScenarioBounds } from './scenario-bounds.ts'
import { headline, standingWords, timesWords } from './sentences.ts'

export function comparisonText(document: ComparisonDocument): string {
  const { scenario, seeds, leftOut, compared, resubmitAfterMinutes, lengths, bounds } = document
  const head = `${scenario}   ${several(seeds, 'seed')}, the same pull requests for every strategy; length of runs: ${lengthModels[lengths]}\n`
  const out =
    leftOut.length === 0
      ? ''
      : `left out, because not every strategy supports it: ${leftOut.join(', ')}\n`
  const { defaults, best } = tiersOf(compared)
  const verdicts = [verdictText('At the defaults', defaults), verdictText('At its best', best)]
  return `${head}${out}\n${tableOf(compared)}\n${boundLines(bounds)}\n${explanation(resubmitAfterMinutes)}\n${verdicts.join('')}`
}

/** How Mergeyard compares with the others, in words; nothing if only defaults are compared. */
function verdictText(title: string, tier: readonly Compared[]): string {
  if (tier.length === 0) return ''
  const found = standings(tier)
  const sentences = found.map((each) => `  ${each.measure}: ${standingWords(each)}\n`).join('')
  const settings = tier.flatMap(({ strategy, setting }) =>
    setting === null ? [] : [`  ${strategy}: ${setting}\n`],
  )
  return `${settings.join('')}${title}: ${headline(found)}\n${sentences}`
}

function explanation(resubmitAfterMinutes: number | null): string {
  const sentences = `${intervalsAbout} ${timesWords(resubmitAfterMinutes)} A strategy in brackets is a reference: it knows what breaks, and is no bound.`
  return lines(sentences, 110)
}

function boundLines(bounds: ScenarioBounds): string {
  const rows = boundRows(bounds).map(({ what, value }) => [what, value])
  return `${lines(boundsWords(bounds), 110)}${columns(rows, [1])}`
}

/** Breaks a text into lines of at most `width` characters. */
function lines(text: string, width: number): string {
  const broken: string[] = []
  for (const word of text.split(' ')) {
    const last = broken.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) broken.push(word)
    else broken[broken.length - 1] = `${last} ${word}`
  }
  return broken.map((line) => `${line}\n`).join('')
}

function tableOf(compared: readonly Compared[]): string {
  const measured = measuresOf(compared)
  const heads = measured.map((measure) => {
    const { unit } = measures[measure]
    return unit === '' ? measure : `${measure}, ${unit}`
  })
  const rows = compared.map(({ strategy, isReference, figures, peakRuns }) => [
    isReference ? `(${strategy})` : strategy,
    ...measured.map((measure) => cellText(figures[measure])),
    String(peakRuns),
  ])
  const right = Array.from({ length: heads.length + 1 }, (_, index) => index + 1)
  return columns([...wrapped(['', ...heads, 'runs at once']), ...rows], right)
}

/** Splits long headings over two lines, so that the table fits on the screen. */
function wrapped(heads: readonly string[]): string[][] {
  const cut = heads.map((head) => {
    const position = head.search(/ p\d| per | at |, | evicted/)
    return position === -1
      ? ['', head]
      : [head.slice(0, position), head.slice(position).replace(/^,? /, '')]
  })
  return [cut.map(([top = '']) => top), cut.map(([, bottom = '']) => bottom)]
}
