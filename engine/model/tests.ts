/** Tests by name. */

import type { TestName } from './state.ts'

/** One text per test, so that the same test is recognised from run to run. */
export function testKey(test: TestName): string {
  return test.file === undefined || test.file === '' ? test.name : `${test.file} > ${test.name}`
}
