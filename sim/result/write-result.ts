/** The result document, and how it is written: in pieces, because one text may be too long for a string. */

import { isTerminal } from '../../engine/index.ts'
import type { Event, PullRequestNumber, TestRunId } from '../../engine/index.ts'
import { toMinutes } from '../scenario/time.ts'
import type {
  Lists,
  PullRequestResult,
  TestRunResult,
  Figures,
  ResultDocument,
} from './result-document.ts'
import type { EndedRun, ResultContext, ResultProjection } from './result-projection.ts'

// The lists of a result: the merge order, the pull requests and the test runs.

type Draft<Result> = { -readonly [Key in keyof Result]: Result[Key] }

export class ListsProjection implements ResultProjection {
  readonly #mergeOrder: PullRequestNumber[] = []
  readonly #pullRequests = new Map<PullRequestNumber, Draft<PullRequestResult>>()
  /** In the order in which they started, which is that of their ids. */
  readonly #testRuns = new Map<TestRunId, Draft<TestRunResult>>()

  get lists(): Lists {
    return {
      mergeOrder: this.#mergeOrder,
      pullRequests: [...this.#pullRequests.values()].sort((a, b) => a.number - b.number),
      testRuns: [...this.#testRuns.values()],
    }
  }

  onEvent(event: Event, context: ResultContext): void {
    const at = toMinutes(context.at)
    if (event.type === 'tipMoved') {
      if (event.number !== null) this.#mergeOrder.push(event.number)
    } else if (event.type === 'pullRequestSubmitted') {
      const times = { submittedAt: at, startedAt: null, concludedAt: null }
      const { number, state } = event
      Object.assign(this.#pullRequestOf(number), { state, reason: 'API_REQUESTED', ...times })
    } else if (event.type === 'pullRequestMoved') {
      const pullRequest = this.#pullRequestOf(event.number)
      pullRequest.state = event.to
      pullRequest.reason = event.reason
      if (isTerminal(event.to)) pullRequest.concludedAt = at
      if (event.to === 'PENDING' && event.from !== 'NOT_READY') pullRequest.restarts++
    } else if (event.type === 'testRunStarted') {
      const { id, owner, base, tested } = event.run
      const unfinished = { finishedAt: null, outcome: null, flaked: false }
      this.#testRuns.set(id, { id, kind: owner.kind, base, tested, startedAt: at, ...unfinished })
      for (const number of tested) {
        const pullRequest = this.#pullRequestOf(number)
        pullRequest.testRuns++
        pullRequest.startedAt ??= at
      }
    }
  }

  onRunEnd({ run, at, outcome, flaked }: EndedRun): void {
    const ended = { finishedAt: toMinutes(at), outcome, flaked }
    Object.assign(this.#testRuns.get(run.id) ?? {}, ended)
  }

  /** A recording may begin with pull requests that were submitted before. */
  #pullRequestOf(number: PullRequestNumber): Draft<PullRequestResult> {
    const known = this.#pullRequests.get(number)
    if (known) return known
    const times = { submittedAt: 0, startedAt: null, concludedAt: null }
    const counts = { testRuns: 0, restarts: 0 }
    const fresh = { number, state: 'NOT_READY', reason: null, ...times, ...counts } as const
    const pullRequest: Draft<PullRequestResult> = { ...fresh }
    this.#pullRequests.set(number, pullRequest)
    return pullRequest
  }
}

/** The contents of the document. */
export type RunResult = Pick<ResultDocument, 'properties' | 'expectations'> & {
  readonly figures: Figures
  readonly lists: Lists
}

/** Returns the whole document as a value, with its fields in order. */
export function resultDocument({ figures, lists, ...judged }: RunResult): ResultDocument {
  const { scenario, seed, traceHash, endedAtMinutes, ...measured } = figures
  const { properties, expectations } = judged
  const head = { scenario, seed, traceHash, endedAtMinutes }
  return { ...head, ...lists, ...measured, properties, expectations }
}

/** What only the simulated world knows, and no recording tells. */
const truths: ReadonlySet<string> = new Set([
  'healthyEvicted',
  'clashed',
  'badMerged',
  'laneClashes',
  'brokenMainMinutes',
  'theory',
])

/** Yields the document as JSON, with a line for each item of a list; that of a recording without the truth (S-51). */
export function* resultTexts(result: RunResult, isTruthKnown = true): Generator<string> {
  const isTold = (name: string): boolean => isTruthKnown || !truths.has(name)
  let before = '{\n'
  for (const [name, value] of Object.entries(resultDocument(result))) {
    if (!isTold(name)) continue
    yield `${before}"${name}": `
    if (name in result.lists && Array.isArray(value)) yield* listTexts(value)
    else yield JSON.stringify(value, (key, each: unknown) => (isTold(key) ? each : undefined))
    before = ',\n'
  }
  yield '\n}\n'
}

/** Lists of numbers have this many to a line. */
const numbersPerLine = 20

function* listTexts(items: readonly unknown[]): Generator<string> {
  yield '[\n'
  for (const [index, item] of items.entries()) {
    const isInLine = typeof item === 'number' && index % numbersPerLine > 0
    const before = index === 0 ? '' : isInLine ? ', ' : ',\n'
    yield before + JSON.stringify(item)
  }
  yield '\n]'
}
