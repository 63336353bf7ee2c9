/** The steps of a story as a list, with links to the runs it mentions. */

import type { Millis, TestRunId } from '../../../engine/index.ts'
import { count, duration } from '../../../server/terminal/text.ts'
import { toMinutes } from '../../scenario/time.ts'
import { html, type HtmlContent, type Html } from '../../html/html.ts'

export type StoryStepItem = {
  readonly at: Millis
  readonly sentence: string
  /** Set for a violation; `id` is the target of links to it. */
  readonly broken?: { readonly id: string | null }
}

export type StoryStepsInput = {
  readonly steps: readonly StoryStepItem[]
  /** The number of steps that were not kept. */
  readonly omitted: number
  /** The maximum number of steps shown: the first half and the last half. */
  readonly most: number
  readonly hasRun: (id: TestRunId) => boolean
}

export function stepsList({ steps, omitted, most, hasRun }: StoryStepsInput): Html {
  const half = Math.floor(most / 2)
  const isLong = steps.length > most
  const first = isLong ? steps.slice(0, half) : steps
  const last = isLong ? steps.slice(-half) : []
  const gap = steps.length - first.length - last.length
  const item = (step: StoryStepItem): Html => itemOf(step, hasRun)
  return html`<ol>
    ${first.map(item)}${gapItem(gap)}${last.map(item)}${gapItem(omitted)}
  </ol>`
}

function itemOf({ at, sentence, broken }: StoryStepItem, hasRun: StoryStepsInput['hasRun']): Html {
  const text = html`<time>${duration(toMinutes(at))}</time> ${linked(sentence, hasRun)}`
  if (!broken) return html`<li>${text}</li> `
  return broken.id === null
    ? html`<li class="broken">${text}</li> `
    : html`<li class="broken" id="${broken.id}">${text}</li> `
}

function gapItem(steps: number): Html | null {
  return steps === 0 ? null : html`<li class="soft">${count(steps)} more steps, not shown</li>`
}

/** Turns `run 42` into a link if that run is in the report. */
function linked(sentence: string, hasRun: StoryStepsInput['hasRun']): HtmlContent {
  return sentence.split(/\b(run \d+)/).map((part, index) => {
    const id = Number(part.slice('run '.length))
    return index % 2 === 1 && hasRun(id) ? html`<a href="#run-${id}">${part}</a>` : part
  })
}
