/**
 * The three things the engine needs of the world. The server and the simulator differ in these
 * and in who sends commands, in nothing else.
 */

import type { Millis, PullRequestNumber, TestRun, TestRunId } from './model/state.ts'

export type Clock = {
  /** Send `wake` at this instant, or as soon after as possible. Earlier wishes stay valid. */
  wakeAt(instant: Millis): void
}

/**
 * Makes test runs, and reports each with `finishTestRun`, at any later time, or never. Must take
 * the same start twice for one run: after a crash the engine cannot know whether it was heard.
 * Reports on cancelled runs are harmless.
 */
export type TestRunner = {
  start(run: TestRun): void
  cancel(testRun: TestRunId): void
}

/** Merges a pull request and reports with `finishMerge`. Must take the same request twice. */
export type CodeHost = {
  merge(number: PullRequestNumber): void
}

export type Ports = {
  readonly clock: Clock
  readonly testRunner: TestRunner
  /** Left out: merges happen at once, and nothing is known about pull requests. */
  readonly codeHost?: CodeHost
}
