/** What people do with a queue that is at work, from the command line. */

import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLocal } from '../../../server/cli/remote-server.ts'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, type TestServer } from '../../../server/testing/test-server.ts'
import { makeRepository } from '../../stage/repository.ts'
import { CliFolder, widest } from '../testing/cli-folder.ts'

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

//
test('why draws the stack, and names the next command of who waits for one below and of who left with it', async () => {
  for (const [number, below] of [
    [42, 41],
    [43, 42],
  ])
    await server.client.call('submitPullRequest', { ...queue, pr: { number }, dependsOn: [below] })
  const { out } = await mergeyard('why', '42')
  expect(out).toContain('Not ready: waits for #41, which it depends on. #43 depends on it.\n')
  expect(out).toMatch(
    /^stack +#43 +not ready +after #42\n +#42 +not ready +after #41 +this one\n +#41 +never submitted$/m,
  )
  expect(out).toMatch(/^next +mergeyard submit 41 +it waits for that one$/m)
  expect((await mergeyard('why', '43')).out).toMatch(/^next +mergeyard submit 41 /m)
  await mergeyard('cancel', '42')
  const left = (await mergeyard('why', '43')).out
  expect(left).toContain('#42, which it depends on, has left.')
  expect(left).toMatch(
    /^next +mergeyard why 42 .*\n +mergeyard retry 43 +once #42 is in the queue/m,
  )
})

//
test('submit names what it depends on, and one that waits for others says for whom', async () => {
  const below = ['--depends-on', '51', '--depends-on', '50,#49']
  expect((await mergeyard('submit', '52', ...below)).out).toBe(
    '#52: not ready: waits for #51, #50 and #49, which it depends on.\n',
  )
  const { out } = await mergeyard('submit', '52', '--depends-on', '51', '--json')
  expect(JSON.parse(out)).toMatchObject({ dependsOn: [51] })
  expect((await mergeyard('submit', '51', '--depends-on', '52')).err).toContain('depend on itself')
  await mergeyard('cancel', '52')
})

test('a paused queue merges nothing and starts nothing until it is resumed', async () => {
  expect((await mergeyard('pause')).out).toBe('main: paused\n')
  expect(JSON.parse((await mergeyard('pause', '--json')).out)).toMatchObject({ state: 'PAUSED' })
  expect((await mergeyard('queue')).out).toContain('PAUSED')
  expect((await mergeyard('submit', '3')).out).toBe('#3: not ready: the queue is paused.\n')
  expect((await mergeyard('why', '3')).out).toMatch(/^next +mergeyard resume +the queue goes on$/m)
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

const at = ['--data', data]
const long = 'Pay twice for what is bought once. '.repeat(6).trim()

beforeAll(async () => {
  await mergeyard('token', 'create', '--scope', 'read', '--repo', 'acme/*', '--name', long)
  await mergeyard('webhook', 'add', 'https://ci.example.com/hooks')
  await makeRepository(join(home.path, 'shop.git'), [{ number: 1 }])
})

describe.each([80, 200])('in a terminal of %i columns', (width) => {
  test('the line of a queue fills it, and a longer title ends in an ellipsis', async () => {
    const pr = { ...queue, pr: { number: 8 }, title: long, author: 'ada' }
    await server.client.call('reportPullRequest', pr)
    await server.client.call('submitPullRequest', { ...queue, pr: { number: 8 } })
    const lines = await home.shownIn(width, ['queue', ...at])
    expect(widest(lines)).toBe(width)
    expect(lines.join('\n')).toMatch(/^#8 .*Pay twice.*…/m)
  })

  test.each([
    ['why', '8'],
    ['token', 'list'],
    ['webhook', 'list'],
    ['webhook', 'undelivered', 'https://ci.example.com/hooks'],
  ])('%s %s fits, and no word is cut', async (...args) => {
    const lines = await home.shownIn(width, [...args, ...at])
    expect(widest(lines)).toBeLessThanOrEqual(width)
    const words = (text: string) => text.split(/\s+/).filter((word) => /^[a-z.]+$/i.test(word))
    expect(words((await mergeyard(...args)).out)).toEqual(words(lines.join(' ')))
  })

  test('what doctor finds and the list of checks fit, and use the room', async () => {
    const doctor = ['doctor', '--repo', join(home.path, 'shop.git'), '--test', 'make', ...at]
    for (const args of [doctor, ['sim', '--list']]) {
      const lines = await home.shownIn(width, args)
      expect(widest(lines)).toBeLessThanOrEqual(width)
      expect(widest(lines)).toBeGreaterThan(0.8 * Math.min(width, 100))
    }
  })
})
