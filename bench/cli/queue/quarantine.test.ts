/** The quarantine of a queue, from the command line. */

import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeLocal } from '../../../server/cli/remote-server.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, type TestServer } from '../../../server/testing/test-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const data = join(home.path, 'data')
const name = `${queue.repo.host}/${queue.repo.owner}/${queue.repo.name}:${queue.targetBranch}`
const clock = 'clock.test.ts > strikes twelve'
let server: TestServer

beforeAll(async () => {
  server = await start(data)
  await writeLocal(data, { url: server.url, token: admin, queues: [name] })
  await server.client.ok('createQueue', { ...queue, pendingFailureDepth: 1, concurrency: 2 })
})
afterAll(async () => {
  await server.stop()
  home.remove()
})

const quarantine = (...args: string[]) => home.run(['quarantine', ...args, '--data', data])

async function report(outcome: 'passed' | 'failed'): Promise<void> {
  const { client } = server
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', queue)
  const ofFirst = testRuns.find(({ testedPullRequests: [tested] }) => tested?.prNumber === 1)
  const failedTests = [{ name: 'strikes twelve', file: 'clock.test.ts' }]
  const told = outcome === 'failed' ? { failedTests } : {}
  await client.ok('reportTestRun', { testRunId: ofFirst?.testRunId ?? '', outcome, ...told })
}

//
test('a known flake is proposed, is put there with a reason and an end, and is taken out', async () => {
  const none = '0 tests in quarantine, 0 pull requests merged by it\n'
  expect((await quarantine('list')).out).toBe(none)
  for (const number of [1, 2])
    await server.client.ok('submitPullRequest', { ...queue, pr: { number } })
  await report('failed')
  await server.client.ok('restartTestsOnPullRequest', { ...queue, pr: { number: 1 } })
  await report('passed')
  const proposed = `\nflakes that could be put there\n${clock}  1 flake  of 1 failure\n`
  expect((await quarantine('list')).out).toBe(`${none}${proposed}`)
  const end = '2999-01-31T12:00:00.000Z'
  const told = ['--why', 'QA-7', '--until', '2999-01-31T12:00Z']
  const added = await quarantine('add', clock, ...told)
  expect(added.out).toBe(`${clock}: in quarantine until ${end}\n`)
  const { out } = await quarantine('list')
  expect(out).toMatch(
    /^1 test in quarantine, 0 pull requests merged by it\ntest +by +until +merges/,
  )
  expect(out).toMatch(new RegExp(`^${clock} +\\S.* +${end} +0  QA-7$`, 'm'))
  expect(out).not.toContain('could be put there')
  expect(JSON.parse((await quarantine('list', '--json')).out)).toMatchObject({
    tests: [{ test: clock, why: 'QA-7', until: end, inForce: true }],
  })
  expect((await quarantine('remove', clock)).out).toBe(`${clock}: not in quarantine any more\n`)
  expect((await quarantine('list')).out).toBe(`${none}${proposed}`)
})

test.each([
  [['remove', 'no > such'], 'quarantine remove: test "no > such" is not in quarantine'],
  [['add', clock, '--until', '2001-01-01'], 'a time to come: 30d, 12h'],
  [['add'], 'expected <test>'],
])('%j changes nothing, and a line says why', async (args, words) => {
  const { code, out, err } = await quarantine(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(words)
})
