/**
 * What batches save on a backlog: the builds of a history wait all at once, with one main slot and one
 * for bisections. The measure is a search in halves that infers what it can and has nothing else to
 * do: its survivors merge on their proof. Those of a queue that goes on meanwhile are tested again.
 */

import type { Configuration } from '../../engine/index.ts'
import type { PublishedFigure, Source } from '../measuring/published-figure.ts'
import {
  historiesIn,
  oneByOne,
  savedBy,
  savedShare,
  type History,
  type NamedHistory,
} from './histories.ts'
import { publishedFigure } from './published-figure.ts'
import { figuresOf, withoutSecondLook } from './simulated.ts'

const sizes = [4, 8] as const
const mostBuilds = { full: 2000, quick: 100 } as const

/** The queues that are compared, with the reason why they need other runs than the halves. */
const queues: readonly (readonly [string, Partial<Configuration>, string])[] = [
  [
    'Mergeyard, defaults',
    {},
    'Without optimistic merging a failure waits for the bisection ahead of it, and groups behind are tested on top of it. Survivors are tested again.',
  ],
  [
    'Mergeyard, failures step aside',
    { failedStepAside: true },
    'Nothing is tested on top of a failure. The rest is the groups of survivors, one run each.',
  ],
  [
    'Mergeyard, failures step aside, survivors take along',
    { failedStepAside: true, survivorsTakeAlong: true },
    'Survivors take places in a batch of the target size. The rest is these places, and bisections of batches that hold survivors.',
  ],
]

export function backlog(folder: string | null, isQuick: boolean): Source {
  const most = isQuick ? mostBuilds.quick : mostBuilds.full
  const histories = folder === null ? [] : historiesIn(folder, isQuick)
  return {
    title: 'Survivors in a backlog',
    origin: 'halves with inference: recursion over all parts; on builds that wait all at once',
    figures: histories.flatMap(({ name, builds }) =>
      sizes.flatMap((size) => figuresFor({ name, builds: builds.slice(0, most) }, size)),
    ),
    leftOut: folder === null ? ['Not run: --traces names no folder with histories of builds.'] : [],
  }
}

function figuresFor({ name, builds }: NamedHistory, size: number): PublishedFigure[] {
  const published = savedBy(builds, size, inferred)
  const row = (queue: string, because: string, saved: number): PublishedFigure =>
    publishedFigure(
      {
        name: `${name}, batches of ${size}: ${queue}`,
        unit: '% saved',
        published,
        expected: 'other rules',
        because,
      },
      [saved],
    )
  return [
    ...queues.map(([queue, settings, because]) =>
      row(queue, because, savedByQueue(builds, size, settings)),
    ),
    row(
      'a failed batch one by one',
      'Each member of a failed batch is tested alone, and no result is inferred.',
      savedBy(builds, size, oneByOne),
    ),
  ]
}

/** Runs of a batch that is searched in halves. A half whose failure follows is not tested whole. */
export function inferred(part: History, isKnownToFail = false): number {
  if (part.length === 1) return isKnownToFail ? 0 : 1
  if (!isKnownToFail) return part.includes(true) ? 1 + inferred(part, true) : 1
  const middle = Math.floor(part.length / 2)
  const [first, second] = [part.slice(0, middle), part.slice(middle)]
  return first.includes(true)
    ? 1 + inferred(first, true) + inferred(second)
    : 1 + inferred(second, true)
}

function savedByQueue(builds: History, size: number, settings: Partial<Configuration>): number {
  const queue = { concurrency: 1, bisectionConcurrency: 1, batch: true, batchingMinSize: size }
  const pullRequests = builds.map((breaks, index) => ({ number: index + 1, at: 0, breaks }))
  const { totals } = figuresOf(
    { name: 'backlog', queue: { ...queue, ...settings }, suite: { minutes: 10 }, pullRequests },
    withoutSecondLook,
  )
  return savedShare(totals.testRuns, builds)
}
