import type * as wire from '../contract/wire.ts'
import { answer, reject, type Operation } from './operation.ts'
import { unknownTestRun } from './unknown-test-run.ts'

/** Returns the output of a run that the server has tested itself. */
export const getTestRunLog: Operation<wire.GetTestRunLog, wire.TestRunLog> = (context, body) => {
  const { registry } = context.manager
  const found = registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(registry, body.testRunId))
  const log = context.hosting.of(found.queue.name)?.logOf(found.run)
  return log ? answer(log) : reject({ code: 'no log', testRun: body.testRunId })
}
