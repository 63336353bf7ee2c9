/** Identifiers and instants. */

/** An instant or a duration in milliseconds; the engine only compares and adds them. */
export type Millis = number
export type PullRequestNumber = number
export type GroupId = number
export type BisectionId = number
export type TestRunId = number

/** A test, named as the test runner names it. */
export type TestName = { readonly name: string; readonly file?: string }

// Keys of tests.

/** Returns one text per test, so that the same test is recognised in different runs. */
export function testKey(test: TestName): string {
  return test.file === undefined || test.file === '' ? test.name : `${test.file} > ${test.name}`
}
