/** The HTML page of a tune run: one file that also opens offline. Its script only sorts tables. */

import { type Html, html, css } from '../../../sim/html/html.ts'
import { pageText, script } from '../../../sim/html/page.ts'
import { bullets, folded } from '../../../sim/html/components.ts'
import { htmlSection } from '../../../sim/html/table-section.ts'
import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import { several } from '../../../server/terminal/text.ts'
import type { TuneDocument } from '../document.ts'
import { fastestFirst } from '../sentences.ts'
import { answer, answerStyle } from './answer.ts'
import { frontSection, alikeOf, settingsTable } from './front.ts'
import { differenceSections, limitSections } from './sections.ts'

export async function tunePage(document: TuneDocument): Promise<string> {
  return pageText({
    title: `Tuning ${document.scenario}`,
    style: answerStyle + style,
    scripts: [script('sort')],
    head: answer(document),
    sections: [
      // Where nothing landed there is nothing to show.
      ...(document.verdict.kind === 'empty' ? [] : await resultSections(document)),
      {
        id: 'model',
        title: 'Assumptions',
        about: 'Other traffic, other run lengths or other flakes may need other settings.',
        body: bullets(document.assumptions),
      },
    ],
  })
}

async function resultSections(document: TuneDocument) {
  return [
    await frontSection(document),
    ...[...limitSections(document), ...differenceSections(document)].map(htmlSection),
    {
      id: 'settings',
      title: 'Every setting',
      about: `The fastest first. ${meansWords(document)} Settings with the same figures share a row.`,
      body: settingsTables(document),
    },
  ]
}

/** Where nothing is drawn there are no intervals, and none with few seeds. */
function meansWords({ verdict, seeds }: TuneDocument): string {
  if (verdict.kind === 'always') return 'The figures of every seed.'
  return seeds < fewestForInterval
    ? 'The ranges seen, since the seeds are too few for intervals.'
    : 'Means with 95 % confidence intervals.'
}

const style = css`
  @media screen and (min-width: 40.01rem) {
    #settings tbody th {
      min-width: 15rem;
    }
  }
  /* A label does not hide the tooltip of what it names. */
  .card svg text {
    pointer-events: none;
  }
`

// All settings in tables that can be sorted. Settings that act alike share a row.

/** Those of the final, and folded those that left the search. */
function settingsTables(document: TuneDocument): Html {
  const sorted = fastestFirst(document.settings)
  const inFinal = sorted.filter(({ role }) => role !== 'searched')
  const left = sorted.filter(({ role }) => role === 'searched')
  const summary = `${several(left.length, 'setting')} that left in the search, after a few other seeds`
  return html`${settingsTable(alikeOf(inFinal, document), 'Settings of the final', document)}
  ${
    left.length === 0
      ? null
      : folded(
          summary,
          settingsTable(alikeOf(left, document), 'Settings that left in the search', document),
        )
  }`
}
