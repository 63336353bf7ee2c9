/** What is left to do in a run: for the queue, and for the test runner. */

import {
  allows,
  type Command,
  type QueueView,
  type Rejection,
  type TestRunId,
} from '../../engine/index.ts'

/** Whether the command was refused because its run is over. */
export function isAboutGoneRun(
  command: Command,
  { code }: Rejection,
): command is Extract<Command, { testRun: TestRunId }> {
  return 'testRun' in command && code === 'test run is over'
}

/** Whether a test run is in progress, or the queue can start or merge something by itself. */
export function hasWork({ slots, state, line, bisections, order }: QueueView): boolean {
  if (slots.main > 0 || slots.bisection > 0) return true
  const isBegun = line.length > 0 || bisections.length > 0
  return (
    (isBegun && allows(state, 'startsKnown')) || (order.pending > 0 && allows(state, 'startsNew'))
  )
}
