/** A comparison as one HTML file that opens anywhere, offline and without scripts. */

import { several } from '../../../sim/command-line/text.ts'
import { html, type Content, type Html } from '../../../sim/report/html.ts'
import { pageText } from '../../../sim/report/page.ts'
import { table } from '../../../sim/report/pieces.ts'
import { css } from '../../../sim/report/style/css.ts'
import { plusMinus } from '../../statistics/text.ts'
import {
  measureNames,
  standings,
  type Compared,
  type ComparisonDocument,
  type Measure,
} from '../comparison.ts'
import { strategies } from '../index.ts'
import { differenceWords, headline, standingWords, trades } from '../words.ts'
import { figureByFigure, speedAgainstCost, titleOf } from './pictures.ts'

export async function comparisonPage(document: ComparisonDocument): Promise<string> {
  const { scenario, compared } = document
  return pageText({
    title: `Other queues on ${scenario}`,
    style,
    head: headOf(document),
    sections: [
      { id: 'best', title: 'Who is best in what', body: bestTable(compared) },
      {
        id: 'strategies',
        title: 'Every strategy',
        about:
          'Means over the seeds and their 95 % intervals; less is better in all of them. Time in queue is over the merged: who evicts a healthy pull request sends it round again, which is not counted. Nobody can have what stands in brackets.',
        body: strategiesTable(compared),
      },
      {
        id: 'price',
        title: 'Speed against cost',
        about:
          'Further left is cheaper, further down is faster, a smaller dot evicts fewer healthy pull requests; the lines are 95 % intervals.',
        body: await speedAgainstCost(compared),
      },
      { id: 'figures', title: 'Figure by figure', body: await figureByFigure(compared) },
      {
        id: 'beside',
        title: 'Beside Mergeyard',
        about:
          'What each has more or less than Mergeyard on the same pull requests. All these intervals hold together with 95 %.',
        body: besideTable(compared),
      },
      { id: 'models', title: 'What each of them is', body: modelsTable() },
      { id: 'model', title: 'What this rests on', body: restsOn(document) },
    ],
  })
}

const style = css`
  .verdict {
    font-size: 1.25rem;
    margin-top: 0.75rem;
  }
  #best td:nth-child(2) {
    min-width: 13rem;
  }
  #strategies tbody th,
  #beside tbody th {
    white-space: nowrap;
  }
  #beside td {
    min-width: 7rem;
  }
  #models td {
    min-width: 12rem;
    max-width: 28rem;
  }
  @media (max-width: 40rem), print {
    #strategies tbody th,
    #beside tbody th {
      white-space: normal;
      min-width: 6rem;
    }
  }
  @media print {
    #beside td,
    #models td {
      min-width: 0;
    }
  }
`

function headOf({ description, compared, seeds }: ComparisonDocument): Content {
  const found = standings(compared)
  return html`
    ${description === null ? null : html`<p class="soft">${description}</p>`}
    <p class="verdict"><strong>${headline(found)}</strong></p>
    ${trades(compared, found).map((sentence) => html`<p>${sentence}</p>`)}
    <p class="soft">
      ${several(seeds, 'seed')}; the same pull requests, truth, lengths and flakes for everybody.
    </p>
  `
}

function bestTable(all: readonly Compared[]): Html {
  const real = all.filter(({ isBound }) => !isBound)
  const rows = standings(all).map((standing): Content[] => {
    const { measure, better } = standing
    const meanOf = ({ figures }: Compared): number => figures[measure]?.mean ?? Infinity
    const least = Math.min(...real.map(meanOf))
    const lowest = real.filter((each) => meanOf(each) === least)
    const names = lowest.length === real.length ? 'all alike' : lowest.map((each) => each.strategy)
    const tone = better.length > 0 ? 'warn' : ''
    return [
      titleOf(measure),
      html`<span class="${tone}">${standingWords(standing)}</span>`,
      plusMinus(all[0]?.figures[measure] ?? null),
      typeof names === 'string' ? names : names.join('; '),
      plusMinus(lowest[0]?.figures[measure] ?? null),
    ]
  })
  const right = { leans: 'right' as const }
  const head = [
    { title: 'figure' },
    { title: 'what can be told' },
    { title: 'Mergeyard', ...right },
    { title: 'lowest mean' },
    { title: 'its figure', ...right },
  ]
  return table(head, rows, { name: 'Who is best in what' })
}

function strategiesTable(all: readonly Compared[]): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'strategy' },
    ...measureNames.map((measure) => ({ title: titleOf(measure), ...right })),
    { title: 'runs at once', ...right },
  ]
  const rows = all.map((each): Content[] => [
    nameOf(each),
    ...measureNames.map((measure) => plusMinus(each.figures[measure])),
    each.peakRuns,
  ])
  return table(head, rows, { name: 'Every strategy' })
}

function besideTable(all: readonly Compared[]): Html {
  const cell = (each: Compared, measure: Measure): Content => {
    const difference = each.againstMergeyard[measure]
    if (!difference) return 'nobody merged'
    const tone = { less: 'good', more: 'bad', 'cannot tell': 'soft', 'the same': 'soft' } as const
    return html`<span class="${tone[difference.reading]}"
      >${differenceWords(measure, difference)}</span
    >`
  }
  const rows = all
    .slice(1)
    .map((each): Content[] => [nameOf(each), ...measureNames.map((measure) => cell(each, measure))])
  const head = [{ title: 'strategy' }, ...measureNames.map((title) => ({ title }))]
  return table(head, rows, { name: 'Beside Mergeyard' })
}

function nameOf({ strategy, isBound }: Compared): string {
  return isBound ? `(${strategy})` : strategy
}

function modelsTable(): Html {
  const rows = strategies.map(({ name, about, after, leavesOut }) => [
    name,
    about,
    after,
    leavesOut,
  ])
  const head = ['strategy', 'what it does', 'made after', 'left out'].map((title) => ({ title }))
  return table(head, rows, { name: 'What each of them is' })
}

function restsOn({ assumptions, leftOut }: ComparisonDocument): Html {
  const fair = [
    'Each has as many slots as the scenario’s concurrency; Mergeyard’s bisections have slots of their own on top: “runs at once” says how many were really under way.',
    ...(leftOut.length === 0
      ? []
      : [`Left out for everybody, because not all of them know it: ${leftOut.join(', ')}.`]),
  ]
  return html`<ul>
    ${[...assumptions, ...fair].map((each) => html`<li>${each}</li>`)}
  </ul>`
}
