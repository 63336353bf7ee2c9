/**
 * What batches save when everything waits at once, compared with halving while nothing else goes on.
 * Beside a main line that moves on, survivors of a bisection need another run.
 */

import type { Scenario } from '../../sim/scenario/scenario.ts'
import type { PublishedFigure, Source } from './published-figure.ts'
import { oneByOne, readHistories, savedBy, type History, type NamedHistory } from './histories.ts'
import { publishedFigure } from './published-figure.ts'
import { figuresOf } from './simulated.ts'

const sizes = [4, 8] as const
const buildsAtMost = 2000

/** Where half of the builds fail, no batch saves a run. */
const largestShareFailing = 0.4

export function survivorsOfBatches(folder: string | null, isQuick: boolean): Source {
  const source = {
    title: 'Survivors of failed batches',
    origin: 'halving with inference, one batch after the other, calculated from the same builds',
  }
  if (folder === null) {
    const leftOut = ['Not replayed: --traces names no folder with histories of builds.']
    return { ...source, figures: [], leftOut }
  }
  const all = readHistories(folder, isQuick)
  const tried = all.filter(({ builds }) => shareFailing(builds) <= largestShareFailing)
  const left = all.filter((history) => !tried.includes(history)).map(({ name }) => name)
  return {
    ...source,
    figures: tried.flatMap((history) => sizes.map((size) => figureOf(history, size))),
    leftOut: [
      `Histories in which more than 40 % of the builds fail: ${left.join(', ') || 'none'}.`,
      'Throughput: the reason of each figure says how long the last pull request took to merge.',
    ],
  }
}

function figureOf({ name, builds }: NamedHistory, size: number): PublishedFigure {
  const first = builds.slice(0, buildsAtMost)
  const published = savedBy(first, size, halvedWithInference)
  const { saved, runsLong } = savedByEngine(first, size)
  const singly = savedBy(first, size, oneByOne)
  return publishedFigure(
    {
      name: `${name}, batches of ${size}, all ${first.length} waiting at once`,
      unit: '% saved',
      published,
      expected: 'other rules',
      because: `Survivors cost a run of their own when the line has moved on. Mergeyard takes ${runsLong} runs one after the other; a batch that is then tested one by one saves ${singly.toFixed(1)} %.`,
    },
    [saved],
  )
}

const shareFailing = (builds: History): number => builds.filter(Boolean).length / builds.length

/** Runs of a batch that is split in halves: what must fail, as the other half passed, is not run. */
const halvedWithInference = (batch: History): number =>
  batch.includes(true) ? 1 + runsWithin(batch) : 1

/** Runs to settle a part that is known to fail. */
function runsWithin(part: History): number {
  if (part.length === 1) return 0
  const middle = Math.ceil(part.length / 2)
  const [ahead, behind] = [part.slice(0, middle), part.slice(middle)]
  return ahead.includes(true)
    ? 1 + runsWithin(ahead) + halvedWithInference(behind)
    : 1 + runsWithin(behind)
}

type Saved = { readonly saved: number; readonly runsLong: number }

/** One main slot, one bisection slot, and runs of one minute. */
function savedByEngine(builds: History, size: number): Saved {
  const scenario: Scenario = {
    name: 'history',
    queue: { concurrency: 1, bisectionConcurrency: 1, batch: true, batchingMinSize: size },
    suite: { minutes: 1 },
    pullRequests: builds.map((breaks, index) => ({ number: index + 1, at: 0, breaks })),
  }
  const { totals, timeToLandMinutes } = figuresOf(scenario)
  return {
    saved: 100 * (1 - totals.testRuns / builds.length),
    runsLong: Math.round(timeToLandMinutes.max ?? 0),
  }
}
