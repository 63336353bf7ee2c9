import type { TestName } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { inSlices } from '../files/turns.ts'
import type { Repository } from '../identity/queue-ref.ts'
import type { QueueRegistry } from '../queues/queue-registry.ts'
import {
  answer,
  reject,
  unknownTestRun,
  type Answer,
  type Context,
  type LongOperation,
} from './operation.ts'

/** The ids of more tests are computed in slices of so many. */
const perSlice = 500

/**
 * Reports the outcome of a test run. A report for a finished run changes nothing in the queue, but
 * the names of its tests are recorded.
 */
export const reportTestRun: LongOperation<wire.ReportTestRun, wire.TestRunReported> = (
  context,
  body,
) => {
  const { registry } = context.manager
  const found = registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(registry, body.testRunId))
  const { name, ref } = found.queue
  if (context.hosting.of(name)?.testsItself) return reject({ code: 'works itself', queue: ref })
  const failedTests = withoutDuplicates(body.failedTests)
  const flakyTests = withoutDuplicates(body.flakyTests)
  const report: Report = { body, failedTests, flakyTests }
  const work = casesOf(registry, found.queue.ref, [...failedTests, ...flakyTests])
  const first = work.next()
  if (first.done === true) return send(context, report, first.value)
  return inSlices(work).then((testCases) => send(context, report, testCases))
}

type Report = {
  readonly body: wire.ReportTestRun
  readonly failedTests: readonly TestName[]
  readonly flakyTests: readonly TestName[]
}

/** Finds the run again, because its queue may have been deleted between two slices. */
function send(
  { manager }: Context,
  { body, failedTests, flakyTests }: Report,
  testCases: wire.ReportedTestCase[],
): Answer<wire.TestRunReported> {
  const found = manager.registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(manager.registry, body.testRunId))
  const { queue, run: testRun } = found
  const { outcome, url } = body
  const reported = manager.send(queue.name, {
    type: 'finishTestRun',
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(flakyTests.length > 0 ? { flakyTests } : {}),
    ...(url === undefined ? {} : { url }),
  })
  if (reported.accepted) return answer({ testCases })
  if (reported.rejection.code !== 'test run is over') return reject(reported.rejection)
  const hasNewCase = testCases.some(
    ({ test_case_id: id }) => !manager.registry.testCases.find(queue.ref, id),
  )
  const tests = [...failedTests, ...flakyTests]
  if (hasNewCase) manager.send(queue.name, { type: 'recordTestCases', tests })
  return answer({ ignored: true, testCases })
}

/**
 * Removes duplicates, because some runners report a test once for each of its parameters. Keeps
 * only the fields that the engine knows, because the command goes to the log.
 */
function withoutDuplicates(tests: readonly wire.TestName[] = []): TestName[] {
  const unique = new Map<string, TestName>()
  for (const { name, file } of tests) {
    const test = file === undefined ? { name } : { name, file }
    unique.set(JSON.stringify([file ?? '', name]), test)
  }
  return [...unique.values()]
}

/** Each test once, with its permanent id. Yields at the end of each slice but the last. */
function* casesOf(
  { testCases }: QueueRegistry,
  repository: Repository,
  tests: readonly TestName[],
): Generator<undefined, wire.ReportedTestCase[]> {
  const cases = new Map<string, string>()
  for (const [index, test] of tests.entries()) {
    if (index > 0 && index % perSlice === 0) yield
    cases.set(testCases.idOf(repository, test), test.name)
  }
  return [...cases].map(([id, name]) => ({ name, test_case_id: id }))
}
