/** The checks of a campaign: failing runs, properties and coverage marks. */

import type { CampaignDocument, SeedFailures } from '../../campaign/document.ts'
import { judgedText } from '../../campaign/judged-totals.ts'
import { storyOf } from '../../judge/story.ts'
import { count, several } from '../../terminal/text.ts'
import { coverageMarks as knownMarks } from '../../coverage-marks/index.ts'
import { html, type HtmlContent, type Html } from '../page/html.ts'
import { table } from '../page/pieces.ts'
import { verdictOn, propertySentence } from '../sections/judged.ts'

/** The page shows this many failing runs; the JSON document next to it lists all. */
const failuresShown = 100

/** Lists the failing runs, each with the command that reproduces it. */
export function failuresTable(failures: readonly SeedFailures[]): Html {
  const rows = failures.slice(0, failuresShown).map((each): HtmlContent[] => {
    const { seed, replay } = each
    const [first, ...others] = each.failures
    const more = others.length === 0 ? '' : `... and ${several(others.length, 'more failure')}`
    return [
      seed,
      html`<pre class="failure">${first ? storyOf(first) : ''}</pre>
        ${more}`,
      html`<code>${replay}</code>`,
    ]
  })
  const head = ['seed', 'failure', 'reproduce with'].map((title) => ({ title }))
  const rest = failures.length - rows.length
  return html`${table(head, rows, { name: 'Failures' })}
  ${rest > 0 ? html`<p>... and ${several(rest, 'more run')}, listed in seeds.json.</p>` : null}`
}

export function propertiesTable(document: CampaignDocument): Html {
  const { properties, failures } = document
  const brokenIn = new Map<string, number>()
  for (const { failures: found } of failures) {
    for (const name of new Set(found.map((failure) => failure.name))) {
      brokenIn.set(name, (brokenIn.get(name) ?? 0) + 1)
    }
  }
  const rows = properties.map((property): HtmlContent[] => {
    const { name, checked } = property
    const { runs, events, checks } = judgedText(property, document)
    const broken = brokenIn.get(name) ?? 0
    return [
      name,
      verdictOn(checked, broken === 0 ? null : `broken in ${several(broken, 'run')}`),
      runs,
      events,
      count(checked),
      checks,
      propertySentence(name),
    ]
  })
  const head = [
    { title: 'property' },
    { title: 'verdict' },
    { title: 'runs judged', leans: 'right' },
    { title: 'events judged', leans: 'right' },
    { title: 'checked', leans: 'right' },
    { title: 'of the checks due', leans: 'right' },
    { title: 'what must hold' },
  ] as const
  return table(head, rows, { name: 'Properties' })
}

type CoverageCounts = NonNullable<CampaignDocument['marks']>

export function coverageTable(reached: CoverageCounts, missed: readonly string[]): Html {
  const sentences = new Map(knownMarks.map(({ name, sentence }) => [name, sentence]))
  const rows = reached.map(({ name, runs }): HtmlContent[] => [
    name,
    missed.includes(name) ? html`<b class="bad">never</b>` : count(runs),
    sentences.get(name) ?? '',
  ])
  const head = [
    { title: 'situation' },
    { title: 'reached in runs', leans: 'right' },
    { title: 'what happens' },
  ] as const
  return table(head, rows, { name: 'Situations reached' })
}
