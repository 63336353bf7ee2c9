/** What many runs were checked for: properties, situations, and each run that fails. */

import type { CampaignDocument, SeedFailures } from '../../campaign/document.ts'
import { storyOf } from '../../command-line/story.ts'
import { count, several } from '../../command-line/text.ts'
import { marks as knownMarks } from '../../marks/index.ts'
import { html, type Content, type Html } from '../html.ts'
import { table } from '../pieces.ts'
import { verdictOn, propertySentence } from '../sections/judged.ts'

/** More than anybody reads; the document beside the page has all. */
const failuresShown = 100

/** Each run that fails, with the command that shows it again. */
export function failuresTable(failures: readonly SeedFailures[]): Html {
  const rows = failures.slice(0, failuresShown).map((each): Content[] => {
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
  const head = ['seed', 'what does not hold', 'shows it again'].map((title) => ({ title }))
  const rest = failures.length - rows.length
  return html`${table(head, rows, { name: 'Failures' })}
  ${rest > 0 ? html`<p>... and ${several(rest, 'more run')}, listed in seeds.json.</p>` : null}`
}

export function propertiesTable({ properties, failures }: CampaignDocument): Html {
  const brokenIn = new Map<string, number>()
  for (const { failures: found } of failures) {
    for (const name of new Set(found.map((failure) => failure.name))) {
      brokenIn.set(name, (brokenIn.get(name) ?? 0) + 1)
    }
  }
  const rows = properties.map(({ name, checked }): Content[] => {
    const broken = brokenIn.get(name) ?? 0
    return [
      name,
      verdictOn(checked, broken === 0 ? null : `broken in ${several(broken, 'run')}`),
      count(checked),
      propertySentence(name),
    ]
  })
  const head = [
    { title: 'property' },
    { title: 'verdict' },
    { title: 'checked', leans: 'right' },
    { title: 'what must hold' },
  ] as const
  return table(head, rows, { name: 'Properties' })
}

type Marks = NonNullable<CampaignDocument['marks']>

export function marksTable(met: Marks, missed: readonly string[]): Html {
  const sentences = new Map(knownMarks.map(({ name, sentence }) => [name, sentence]))
  const rows = met.map(({ name, runs }): Content[] => [
    name,
    missed.includes(name) ? html`<b class="bad">never</b>` : count(runs),
    sentences.get(name) ?? '',
  ])
  const head = [
    { title: 'situation' },
    { title: 'met in runs', leans: 'right' },
    { title: 'what happens' },
  ] as const
  return table(head, rows, { name: 'Situations met' })
}
