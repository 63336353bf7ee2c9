/** The bounds of a comparison in words and rows, for the terminal and the page. */

import { figure } from '../statistics/text.ts'
import type { ScenarioBounds } from './scenario-bounds.ts'

export function boundsWords({ slots, flakeRate, breakRate }: ScenarioBounds): string {
  return `No queue with ${slots} slots can beat these, if it learns only from the results of runs, ${percent(breakRate)} of the pull requests break by themselves, and ${percent(flakeRate)} of the runs flake:`
}

type BoundRow = { readonly what: string; readonly value: string }

export function boundRows(bounds: ScenarioBounds): BoundRow[] {
  const { landP50, landP95, runsPerMerge, minutesPerMerge, minutesIfEvicting } = bounds
  const rows = [
    { what: 'time to land p50, min', value: textOf(landP50) },
    { what: 'time to land p95, min', value: textOf(landP95) },
    { what: 'runs per merge', value: figure(runsPerMerge) },
    { what: 'CI minutes per merge, min', value: textOf(minutesPerMerge) },
  ]
  if (!minutesIfEvicting) return rows
  const { share, minutes } = minutesIfEvicting
  const what = `CI minutes per merge with ${percent(share)} of the healthy evicted, min`
  return [...rows, { what, value: figure(minutes) }]
}

const textOf = (value: number | null): string => (value === null ? 'not known' : figure(value))

const percent = (share: number): string => `${figure(100 * share)} %`
