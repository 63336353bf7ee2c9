import type { TestName } from '../../engine/index.ts'
import type * as wire from '../wire.ts'
import { testCaseId } from '../yard/ids.ts'
import type { Repository } from '../yard/queue-ref.ts'
import { answer, refuse, type Operation } from './operation.ts'

/**
 * Takes the verdict of a test run. One that comes too late changes nothing, but the names of its
 * tests are recorded all the same.
 */
export const reportTestRun: Operation<wire.ReportTestRun, wire.TestRunReported> = (
  { yard },
  body,
) => {
  const found = yard.register.findTestRun(body.testRunId)
  if (!found) return refuse({ code: 'no such test run', testRun: body.testRunId })
  const { queue, run: testRun } = found
  const { outcome, url } = body
  const failedTests = eachOnce(body.failedTests)
  const flakyTests = eachOnce(body.flakyTests)
  const tests = [...failedTests, ...flakyTests]
  const testCases = casesOf(queue.ref, tests)
  const reported = yard.send(queue.name, {
    type: 'finishTestRun',
    testRun,
    outcome,
    ...(failedTests.length > 0 ? { failedTests } : {}),
    ...(flakyTests.length > 0 ? { flakyTests } : {}),
    ...(url === undefined ? {} : { url }),
  })
  if (reported.accepted) return answer({ testCases })
  if (reported.rejection.code !== 'test run is over') return refuse(reported.rejection)
  const isNews = testCases.some(
    ({ test_case_id: id }) => !yard.register.testCases.find(queue.ref, id),
  )
  if (isNews) yard.send(queue.name, { type: 'recordTestCases', tests })
  return answer({ ignored: true, testCases })
}

/**
 * Only what the engine asks for: the log does not keep what it does not know. Some runners report a
 * test for each of its parameters, under one name.
 */
function eachOnce(tests: readonly wire.TestName[] = []): TestName[] {
  const unique = new Map<string, TestName>()
  for (const { name, file } of tests) {
    const test = file === undefined ? { name } : { name, file }
    unique.set(JSON.stringify([file ?? '', name]), test)
  }
  return [...unique.values()]
}

/** Each test once, under the id that it has for ever. */
function casesOf(repository: Repository, tests: readonly TestName[]): wire.ReportedTestCase[] {
  const cases = new Map(tests.map((test) => [testCaseId(repository, test), test.name]))
  return [...cases].map(([id, name]) => ({ name, test_case_id: id }))
}
