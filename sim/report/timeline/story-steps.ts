/** The steps of a story as a list, with links to the runs it speaks of. */

import type { Millis, TestRunId } from '../../../engine/index.ts'
import { count, duration } from '../../command-line/text.ts'
import { toMinutes } from '../../time.ts'
import { html, type Content, type Html } from '../html.ts'

export type Step = {
  readonly at: Millis
  readonly sentence: string
  /** It tells of something that broke; with an id for links to it. */
  readonly broken?: { readonly id: string | null }
}

export type Told = {
  readonly steps: readonly Step[]
  /** Steps that were not kept. */
  readonly untold: number
  /** At most so many are shown: the first and the last. */
  readonly most: number
  readonly hasRun: (id: TestRunId) => boolean
}

export function stepsList({ steps, untold, most, hasRun }: Told): Html {
  const half = Math.floor(most / 2)
  const isLong = steps.length > most
  const first = isLong ? steps.slice(0, half) : steps
  const last = isLong ? steps.slice(-half) : []
  const gap = steps.length - first.length - last.length
  const item = (step: Step): Html => itemOf(step, hasRun)
  return html`<ol>
    ${first.map(item)}${gapItem(gap)}${last.map(item)}${gapItem(untold)}
  </ol>`
}

function itemOf({ at, sentence, broken }: Step, hasRun: Told['hasRun']): Html {
  const text = html`<time>${duration(toMinutes(at))}</time> ${linked(sentence, hasRun)}`
  if (!broken) return html`<li>${text}</li> `
  return broken.id === null
    ? html`<li class="broken">${text}</li> `
    : html`<li class="broken" id="${broken.id}">${text}</li> `
}

function gapItem(steps: number): Html | null {
  return steps === 0 ? null : html`<li class="soft">${count(steps)} more steps, not shown</li>`
}

/** `run 42` becomes a link, where that run is in the report. */
function linked(sentence: string, hasRun: Told['hasRun']): Content {
  return sentence.split(/\b(run \d+)/).map((part, index) => {
    const id = Number(part.slice('run '.length))
    return index % 2 === 1 && hasRun(id) ? html`<a href="#run-${id}">${part}</a>` : part
  })
}
