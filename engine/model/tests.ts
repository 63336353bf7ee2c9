/** Keys of tests. */

import type { TestName } from './state.ts'

/** Returns one text per test, so that the same test is recognised in different runs. */
export function testKey(test: TestName): string {
  return test.file === undefined || test.file === '' ? test.name : `${test.file} > ${test.name}`
}
