/** Tests in quarantine over the API: who puts them there, what passes by them, and what is shown of it. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import { startedWith, type TestServer } from '../testing/test-server.ts'
import type * as wire from '../contract/wire.ts'

const pr = { number: 1 }
const clock = 'clock.test.ts > strikes twelve'
const failedTests = [{ name: 'strikes twelve', file: 'clock.test.ts' }]

const shown = ({ client }: TestServer): Promise<wire.SubmittedPullRequest> =>
  client.pull(1, { includeWhy: true })

const listed = ({ client }: TestServer): Promise<wire.Quarantine> =>
  client.ok('getQuarantine', main)

//
test('who fails only a test in quarantine merges, and answers name the test', async () => {
  const server = await startedWith()
  const { client } = server
  await client.ok('quarantineTest', { ...main, test: clock, why: 'QA-1' })
  await client.ok('attachCodeHost', { ...main, codeHost: 'answers' })
  await client.submit(1)
  expect(await shown(server)).not.toHaveProperty('quarantined')
  await client.report('failed', { of: 1, failedTests })
  expect(await shown(server)).toMatchObject({ state: 'TESTS_PASSED', quarantined: [clock] })
  await client.ok('finishMerge', { ...main, pr, outcome: 'merged' })
  const landed = await shown(server)
  expect(landed).toMatchObject({ state: 'MERGED', quarantined: [clock] })
  expect(landed.why?.sentence).toBe(`Only tests in quarantine failed in its run: ${clock}.`)
  expect(await listed(server)).toMatchObject({
    merges: 1,
    tests: [{ test: clock, why: 'QA-1', inForce: true, merges: 1 }],
    proposals: [],
  })
  const { text } = await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics')
  expect(text).toMatch(/mq_merged_by_quarantine_total\{[^}]*queue_type="main"\} 1/)
})

//
test('an end that is over, and a test that is not there, are refused', async () => {
  const { client } = await startedWith()
  const past = { ...main, test: clock, until: '2001-01-01T00:00:00.000Z' }
  const refused = await client.call('quarantineTest', past)
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringMatching(/^until must be an instant to come, like \d{4}-/),
  ])
  const dated = await client.call('quarantineTest', { ...past, until: '2030-01-01' })
  const expected = '/until must be an ISO 8601 date and time in UTC, with a Z at its end'
  expect([dated.status, dated.text]).toEqual([400, `${expected}, got "2030-01-01"`])
  const missing = await client.call('releaseTest', { ...main, test: clock })
  expect([missing.status, missing.text]).toEqual([404, `test "${clock}" is not in quarantine`])
})
