import type * as wire from '../contract/wire.ts'
import { answer, reject, withQueue, type LongOperation } from './operation.ts'
import { unknownTestRun } from './unknown-test-run.ts'

/** Returns the output of a run that the server has tested itself. */
export const getTestRunLog: LongOperation<wire.GetTestRunLog, wire.TestRunLog> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { registry } = context.manager
    const { testRunId: testRun } = body
    const found = registry.findTestRun(testRun)
    if (found?.queue !== queue) return reject(unknownTestRun(registry, testRun))
    const hosted = context.hosting.of(queue.name)
    const none = reject({ code: 'no log', testRun })
    if (!hosted) return none
    return {
      aside: async () => {
        const log = await hosted.logOf(found.run)
        if ('refused' in log)
          return () => reject({ code: 'refused by the repository', refused: log.refused })
        return () => (log.value ? answer(log.value) : none)
      },
    }
  })
