import { html, type Html } from '../../sim/html/html.ts'
import { pageText } from '../../sim/html/page.ts'
import { table, tiles } from '../../sim/html/pieces.ts'
import type { PublishedFigure, Source } from '../calibration/published-figure.ts'
import { agreementText, hereText, inUnit } from './document.ts'

/** Returns the page of published figures, with one section for each source. */
export function calibrationPage(sources: readonly Source[]): string {
  const figures = sources.flatMap((source) => source.figures)
  const judged = figures.filter(({ agreement }) => agreement !== 'not asked')
  const differing = judged.filter(({ agreement }) => agreement === 'differs')
  return pageText({
    title: 'Calibration',
    head: html`
      <p>
        Figures that others published, beside the same figures of this simulator. Each row says why
        the two agree or differ.
      </p>
      ${tiles([
        { name: 'agree', value: judged.length - differing.length, tone: 'good' },
        {
          name: 'differ under the same rules',
          value: differing.length,
          tone: differing.length > 0 ? 'bad' : null,
        },
        { name: 'other rules, explained', value: figures.length - judged.length },
      ])}
    `,
    sections: sources.map((source, index) => ({
      id: `source-${index + 1}`,
      title: source.title,
      about: source.origin,
      body: sourceBody(source),
    })),
  })
}

function sourceBody({ title, figures, leftOut }: Source): Html {
  const right = { leans: 'right' as const }
  const head = [
    { title: 'figure' },
    { title: 'published', ...right },
    { title: 'here', ...right },
    { title: 'verdict' },
    { title: 'why' },
  ]
  const rows = figures.map((each) => [
    each.name,
    inUnit(each.published, each),
    hereText(each),
    agreementOn(each),
    each.because,
  ])
  return html`
    ${rows.length === 0 ? null : table(head, rows, { name: title })}
    ${leftOut.map((each) => html`<p class="soft">Not compared: ${each}</p>`)}
  `
}

function agreementOn(figure: PublishedFigure): Html {
  const words = agreementText(figure)
  if (figure.agreement === 'differs') return html`<strong class="bad">${words}</strong>`
  if (figure.agreement === 'not asked') return html`<span class="soft">${words}</span>`
  return html`<strong class="good">${words}</strong>`
}
