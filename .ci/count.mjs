// Counts the tests of the last run, out of vitest's report, and fails when that run failed.
// Usage: node .ci/count.mjs <exit status of npm test>

import { existsSync, readFileSync } from 'node:fs'

const status = Number(process.argv[2])
const report = 'coverage/tests.json'
const { testResults } = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { testResults: [] }

const tests = testResults.flatMap((file) => file.assertionResults)
const passed = tests.filter((test) => test.status === 'passed').length
const brokenFiles = testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'),
)
const failedTests = tests.filter((test) => test.status === 'failed').length + brokenFiles.length

for (const test of tests) {
  if (test.status !== 'passed' && test.status !== 'failed') console.log(`skipped: ${test.fullName}`)
}

// Types, lint, format, unused code, coverage or the installation: one failure, told above.
const failed = failedTests === 0 && status !== 0 ? 1 : failedTests
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
