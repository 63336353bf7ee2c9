/**
 * The interfaces through which the engine acts on the outside. The server and the simulator differ
 * only in these and in the source of the commands.
 */

import type { Millis, PullRequestNumber, TestRun, TestRunId } from './model/state.ts'

export type Clock = {
  /** Send `wake` at this instant or as soon as possible after it. Earlier requests stay valid. */
  wakeAt(instant: Millis): void
}

/**
 * Starts and cancels test runs. It reports the result of a run with `finishTestRun`, at any later
 * time or never. It must accept a second start of the same run, because after a crash the engine
 * cannot know whether the first one arrived. A result of a cancelled run is rejected and has no
 * effect.
 */
export type TestRunner = {
  start(run: TestRun): void
  cancel(testRun: TestRunId): void
}

/**
 * Merges pull requests and reports with `finishMerge`. It must accept a repeated request. With
 * `codeHost: 'groups'` it is asked for all members of a group, which land in one push, else for one.
 */
export type CodeHost = {
  merge(numbers: readonly PullRequestNumber[]): void
}

export type Ports = {
  readonly clock: Clock
  readonly testRunner: TestRunner
  /** Needed only by a queue that waits for the answers of a code host (`answers` or `groups`). */
  readonly codeHost?: CodeHost
}
