/** The heat maps of the page: the figures that judge a setting, and folded the others. */

import { chartForAnyScreen } from '../../../sim/report/page/chart.ts'
import { html, type Html } from '../../../sim/report/page/html.ts'
import { card, cards, folded } from '../../../sim/report/page/pieces.ts'
import type { TuneDocument } from '../document.ts'
import { figureNames, titleOf, type FigureName } from '../figures/figures.ts'
import { fastestFirst, meanIn } from '../sentences.ts'
import { alikeOf } from './alike.ts'
import { heatMap, isWithoutEffect, planeOf, type Plane } from './heat-map.ts'
import { numbersOf } from './numbers.ts'

/** Returns no section if nothing varies. */
export async function mapSections(document: TuneDocument) {
  const plane = planeOf(document)
  if (!plane) return []
  const about = mapsAbout(document, plane)
  return [{ id: 'maps', title: 'Figure by figure', about, body: await mapsOf(document, plane) }]
}

/** Explains the maps. Mentions only what they contain. */
function mapsAbout({ verdict, settings: all }: TuneDocument, { y, held, settings }: Plane): string {
  const isIn = (name: string): boolean => settings.some((setting) => setting.name === name)
  const today = all.find(({ isToday }) => isToday)
  const sentences = [
    'Means over the seeds. A stronger colour is a larger number; less is better.',
    today && isIn(today.name)
      ? "A dashed outline marks today's setting."
      : "Today's setting is not one of these.",
    ...(verdict.kind === 'change' && isIn(verdict.choice) ? ['Outlined in green: advised.'] : []),
    ...(settings.some(({ role }) => role === 'searched')
      ? ['A star marks a setting that left in the search; its mean is over a few other seeds.']
      : []),
    ...(y && settings.some((setting) => isWithoutEffect(setting, y))
      ? [`A cell as high as the map has no value for the ${y.title}, which has no effect there.`]
      : []),
    ...(held.length === 0
      ? []
      : [`In all of them: ${held.map((pair) => pair.join(' ')).join(', ')}.`]),
  ]
  return sentences.join(' ')
}

const unfolded: readonly FigureName[] = ['p95', 'ciMinutes', 'price', 'evicted', 'unproven']

async function mapsOf(document: TuneDocument, plane: Plane): Promise<Html> {
  const first = await drawn(unfolded, document, plane)
  const others = figureNames.filter((name) => !unfolded.includes(name))
  const more = await drawn(others, document, plane)
  return html`${cards(first, 3)}
  ${more.length === 0 ? null : folded(`${more.length} more figures`, cards(more, 3))}
  ${folded('show the settings of these maps as a table', numbersIn(plane, document))}`
}

/** What the tooltips of the cells say. */
function numbersIn({ settings }: Plane, document: TuneDocument): Html {
  return numbersOf(alikeOf(fastestFirst(settings), document), 'Figure by figure', document)
}

async function drawn(
  names: readonly FigureName[],
  { verdict }: TuneDocument,
  plane: Plane,
): Promise<Html[]> {
  const choice = verdict.kind === 'change' ? verdict.choice : null
  const maps: Html[] = []
  for (const name of names) {
    const isInformative = plane.settings.some((setting) => (meanIn(setting, name) ?? 0) > 0)
    if (!isInformative) continue
    const body = await chartForAnyScreen((size) => heatMap(plane, name, { choice, size }))
    maps.push(card({ title: titleOf(name), body }))
  }
  return maps
}
