/** What people, a CI and a code host send to a queue, in any order. A queue refuses many of them. */

import fc from 'fast-check'
import type { RecordedCommand } from '../../engine/index.ts'

/** On the pull requests up to this number. */
export function anyCommand(mostNumber: number): fc.Arbitrary<RecordedCommand> {
  const number = fc.integer({ min: 1, max: mostNumber })
  const submission = fc.record(
    {
      type: fc.constant('submitPullRequest'),
      number,
      sha: fc.constantFrom('a', 'b'),
      priority: fc.nat(255),
    },
    { requiredKeys: ['type', 'number'] },
  )
  const finish = fc.record({
    type: fc.constant('finishTestRun'),
    testRun: fc.integer({ min: 1, max: 30 }),
    outcome: fc.constantFrom('passed', 'failed', 'errored'),
  })
  const cancel = fc.record({
    type: fc.constant('cancelPullRequest'),
    number,
    reason: fc.constant('USER_REQUESTED'),
  })
  const report = fc.record({
    type: fc.constant('reportPullRequest'),
    number,
    mergeable: fc.boolean(),
    title: fc.string({ maxLength: 20 }),
  })
  const set = fc.record({ state: fc.constantFrom('RUNNING', 'PAUSED', 'DRAINING') })
  return fc.oneof(
    { weight: 4, arbitrary: submission },
    { weight: 4, arbitrary: finish },
    cancel,
    report,
    fc.record({ type: fc.constant('updateQueue'), set }),
    fc.record({ type: fc.constant('wake') }),
  )
}
