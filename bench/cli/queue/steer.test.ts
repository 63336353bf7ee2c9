/** What people do with a queue that is at work, from the command line. */

import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeLocal } from '../../../server/cli/remote-server.ts'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, type TestServer } from '../../../server/testing/test-server.ts'
import { runCommand } from '../commands.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const data = join(home.path, 'data')
const name = `${queue.repo.host}/${queue.repo.owner}/${queue.repo.name}:${queue.targetBranch}`
let server: TestServer

beforeAll(async () => {
  server = await start(data)
  await writeLocal(data, { url: server.url, token: admin, queues: [name] })
  await server.client.call('createQueue', { ...queue, batch: false, concurrency: 1 })
})
afterAll(async () => {
  await server.stop()
  home.remove()
})

const mergeyard = (...args: string[]) => home.run([...args, '--data', data])

test('given two in the queue, the second becomes urgent, is tested again, leaves and comes back', async () => {
  for (const number of [1, 2])
    await server.client.call('submitPullRequest', { ...queue, pr: { number } })
  expect((await mergeyard('priority', '2', 'urgent')).out).toBe('#2: testing, position 1\n')
  expect((await mergeyard('retry', '#2')).out).toBe('#2: testing, position 1\n')
  expect((await mergeyard('cancel', '2')).out).toBe('#2: cancelled\n')
  expect((await mergeyard('retry', '2')).out).toBe('#2: pending, position 2\n')
})

test('a paused queue merges nothing and starts nothing until it is resumed', async () => {
  expect((await mergeyard('pause')).out).toBe('main: paused\n')
  expect(JSON.parse((await mergeyard('pause', '--json')).out)).toMatchObject({ state: 'PAUSED' })
  expect((await mergeyard('queue')).out).toContain('PAUSED')
  expect((await mergeyard('resume')).out).toBe('main: running\n')
})

test.each([
  [['cancel', '9'], 'cancel: pull request 9 '],
  [['retry', 'no/such'], 'retry: '],
  [['priority', '1'], 'expected <branch or number> <urgent|high|medium|low|number>, got only 1'],
  [['priority', '1', 'soon'], 'priority: '],
])('%j changes nothing, and a line says why', async (args, words) => {
  const { code, out, err } = await mergeyard(...args)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain(words)
})

test('the priority of one that has left the queue is refused', async () => {
  await mergeyard('cancel', '1')
  const { code, err } = await mergeyard('priority', '1', 'low')
  expect({ code, err }).toEqual({
    code: 2,
    err: 'priority: #1 is cancelled, not in the queue: submit it, then change its priority\n',
  })
})

test.each([80, 200])(
  'the line of a queue is as wide as a terminal of %i columns',
  async (width) => {
    const title = 'Pay twice for what is bought once. '.repeat(6).trim()
    const pr = { ...queue, pr: { number: 8 }, title, author: 'ada' }
    await server.client.call('reportPullRequest', pr)
    await server.client.call('submitPullRequest', { ...queue, pr: { number: 8 } })
    let text = ''
    const stdout = Object.assign(new PassThrough(), { columns: width })
    stdout.on('data', (chunk: Buffer) => (text += String(chunk)))
    const { signal } = new AbortController()
    const context = { stdout, stderr: new PassThrough(), env: {}, signal }
    await runCommand(['queue', '--data', data], context)
    const rows = text.split('\n').map((row) => row.length)
    expect(Math.max(...rows)).toBe(width)
    expect(text).toMatch(/^#8 .*Pay twice.*…/m)
  },
)
