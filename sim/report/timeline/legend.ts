/** The legend of the timeline: everything that it draws, and nothing else. */

import { phaseStyles } from '../charts/depth-chart.ts'
import { html, type Html } from '../page/html.ts'
import { key } from '../page/pieces.ts'
import { phases } from '../recording/phase.ts'
import type { RecordedRun } from '../recording/runs.ts'
import type { PullRequestStory } from '../recording/story.ts'
import { runStyleOf, type RunStyle } from './run-style.ts'

type LegendInput = {
  readonly stories: readonly PullRequestStory[]
  readonly runs: readonly RecordedRun[]
  /** True if the timeline marks changes of the queue. */
  readonly hasQueueEvents: boolean
  readonly hasViolations: boolean
}

type Entry = { readonly color: string; readonly means: string }

const runStyles: Readonly<Record<RunStyle, Entry>> = {
  passed: { color: 'merged', means: 'passed' },
  failed: { color: 'failed', means: 'failed' },
  flaked: { color: 'held', means: 'flaked' },
  cancelled: { color: 'cancelled', means: 'cancelled' },
  lost: { color: 'soft', means: 'lost or timed out' },
}

const endStyles = {
  MERGED: { color: 'merged', means: 'merged' },
  FAILED: { color: 'failed', means: 'failed' },
  CANCELLED: { color: 'soft', means: 'cancelled' },
} as const

export function legend({ stories, runs, hasQueueEvents, hasViolations }: LegendInput): Html {
  const drawnRuns = new Set(runs.map(runStyleOf))
  const drawnPhases = new Set(
    stories.flatMap(({ phaseChanges }) => phaseChanges.map(({ phase }) => phase)),
  )
  const ends = new Set(stories.map(({ end }) => end))
  const lines: Entry[] = [
    ...(['MERGED', 'FAILED', 'CANCELLED'] as const)
      .filter((end) => ends.has(end))
      .map((end) => endStyles[end]),
    ...(hasQueueEvents ? [{ color: 'link', means: 'the queue changed' }] : []),
    ...(hasViolations ? [{ color: 'bad', means: 'a property broke' }] : []),
  ]
  const styles = (['passed', 'failed', 'flaked', 'cancelled', 'lost'] as const)
    .filter((style) => drawnRuns.has(style))
    .map((style) => runStyles[style])
  const bars = phases.filter((phase) => drawnPhases.has(phase)).map((phase) => phaseStyles[phase])
  const keyOf = (entries: readonly Entry[], of: string): Html | null =>
    entries.length === 0 ? null : key(entries, of)
  return html`<div class="keys">
    ${keyOf(styles, 'test runs')} ${keyOf(bars, 'pull requests')} ${keyOf(lines, 'lines')}
  </div>`
}
