/** Tests that people put in quarantine, and release. Rules: E-270, E-275. */

import { quarantineLimit } from '../model/quarantine.ts'
import { testKey } from '../model/tests.ts'
import type { QuarantineTest, ReleaseTest } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/** Puts a test in quarantine, or renews its entry. What has been decided stays. */
export const quarantineTest: Decide<QuarantineTest> = (step, { test, who, why, until }) => {
  const tests = step.queue.quarantine?.tests ?? {}
  const key = testKey(test)
  const known = tests[key]
  if (!known && Object.keys(tests).length >= quarantineLimit) return { code: 'quarantine is full' }
  const entry = {
    ...(who === undefined ? {} : { who }),
    ...(why === undefined ? {} : { why }),
    since: known?.since ?? step.at,
    ...(until === undefined ? {} : { until }),
  }
  step.emit({ type: 'testQuarantined', test: key, entry })
  return null
}

/** Takes a test out of quarantine. Runs that passed by it stay passed. */
export const releaseTest: Decide<ReleaseTest> = (step, { test }) => {
  const key = testKey(test)
  if (!step.queue.quarantine?.tests[key]) return { code: 'not in quarantine', test: key }
  step.emit({ type: 'testReleased', test: key })
  return null
}
