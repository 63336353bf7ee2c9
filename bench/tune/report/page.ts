/** The HTML page of a tune run: one file that also opens offline. Its script only sorts tables. */

import { html, type Html } from '../../../sim/report/page/html.ts'
import { pageText } from '../../../sim/report/page/page.ts'
import { script } from '../../../sim/report/page/script.ts'
import { css } from '../../../sim/report/style/css.ts'
import { fewestForInterval } from '../../../sim/statistics/interval.ts'
import type { TuneDocument } from '../document.ts'
import { answer, answerStyle } from './answer.ts'
import { comparedWithToday, todayTitle } from './comparison.ts'
import { frontSection } from './front.ts'
import { mapSections } from './maps.ts'
import { besideSections } from './other-queue.ts'
import { sensitivitySections } from './sensitivity.ts'
import { sameSections } from './same.ts'
import { settingsTables } from './settings-table.ts'
import { stretchSections } from './stretches.ts'

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
        body: assumptionsOf(document),
      },
    ],
  })
}

async function resultSections(document: TuneDocument) {
  return [
    await frontSection(document),
    ...(await sensitivitySections(document)),
    ...stretchSections(document),
    ...(await mapSections(document)),
    ...sameSections(document),
    { id: 'today', title: todayTitle, body: comparedWithToday(document) },
    ...besideSections(document),
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

function assumptionsOf({ assumptions }: TuneDocument): Html {
  return html`<ul>
    ${assumptions.map((each) => html`<li>${each}</li>`)}
  </ul>`
}

const style = css`
  #today th[scope='row'] {
    min-width: 9rem;
  }
  #today td:last-child {
    min-width: 12rem;
  }
  #settings tbody th {
    min-width: 10rem;
  }
  @media screen and (min-width: 40.01rem) {
    #settings tbody th,
    #front tbody th,
    #maps tbody th {
      min-width: 15rem;
    }
    #front td:last-child,
    #maps td:last-child {
      min-width: 12rem;
    }
  }
  #settings td:nth-child(2) {
    min-width: 6.5rem;
  }
  @media screen {
    #sensitivity td {
      min-width: 6rem;
    }
  }
  /* A label does not hide the tooltip of what it names. */
  .card svg text {
    pointer-events: none;
  }
`
