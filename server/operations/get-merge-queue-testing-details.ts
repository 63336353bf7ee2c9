import { surroundingsIn, testRunView } from '../views/test-run.ts'
import { areShort, jsonOfRuns, runsInProgress, withoutMerged } from '../views/test-runs.ts'
import type { TestRunId } from '../../engine/index.ts'
import type { PastRun } from '../history/queue-history.ts'
import type * as wire from '../contract/wire.ts'
import { answer, reject, unknownTestRun, withQueue, type LongOperation } from './operation.ts'

/** Returns one test run, in progress or finished; without an id, all runs in progress. */
export const getMergeQueueTestingDetails: LongOperation<
  wire.GetMergeQueueTestingDetails,
  wire.TestingDetails
> = (context, body) =>
  withQueue(context, body, (queue) => {
    const { testRunId: id } = body
    const surroundings = surroundingsIn(queue, context.hosting)
    const hosted = context.hosting.of(queue.name)
    // The commit of a run in progress is made again after a restart, so no command tells it.
    const known = (run: TestRunId, past: PastRun): PastRun => {
      const commit = past.commit ?? hosted?.commitOf(run) ?? ''
      return commit === '' ? past : { ...past, commit }
    }
    if (id === undefined) {
      const runs = runsInProgress(queue).map((run) => ({ ...run, past: known(run.id, run.past) }))
      if (!areShort(queue, runs)) return { pieces: jsonOfRuns(queue, context.hosting, runs) }
      const testRuns = runs.map((run) => testRunView(surroundings, run.id, run.past))
      return answer({ testRuns })
    }
    const found = context.manager.registry.findTestRun(id)
    const past = found?.queue === queue ? queue.history.testRuns.get(found.run) : undefined
    if (!found || !past) return reject(unknownTestRun(context.manager.registry, id))
    const shown = withoutMerged(queue.engine.queue, found.run, known(found.run, past))
    return answer(testRunView(surroundings, found.run, shown))
  })
