import { testRunView } from '../views/test-run.ts'
import type * as wire from '../wire.ts'
import type { YardQueue } from '../yard/yard-queue.ts'
import { answer, refuse, withQueue, type Operation } from './operation.ts'

/** One test run, under way or over; without an id, all that are under way. */
export const getMergeQueueTestingDetails: Operation<
  wire.GetMergeQueueTestingDetails,
  wire.TestingDetails
> = (context, body) =>
  withQueue<wire.TestingDetails>(context, body, (queue) => {
    const { testRunId: id } = body
    if (id === undefined) return answer({ testRuns: runsUnderWay(queue) })
    const found = context.yard.register.findTestRun(id)
    const past = found?.queue === queue ? queue.history.testRuns.get(found.run) : undefined
    if (!found || !past) return refuse({ code: 'no such test run', testRun: id })
    return answer(testRunView(queue, found.run, past))
  })

function runsUnderWay(queue: YardQueue): wire.TestRun[] {
  return Object.values(queue.engine.queue.testRuns).flatMap(({ id }) => {
    const past = queue.history.testRuns.get(id)
    return past ? [testRunView(queue, id, past)] : []
  })
}
