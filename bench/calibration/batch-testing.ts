/**
 * What batches save on real histories of builds: after a study of nine projects, and when everything waits at once.
 */

import { join } from 'node:path'
import { historiesIn, readCiRuns } from '../../sim/import/ci-runs.ts'
import { figuresOf, publishedFigure } from './published-figure.ts'
import type { PublishedFigure, Source } from './published-figure.ts'

// Histories of builds, and what simple rules of batch testing save on them.

/** True for each build that failed, oldest first. */
type History = readonly boolean[]

/** How many of a hundred failed. */
const failing = (all: History): number =>
  Math.round((100 * all.filter(Boolean).length) / all.length)

/** Runs of a failing part that is tested one by one, with its own run. */
const oneByOne = (part: History): number =>
  part.length > 1 && part.includes(true) ? 1 + part.length : 1

/** Runs of a part that is split in halves while it fails; parts of `stop` are tested one by one. */
function halved(part: History, stop = 1): number {
  if (part.length <= stop) return oneByOne(part)
  if (part.length === 1 || !part.includes(true)) return 1
  const middle = Math.floor(part.length / 2)
  return 1 + halved(part.slice(0, middle), stop) + halved(part.slice(middle), stop)
}

/** The runs saved by batches of this size, in percent of one run for each build. */
function savedBy(all: History, size: number, runsOf: (part: History) => number): number {
  let runs = 0
  for (let from = 0; from < all.length; from += size) runs += runsOf(all.slice(from, from + size))
  return 100 * (1 - runs / all.length)
}

type NamedHistory = { readonly name: string; readonly builds: History }

/** A source that replays all histories (`.csv`) of the folder. Throws `BadInput` for one that cannot be read. */
function replayed(
  source: Pick<Source, 'title' | 'origin'>,
  folder: string | null,
  isQuick: boolean,
  compare: (histories: readonly NamedHistory[]) => Pick<Source, 'figures' | 'leftOut'>,
): Source {
  if (folder !== null) return { ...source, ...compare(readHistories(folder, isQuick)) }
  const leftOut = ['Not replayed: --traces names no folder with histories of builds.']
  return { ...source, figures: [], leftOut }
}

function readHistories(folder: string, isQuick: boolean): NamedHistory[] {
  const files = historiesIn(folder)
  return files.slice(0, isQuick ? 1 : files.length).map((name) => ({
    name: name.replace(/\.csv$/, ''),
    builds: readCiRuns(join(folder, name), name).map(({ outcome }) => outcome !== 'passed'),
  }))
}

// What batches save on real histories of builds, after a study of nine projects.

/** Mean savings over nine projects, in percent of one run for each build. */
const ofStudy = { halves: 46, four: 48, stopAtFour: 50 } as const

/** The study tries sizes up to this one and takes the best for each project. */
const largestBatch = 20

const study = {
  title: 'Batch testing of real histories',
  origin:
    'Beheshtian, Bavand and Rigby, "Software Batch Testing to Save Build Test Resources and to Reduce Feedback Time", IEEE Transactions on Software Engineering (2021)',
}

export const batchTesting = (folder: string | null, isQuick: boolean): Source =>
  replayed(study, folder, isQuick, savings)

function savings(named: readonly NamedHistory[]): Pick<Source, 'figures' | 'leftOut'> {
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
    figures: [
      row('halves, best size up to 20', ofStudy.halves, because, (all) => best(all, halved)),
      row('batches of 4, a failed one tested one by one', ofStudy.four, because, (all) =>
        savedBy(all, 4, oneByOne),
      ),
      row('halves down to 4, best size up to 20', ofStudy.stopAtFour, because, (all) =>
        best(all, (part) => halved(part, 4)),
      ),
      row(
        'Mergeyard, batches of 8, beside "halves down to 4"',
        ofStudy.stopAtFour,
        'Mergeyard chooses each prefix by the failure rate it has seen, and tests no member whose failure follows from the others.',
        // The next batch comes after the one before is judged.
        (all) => savedByEngine(all, 8, (index) => 1000 * Math.floor(index / 8)).saved,
      ),
    ],
    leftOut: ['Its models of risk: they need features of commits that the histories do not have.'],
  }
}

function best(all: History, runsOf: (part: History) => number): number {
  const sizes = Array.from({ length: largestBatch }, (_, index) => index + 1)
  return Math.max(...sizes.map((size) => savedBy(all, size, runsOf)))
}

type Saved = { readonly saved: number; readonly runsLong: number }

/** One main slot, one bisection slot, and runs of one minute. `at` says when each of the builds comes. */
function savedByEngine(builds: History, size: number, at: (index: number) => number): Saved {
  const { totals, timeToLandMinutes } = figuresOf({
    name: 'history',
    queue: { concurrency: 1, bisectionConcurrency: 1, batch: true, batchingMinSize: size },
    suite: { minutes: 1 },
    pullRequests: builds.map((breaks, index) => ({ number: index + 1, at: at(index), breaks })),
  })
  return {
    saved: 100 * (1 - totals.testRuns / builds.length),
    runsLong: Math.round(timeToLandMinutes.max ?? 0),
  }
}

// What batches save when everything waits at once, compared with halving while nothing else goes on.
// Beside a main line that moves on, survivors of a bisection need another run.

const sizes = [4, 8] as const
const buildsAtMost = 2000

/** Where half of the builds fail, no batch saves a run. */
const largestShareFailing = 0.4

const halving = {
  title: 'Survivors of failed batches',
  origin: 'halving with inference, one batch after the other, calculated from the same builds',
}

export const survivorsOfBatches = (folder: string | null, isQuick: boolean): Source =>
  replayed(halving, folder, isQuick, survivors)

function survivors(all: readonly NamedHistory[]): Pick<Source, 'figures' | 'leftOut'> {
  const tried = all.filter(({ builds }) => shareFailing(builds) <= largestShareFailing)
  const left = all.filter((history) => !tried.includes(history)).map(({ name }) => name)
  return {
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
  const { saved, runsLong } = savedByEngine(first, size, () => 0)
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
