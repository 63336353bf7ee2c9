// Counts the tests of the last run from vitest's reports, and fails if that run failed.
// Usage: node .ci/count.mjs <exit status of the run>

import { existsSync, readFileSync } from 'node:fs'

const status = Number(process.argv[2])
// The reports of npm test, of npm run test:all, and of .ci/nodes.mjs, which runs tests on the newest Node.
const reports = ['tests', 'all-tests', 'newest-node'].map((name) => `coverage/${name}.json`)
const written = reports.filter((report) => existsSync(report))
const testResults = written.flatMap(
  (report) => JSON.parse(readFileSync(report, 'utf8')).testResults,
)

const tests = testResults.flatMap((file) => file.assertionResults)
const passed = tests.filter((test) => test.status === 'passed').length
const brokenFiles = testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'),
)
const failedTests = tests.filter((test) => test.status === 'failed').length + brokenFiles.length

// Tests of the matrix are left out on purpose: npm run test:matrix runs them.
const left = tests.filter(
  (test) => !['passed', 'failed'].includes(test.status) && !test.tags?.includes('matrix'),
)
for (const { fullName } of left) console.log(`skipped: ${fullName}`)

// If everything succeeded but a report is missing, its tests did not run. This counts as a failure.
const isIncomplete = status === 0 && written.length < reports.length
if (isIncomplete) console.log(`only ${written.length} of ${reports.join(' and ')} was written`)

// A failure of types, lint, format, unused code, coverage, another Node or the installation counts
// as one. Its output is above.
const isOtherFailure = failedTests === 0 && (status !== 0 || isIncomplete)
const failed = isOtherFailure ? 1 : failedTests
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
