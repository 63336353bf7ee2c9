import { once } from 'node:events'
import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'
import { join } from 'node:path'
import { expect, test, afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, temporaryFolder, untilSome } from '../../../server/testing/test-server.ts'
import type { TestServer } from '../../../server/testing/test-server.ts'
import { runCommand } from '../commands.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { executable } from '../../benchmarks/served.ts'
import { childToken, startChild, startProgram } from '../testing/program.ts'
import { CliFolder, widest } from '../testing/cli-folder.ts'
import { removeLocal, writeLocal } from '../../../server/cli/remote-server.ts'
import { makeRepository } from '../../stage/repository.ts'
import type * as wire from '../../../server/contract/wire.ts'

const name = `${queue.repo.host}/${queue.repo.owner}/${queue.repo.name}:${queue.targetBranch}`

test('a live queue outlives its server, says that it is lost, and finds the next one', async () => {
  const data = temporaryFolder()
  const serve = async () => {
    const server = await start(data)
    await writeLocal(data, { url: server.url, token: admin, queues: [name] })
    return server
  }
  const first = await serve()
  await first.client.call('createQueue', queue)
  let frame = ''
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  stdout.on('data', (chunk: Buffer) => (frame = String(chunk)))
  const shows = (words: RegExp) =>
    untilSome(() => Promise.resolve(words.test(frame) ? frame : null))
  const stop = new AbortController()
  const context = { stdout, stderr: new PassThrough(), env: {}, signal: stop.signal }
  const ended = runCommand(['queue', '--data', data], context)
  await shows(/RUNNING, 0 pull requests/)

  await first.stop()
  removeLocal(data)
  expect(await shows(/lost the server, trying again/)).toMatch(/RUNNING, 0 pull requests/)
  const second = await serve()
  await second.client.call('submitPullRequest', { ...queue, pr: { number: 7 } })
  expect(await shows(/#7/)).not.toMatch(/lost/)

  stop.abort()
  expect(await ended).toBe(0)
  await second.stop()
})

test('finds a server of start and a demo by their data folder, and says when a token is needed', async () => {
  const home = new CliFolder()
  const [own, demo] = [join(home.path, 'own'), join(home.path, 'demo')]
  const token = { MERGEYARD_TOKEN: childToken }
  const scenario = ['--demo', 'scenarios/a-passing-batch-merges-all.json', '--port', '0']
  const playing = startProgram([process.execPath, executable, 'start', '--data', demo, ...scenario])
  await playing.prints(/^ +token /m)
  const servers = [await startChild(own), playing]
  const shown = async (data: string, env: NodeJS.ProcessEnv, ...more: readonly string[]) => {
    const { code, out, err } = await home.run(['queue', '--data', data, ...more], env)
    return { code, said: `${out}${err}` }
  }
  const withoutToken = await shown(own, {})
  expect(withoutToken).toMatchObject({ code: 2, said: expect.stringContaining('MERGEYARD_TOKEN') })
  expect((await shown(own, token, '--queue', name)).said).toContain('no merge queue')
  expect((await shown(demo, {})).said).toContain('RUNNING')
  for (const server of servers) await server.end()
  expect((await shown(own, token)).said).toContain('no server runs on')
  home.remove()
})

describe('who is not answered reads what to do', () => {
  const home = new CliFolder()
  afterAll(() => home.remove())
  const asked = async (...options: readonly string[]): Promise<string> => {
    const { code, out, err } = await home.run(['why', '7', '--queue', name, ...options])
    expect([code, out]).toEqual([2, ''])
    return err
  }

  test('of a server that was killed, and of one that --url names', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    home.write('local.json', JSON.stringify({ url, token: 'a' }))
    expect(await asked('--data', home.path)).toMatch(
      /ECONNREFUSED.*: start `mergeyard serve` on .* again/,
    )
    expect(await asked('--url', url)).toMatch(/ECONNREFUSED.*: start the server, or name another/)
    expect(await asked('--url', 'localhost:3000')).toContain('an address with http or https')
  })

  test('of a server of something else, and of a file that no server has written', async () => {
    const site = createServer((_request, response) => response.end('<html>Welcome</html>'))
    await once(site.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void site.close())
    const address = site.address()
    const port = typeof address === 'object' ? address?.port : null
    expect(await asked('--url', `http://127.0.0.1:${port}`)).toContain('no server of Mergeyard')
    for (const text of ['{"url"', 'null', '[]']) {
      home.write('local.json', text)
      expect(await asked('--data', home.path)).toContain('no server runs on')
    }
  })
})

describe('a queue at work', () => {
  const home = new CliFolder()
  const data = join(home.path, 'data')
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
      await server.client.call('submitPullRequest', {
        ...queue,
        pr: { number },
        dependsOn: [below],
      })
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
    const below = ['--depends-on', '51', '--depends-on', '50, #49']
    expect((await mergeyard('submit', '52', ...below)).out).toBe(
      '#52: not ready: waits for #51, #50 and #49, which it depends on.\n',
    )
    const { out } = await mergeyard('submit', '52', '--depends-on', '51', '--json')
    expect(JSON.parse(out)).toMatchObject({ dependsOn: [51] })
    expect((await mergeyard('submit', '51', '--depends-on', '52')).err).toContain(
      'depend on itself',
    )
    await mergeyard('cancel', '52')
    for (const list of ['51,', ' ', ',51'])
      expect((await mergeyard('submit', '52', '--depends-on', list)).err).toContain(
        'submit: --depends-on: expected branches or numbers, as in 7,8, got "',
      )
  })

  test('a paused queue merges nothing and starts nothing until it is resumed', async () => {
    expect((await mergeyard('pause')).out).toBe('main: paused\n')
    expect(JSON.parse((await mergeyard('pause', '--json')).out)).toMatchObject({ state: 'PAUSED' })
    expect((await mergeyard('queue')).out).toContain('PAUSED')
    expect((await mergeyard('submit', '3')).out).toBe('#3: not ready: the queue is paused.\n')
    expect((await mergeyard('why', '3')).out).toMatch(
      /^next +mergeyard resume +the queue goes on$/m,
    )
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
})

describe('the quarantine of a queue', () => {
  const home = new CliFolder()
  const data = join(home.path, 'data')
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
})
