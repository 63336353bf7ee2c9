/** A slot in the timeline, with the runs that used it. */

import type { Millis } from '../../../engine/index.ts'
import { duration, numbers } from '../../terminal/text.ts'
import { toMinutes } from '../../scenario/time.ts'
import type { Culprits } from '../../explain/culprits.ts'
import { sentenceOfEnd } from '../../explain/sentences.ts'
import { html, type Html } from '../page/html.ts'
import type { RecordedRun } from '../recording/runs.ts'
import { rowOf } from './row.ts'
import { runStyleOf } from './run-style.ts'
import { barsPath, type Scale } from './scale.ts'

export type SlotRow = {
  readonly kind: RecordedRun['kind']
  readonly slot: number
  readonly runs: readonly RecordedRun[]
  readonly endedAt: Millis
  readonly scale: Scale
}

export function slotRow({ kind, slot, runs, endedAt, scale }: SlotRow): Html {
  const bar = (recorded: RecordedRun): Html => {
    const { run, end } = recorded
    const d = barsPath([{ from: run.startedAt, to: end?.at ?? endedAt }], scale)
    return html`<a href="#run-${run.id}" tabindex="-1"
      ><path class="${runStyleOf(recorded)}" d="${d}"><title>${sentence(recorded)}</title></path></a
    >`
  }
  return rowOf({
    id: `${kind}-slot-${slot + 1}`,
    name: kind === 'main' ? `slot ${slot + 1}` : `bisection ${slot + 1}`,
    end: '',
    classes: ['slot', kind],
    track: html`${runs.map(bar)}`,
    story: html`<ol>
      ${runs.map((run) => html`<li id="run-${run.run.id}">${sentence(run)}</li> `)}
    </ol>`,
  })
}

/** At most this many pull request numbers are listed. */
const shown = 30

function sentence(recorded: RecordedRun): string {
  const { run, end, culprits } = recorded
  const at = duration(toMinutes(run.startedAt))
  const length = end ? `took ${duration(toMinutes(end.at - run.startedAt))}` : 'never ended'
  const below =
    run.base.length > 0 ? ` on top of ${numbers(run.base, shown)}` : ' on the current branch'
  const contents = `tests ${numbers(run.tested, shown)}${below}`
  return `${endingOf(recorded, culprits)}; started at ${at}, ${length}; ${contents}`
}

function endingOf({ run: { id }, end }: RecordedRun, culprits: Culprits): string {
  if (!end) return `run ${id} was in progress at the end`
  const ending = end.outcome === 'cancelled' ? end.cause : end.outcome
  if (ending === null) return `run ${id} was cancelled`
  const blamed = end.flaked ? [] : culprits
  return sentenceOfEnd({ id, ending, culprits: blamed, number: -1 })
}
