import type { TestName } from '../../engine/index.ts'
import type * as wire from '../contract/wire.ts'
import { testCaseId } from '../identity/ids.ts'
import type { Repository } from '../identity/queue-ref.ts'
import { unknownTestRun } from './unknown-test-run.ts'
import { answer, reject, type Operation } from './operation.ts'

/**
 * Reports the outcome of a test run. A report for a finished run changes nothing in the queue, but
 * the names of its tests are recorded.
 */
export const reportTestRun: Operation<wire.ReportTestRun, wire.TestRunReported> = (
  { manager },
  body,
) => {
  const found = manager.registry.findTestRun(body.testRunId)
  if (!found) return reject(unknownTestRun(manager.registry, body.testRunId))
  const { queue, run: testRun } = found
  const { outcome, url } = body
  const failedTests = withoutDuplicates(body.failedTests)
  const flakyTests = withoutDuplicates(body.flakyTests)
  const tests = [...failedTests, ...flakyTests]
  const testCases = casesOf(queue.ref, tests)
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

/** Each test once, with its permanent id. */
function casesOf(repository: Repository, tests: readonly TestName[]): wire.ReportedTestCase[] {
  const cases = new Map(tests.map((test) => [testCaseId(repository, test), test.name]))
  return [...cases].map(([id, name]) => ({ name, test_case_id: id }))
}
