/** The comparison as a table and plain sentences. */

import { columns, several } from '../../sim/command-line/text.ts'
import { plusMinus } from '../statistics/text.ts'
import {
  measureNames,
  measures,
  standings,
  type Compared,
  type ComparisonDocument,
} from './comparison.ts'
import { headline, standingWords } from './words.ts'

export function comparisonText({ scenario, seeds, leftOut, compared }: ComparisonDocument): string {
  const head = `${scenario}   ${several(seeds, 'seed')}, the same pull requests for everybody\n`
  const out =
    leftOut.length === 0
      ? ''
      : `left out for everybody, because not all of them know it: ${leftOut.join(', ')}\n`
  const found = standings(compared)
  const sentences = found.map((each) => `  ${each.measure}: ${standingWords(each)}\n`).join('')
  return `${head}${out}\n${tableOf(compared)}\n${reading}\n${headline(found)}\n${sentences}`
}

const reading = `Means and their 95 % intervals. Time in queue is over the merged: who evicts a healthy pull request
sends it round again, which is not counted. Nobody can have what stands in brackets.
`

function tableOf(compared: readonly Compared[]): string {
  const heads = measureNames.map((measure) => {
    const { unit } = measures[measure]
    return unit === '' ? measure : `${measure}, ${unit}`
  })
  const rows = compared.map(({ strategy, isBound, figures, peakRuns }) => [
    isBound ? `(${strategy})` : strategy,
    ...measureNames.map((measure) => plusMinus(figures[measure])),
    String(peakRuns),
  ])
  const right = Array.from({ length: heads.length + 1 }, (_, index) => index + 1)
  return columns([...wrapped(['', ...heads, 'runs at once']), ...rows], right)
}

/** Long heads over two lines, so that the table stays on a screen. */
function wrapped(heads: readonly string[]): string[][] {
  const cut = heads.map((head) => {
    const place = head.search(/ p\d| per | at |, | evicted/)
    return place === -1 ? ['', head] : [head.slice(0, place), head.slice(place).replace(/^,? /, '')]
  })
  return [cut.map(([top = '']) => top), cut.map(([, bottom = '']) => bottom)]
}
