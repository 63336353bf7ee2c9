/** What batches save on real histories of builds, after a study of nine projects. */

import type { Source } from './published-figure.ts'
import { failing, halved, oneByOne, readHistories, savedBy, type History } from './histories.ts'
import { publishedFigure } from './published-figure.ts'
import { figuresOf } from './simulated.ts'

/** Mean savings over nine projects, in percent of one run for each build. */
const published = { halves: 46, four: 48, stopAtFour: 50 } as const

/** The study tries sizes up to this one and takes the best for each project. */
const largestBatch = 20

const title = 'Batch testing of real histories'
const origin =
  'Beheshtian, Bavand and Rigby, "Software Batch Testing to Save Build Test Resources and to Reduce Feedback Time", IEEE Transactions on Software Engineering (2021)'

/** Replays all histories (`.csv`) of the folder. Throws `BadInput` for one that cannot be read. */
export function batchTesting(folder: string | null, isQuick: boolean): Source {
  if (folder === null) {
    return {
      title,
      origin,
      figures: [],
      leftOut: ['Not replayed: --traces names no folder with histories of builds.'],
    }
  }
  const named = readHistories(folder, isQuick)
  const histories = named.map(({ builds }) => builds)
  const because = `The study's own rule on other histories: ${named.map(({ name }) => name).join(', ')}. Their failure rates differ: ${histories.map(failing).join(', ')} %.`
  const row = (name: string, mean: number, why: string, saved: (all: History) => number) =>
    publishedFigure(
      {
        name,
        unit: '% saved',
        published: mean,
        rounding: 0.5,
        expected: 'other rules',
        because: why,
      },
      histories.map(saved),
    )
  return {
    title,
    origin,
    figures: [
      row('halves, best size up to 20', published.halves, because, (all) => best(all, halved)),
      row('batches of 4, a failed one tested one by one', published.four, because, (all) =>
        savedBy(all, 4, oneByOne),
      ),
      row('halves down to 4, best size up to 20', published.stopAtFour, because, (all) =>
        best(all, (part) => halved(part, 4)),
      ),
      row(
        'Mergeyard, batches of 8, beside "halves down to 4"',
        published.stopAtFour,
        'Mergeyard chooses each prefix by the failure rate it has seen, and tests no member whose failure follows from the others.',
        (all) => savedByEngine(all, 8),
      ),
    ],
    leftOut: ['Its models of risk: they need features of commits that the histories do not have.'],
  }
}

function best(all: History, runsOf: (part: History) => number): number {
  const sizes = Array.from({ length: largestBatch }, (_, index) => index + 1)
  return Math.max(...sizes.map((size) => savedBy(all, size, runsOf)))
}

function savedByEngine(all: History, size: number): number {
  const { totals } = figuresOf({
    name: 'history',
    queue: { concurrency: 1, bisectionConcurrency: 1, batch: true, batchingMinSize: size },
    suite: { minutes: 1 },
    // The next batch comes after the one before is judged.
    pullRequests: all.map((breaks, index) => ({
      number: index + 1,
      at: 1000 * Math.floor(index / size),
      breaks,
    })),
  })
  return 100 * (1 - totals.testRuns / all.length)
}
