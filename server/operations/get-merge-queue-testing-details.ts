import { testRunView } from '../views/test-run.ts'
import type * as wire from '../contract/wire.ts'
import type { ManagedQueue } from '../queues/managed-queue.ts'
import { answer, reject, withQueue, type Answer, type Operation } from './operation.ts'

/** Returns one test run, in progress or finished; without an id, all runs in progress. */
export const getMergeQueueTestingDetails: Operation<
  wire.GetMergeQueueTestingDetails,
  wire.TestingDetails
> = (context, body) =>
  withQueue(context, body, (queue): Answer<wire.TestingDetails> => {
    const { testRunId: id } = body
    if (id === undefined) return answer({ testRuns: runsInProgress(queue) })
    const found = context.manager.registry.findTestRun(id)
    const past = found?.queue === queue ? queue.history.testRuns.get(found.run) : undefined
    if (!found || !past) return reject({ code: 'no such test run', testRun: id })
    return answer(testRunView(queue, found.run, past))
  })

function runsInProgress(queue: ManagedQueue): wire.TestRun[] {
  return Object.values(queue.engine.queue.testRuns).flatMap(({ id }) => {
    const past = queue.history.testRuns.get(id)
    return past ? [testRunView(queue, id, past)] : []
  })
}
