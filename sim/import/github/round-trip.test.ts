/** What the simulator writes as a history of GitHub, and what the import reads of it. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResultDocument } from '../../result/result-document.ts'
import type { ScenarioEvent } from '../../scenario/scenario.ts'
import { simulated, type UnnamedScenario } from '../../testing/simulated.ts'
import { GitHubStory, queued, removed, shaOf } from '../testing/github-story.ts'

// The result of a simulation as the history that GitHub would tell of it: one pull request a group.

type Run = ResultDocument['testRuns'][number]

const conclusions: Readonly<Record<string, string>> = {
  passed: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
}

/** `concurrency` is what the rule of the branch says. */
function writtenHistory(result: ResultDocument, concurrency: number): GitHubStory {
  const parameters = { max_entries_to_build: concurrency }
  const story = new GitHubStory({ rules: [{ type: 'merge_queue', parameters }] })
  for (const { number, state, submittedAt, concludedAt } of result.pullRequests) {
    const [began, ended] = [submittedAt, concludedAt ?? 0]
    const by = state === 'CANCELLED' ? 'person' : 'queue'
    const ends = state === 'MERGED' ? { merged: ended } : { closed: ended + 60 }
    story.pull(number, ends, queued(began), removed(ended, by))
  }
  for (const run of result.testRuns) {
    const [number = 0] = run.tested
    const below = baseOf(run, result.testRuns)
    const on = below ? `b${below.id}` : 'ba5e'
    const conclusion = conclusions[run.outcome ?? ''] ?? 'cancelled'
    const minutes = (run.finishedAt ?? run.startedAt) - run.startedAt
    story.group(number, run.startedAt, { on, sha: shaOf(`b${run.id}`), minutes, conclusion })
  }
  return story
}

/** The last run of the pull request directly below. What has merged meanwhile is in its commit as well. */
function baseOf({ base, id }: Run, all: readonly Run[]): Run | undefined {
  return all.findLast((other) => other.id < id && other.tested[0] === base.at(-1))
}

/** Instants of half a minute; GitHub knows seconds. */
const instants = fc.integer({ min: 0, max: 240 }).map((halves) => halves / 2)

type Drawn = {
  readonly at: number
  readonly testMinutes: number
  readonly breaks: boolean
  readonly cancelled: number | null
}

const drawn = (cancelled: fc.Arbitrary<number | null>): fc.Arbitrary<Drawn> =>
  fc.record({
    at: instants,
    testMinutes: fc.integer({ min: 1, max: 40 }),
    breaks: fc.boolean(),
    cancelled,
  })

const histories = (cancelled: fc.Arbitrary<number | null>) =>
  fc.record({
    concurrency: fc.integer({ min: 1, max: 6 }),
    pulls: fc.array(drawn(cancelled), { minLength: 1, maxLength: 12 }),
  })

/** Submissions in order of their numbers. */
function scenarioOf(pulls: readonly Drawn[], concurrency: number): UnnamedScenario {
  const sorted = pulls.toSorted((a, b) => a.at - b.at)
  const events = sorted.flatMap(({ cancelled }, index): ScenarioEvent[] =>
    cancelled === null ? [] : [{ do: 'cancel', number: index + 1, at: cancelled }],
  )
  return {
    queue: { concurrency },
    pullRequests: sorted.map(({ at, testMinutes, breaks, cancelled }, index) => ({
      number: index + 1,
      at,
      testMinutes,
      // One that is taken out before it fails is not known to break.
      ...(breaks && cancelled === null ? { breaks } : {}),
    })),
    events,
  }
}

/** What happened to whom, and when. */
function storyOf({ mergeOrder, pullRequests, testRuns }: ResultDocument) {
  const first = pullRequests[0]?.submittedAt ?? 0
  return {
    mergeOrder,
    ends: pullRequests.map(({ number, state, concludedAt }) => [
      number,
      state,
      (concludedAt ?? 0) - first,
    ]),
    runs: testRuns.map(({ base, tested, outcome }) => [base, tested, outcome]),
  }
}

// S-251, S-253, S-254
test('submissions, failures, cancels and lengths of a simulated history come back', () => {
  const property = fc.property(histories(fc.option(instants)), ({ concurrency, pulls }) => {
    const result = simulated(scenarioOf(pulls, concurrency))
    const scenario = writtenHistory(result, concurrency).imported()
    const first = result.pullRequests[0]?.submittedAt ?? 0
    const runOf = (number: number, verdict: string) =>
      result.testRuns.findLast(({ tested, outcome }) => tested[0] === number && outcome === verdict)
    expect(scenario.pullRequests).toEqual(
      result.pullRequests.map(({ number, state, submittedAt }) => {
        const run = runOf(number, state === 'FAILED' ? 'failed' : 'passed')
        return {
          number,
          at: submittedAt - first,
          ...(state === 'FAILED' ? { breaks: true } : {}),
          ...(run ? { testMinutes: (run.finishedAt ?? 0) - run.startedAt } : {}),
        }
      }),
    )
    const cancels = result.pullRequests
      .filter(({ state }) => state === 'CANCELLED')
      .map(({ number, concludedAt }) => ({ do: 'cancel', number, at: (concludedAt ?? 0) - first }))
      .toSorted((a, b) => a.at - b.at)
    expect(scenario.events ?? []).toEqual(cancels)
  })
  fc.assert(property, { numRuns: 60 })
})

// S-251, S-252, S-253
test('simulated again, an imported history takes the same course', () => {
  const property = fc.property(histories(fc.constant(null)), ({ concurrency, pulls }) => {
    const result = simulated(scenarioOf(pulls, concurrency))
    const scenario = writtenHistory(result, concurrency).imported()
    expect(storyOf(simulated(scenario))).toEqual(storyOf(result))
  })
  fc.assert(property, { numRuns: 60 })
})
