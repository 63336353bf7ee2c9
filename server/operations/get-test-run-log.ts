import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type Operation } from './operation.ts'
import { unknownTestRun } from './unknown-test-run.ts'

/** Returns the output of a run that the server has tested itself. */
export const getTestRunLog: Operation<wire.GetTestRunLog, wire.TestRunLog> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { registry } = context.manager
    const { testRunId: testRun } = body
    const found = registry.findTestRun(testRun)
    if (found?.queue !== queue) return reject(unknownTestRun(registry, testRun))
    const log = context.hosting.of(queue.name)?.logOf(found.run)
    return log ? answer(log) : reject({ code: 'no log', testRun })
  })
