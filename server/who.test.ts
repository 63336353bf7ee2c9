/** Who sent a command: in the log, the response, the access log, the timeline and the webhooks. */

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../engine/index.ts'
import type * as wire from './contract/wire.ts'
import { dataFolder, segmentFile } from './store/data-folder.ts'
import { readSegmentFile } from './store/segment.ts'
import { main } from './testing/client.ts'
import { accepting, receiver } from './testing/receiver.ts'
import { issue, start } from './testing/test-server.ts'
import { temporaryFolder } from './terminal/testing/temporary-folder.ts'
import { writeEndpoints } from './webhooks/message.ts'

const one = { ...main, pr: { number: 1 } }

/** The entries of the first segment. */
function logged(data: string): LogEntry[] {
  const entries: LogEntry[] = []
  const options = { segment: 1, after: 0, isLast: true }
  const path = segmentFile(dataFolder(data), 1)
  readSegmentFile(path, options, (entry) => void entries.push(entry))
  return entries
}

//
test('a recorded command carries the name of the token and the id of the request', async () => {
  const data = temporaryFolder()
  const submitter = await issue(data, 'submit')
  const { client, stop } = await start(data)
  onTestFinished(stop)
  const created = await client.call('createQueue', main)
  const submitted = await client.call('submitPullRequest', one, { token: submitter })
  const idOf = ({ headers }: { readonly headers: Headers }) => headers.get('x-request-id')

  const entries = logged(data)
  expect(entries.map(({ command, by }) => [command.type, by])).toEqual([
    ['createQueue', { token: '--token', request: idOf(created) }],
    ['submitPullRequest', { token: 'for submit', request: idOf(submitted) }],
  ])
  expect(readFileSync(segmentFile(dataFolder(data), 1), 'utf8')).not.toContain(submitter)
})

//
test('every response has its own request id, whatever the client sends', async () => {
  const { client, stop } = await start(temporaryFolder())
  onTestFinished(stop)
  const ids: (string | null)[] = []
  for (const [path, method] of [
    ['/healthz', 'GET'],
    ['/nowhere', 'GET'],
    ['/v1/getQueue', 'PUT'],
    ['/v1/getQueue', 'POST'],
    ['//', 'POST'],
  ] as const) {
    const { headers } = await client.send(path, { method, headers: { 'x-request-id': 'mine' } })
    ids.push(headers.get('x-request-id'))
  }
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
})

//
test('the access log has one line for each request, without secrets, queries and bodies', async () => {
  const data = temporaryFolder()
  const reader = await issue(data, 'read')
  const { client, stop, log } = await start(data)
  onTestFinished(stop)
  const lines = (): unknown[] =>
    log.flatMap((line) => {
      const { msg, request, method, route, status, token }: Record<string, unknown> =
        JSON.parse(line)
      return msg === 'request' ? [{ request, method, route, status, token }] : []
    })

  const answers = [
    await client.call('createQueue', main),
    await client.call('submitPullRequest', one, { token: reader }),
    await client.call('getQueue', main, { token: 'wrong-secret' }),
    await client.get('getMergeQueueMetrics', '/v1/getMergeQueueMetrics?repo=secret-query'),
    await client.send('/nowhere/secret-path', { method: 'GET' }),
  ]
  await expect.poll(() => lines().length).toBe(answers.length)
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  const expected = [
    ['POST', '/v1/createQueue', 200, '--token'],
    ['POST', '/v1/submitPullRequest', 403, 'for read'],
    ['POST', '/v1/getQueue', 401, null],
    ['GET', '/v1/getMergeQueueMetrics', 400, '--token'],
    ['GET', null, 404, null],
  ].map(([method, route, status, token], index) => {
    return { request: ids[index], method, route, status, token }
  })
  expect(lines()).toEqual(expected)
  for (const secret of [reader, 'wrong-secret', 'secret-query', 'secret-path', 'shop']) {
    expect(log.filter((line) => line.includes('"request"')).join('')).not.toContain(secret)
  }
})

//
test('timeline and webhooks say who submitted and who passed, also after a restart', async () => {
  const data = temporaryFolder()
  const ci = await issue(data, 'report')
  const there = await receiver(accepting, {
    events: ['pull_request.submitted', 'pull_request.merged', 'queue.updated'],
  })
  await writeEndpoints(dataFolder(data).webhooks, [there.endpoint])
  const first = await start(data)
  await first.client.ok('createQueue', main)
  await first.client.ok('submitPullRequest', one)
  const [run] = await first.client.runs()
  const report = { testRunId: run?.testRunId, outcome: 'passed' }
  const passed = await first.client.call('reportTestRun', report, { token: ci })
  const paused = await first.client.call('updateQueue', { ...main, state: 'PAUSED' })
  await there.untilReceived(3)
  await first.stop()
  const second = await start(data)
  onTestFinished(second.stop)

  const wanted = { ...one, includeTimeline: true }
  const { timeline = [] } = await second.client.ok<wire.SubmittedPullRequest>(
    'getSubmittedPullRequest',
    wanted,
  )
  expect(timeline.map(({ state, by }) => [state, by?.token])).toEqual([
    ['MERGED', 'for report'],
    ['TESTS_PASSED', 'for report'],
    ['TESTING', '--token'],
    ['PENDING', '--token'],
  ])
  // What the first server had sent when it stopped may come again, with the same id.
  const sent = new Map(there.received.map(({ id, text }) => [id, text]))
  const actors = [...sent.values()].map((text) => {
    const { type, by }: { readonly type: string; readonly by?: wire.Actor } = JSON.parse(text)
    return [type, by?.token, by?.request]
  })
  expect(actors).toEqual([
    ['pull_request.submitted', '--token', expect.any(String)],
    ['pull_request.merged', 'for report', passed.headers.get('x-request-id')],
    ['queue.updated', '--token', paused.headers.get('x-request-id')],
  ])
})
