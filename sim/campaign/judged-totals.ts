/** Sums how much each property has judged (S-171). */

import type { JudgedShare } from '../observe/findings.ts'
import type { CampaignDocument, PropertyCount } from './document.ts'

export class JudgedTotals {
  readonly #counts = new Map<string, PropertyCount>()

  /** Adds what the properties have judged in one run. */
  addRun(judged: readonly JudgedShare[]): void {
    for (const { name, events, checked, leftOut } of judged) {
      const known = this.#counts.get(name)
      this.#counts.set(name, {
        name,
        runs: (known?.runs ?? 0) + (events > 0 ? 1 : 0),
        events: (known?.events ?? 0) + events,
        checked: (known?.checked ?? 0) + checked,
        leftOut: (known?.leftOut ?? 0) + leftOut,
      })
    }
  }

  /** In the order in which the properties were added. */
  get counts(): PropertyCount[] {
    return [...this.#counts.values()]
  }
}

/** What a table shows of one property. */
export type JudgedRow = {
  /** The share of runs and of events in which it was active, and of checks that were made. */
  readonly runs: string
  readonly events: string
  readonly checks: string
}

/** The shares as text: of the runs, of the events, and of the checks that were due; a dash where there is nothing to be a share of. */
export function judgedText(
  { runs, events, checked, leftOut }: PropertyCount,
  whole: Pick<CampaignDocument, 'seeds' | 'events'>,
): JudgedRow {
  return {
    runs: share(runs, whole.seeds),
    events: share(events, whole.events),
    checks: share(checked, checked + leftOut),
  }
}

/** With one decimal place. Only nothing is 0 % and only the whole is 100 %. */
function share(part: number, whole: number): string {
  if (whole === 0) return '-'
  if (part === 0 || part === whole) return `${part === 0 ? 0 : 100} %`
  const rounded = Math.round((1000 * part) / whole) / 10
  return `${Math.min(99.9, Math.max(0.1, rounded))} %`
}
