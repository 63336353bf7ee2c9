import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test, afterAll, beforeAll, describe } from 'vitest'
import { listening } from '../../../server/testing/listening.ts'
import { main as queue } from '../../../server/testing/client.ts'
import { admin, start, untilSome } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import type { TestServer } from '../../../server/testing/test-server.ts'
import { freePort } from '../../../server/postgres/testing/private-postgres.ts'
import { executable } from '../../benchmarks/served.ts'
import { childToken, startChild, startProgram } from '../testing/program.ts'
import { CliFolder, widest } from '../testing/cli-folder.ts'
import { removeLocal, writeLocal } from '../../../server/cli/remote-server.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import type * as wire from '../../../server/contract/wire.ts'

const nameOf = (branch: string): string =>
  `${queue.repo.host}/${queue.repo.owner}/${queue.repo.name}:${branch}`
const name = nameOf(queue.targetBranch)

/** Starts a server that commands find by its folder. */
async function serve(data: string): Promise<TestServer> {
  const server = await start(data)
  await writeLocal(data, { url: server.url, token: admin, queues: [name] })
  return server
}

// A queue at work, for all tests.

const home = new CliFolder()
const data = join(home.path, 'data')
home.env['MERGEYARD_DATA'] = data
let server: TestServer

const long = 'Pay twice for what is bought once. '.repeat(6).trim()

beforeAll(async () => {
  server = await serve(data)
  await server.client.ok('createQueue', { ...queue, batch: false, concurrency: 1 })
  await home.run(['token', 'create', '--scope', 'read', '--repo', 'acme/*', '--name', long])
  await home.run('webhook add https://ci.example.com/hooks')
  await makeRepository(join(home.path, 'shop.git'), [{ number: 1 }])
  const pr = { ...queue, pr: { number: 8 }, title: long, author: 'ada' }
  await server.client.call('reportPullRequest', pr)
  await submit(8)
})
afterAll(() => server.stop())

const submit = (number: number, more: object = {}) =>
  server.client.ok('submitPullRequest', { ...queue, pr: { number }, ...more })

test('a live queue outlives its server, says that it is lost, and finds the next one', async () => {
  const place = temporaryFolder()
  const first = await serve(place)
  await first.client.call('createQueue', queue)
  let frame = ''
  const shows = (words: RegExp) =>
    untilSome(() => Promise.resolve(words.test(frame) ? frame : null))
  const stop = new AbortController()
  const ended = home.run(`queue --data '${place}'`, {
    signal: stop.signal,
    isTerminal: 'stdout',
    onPrinted: (piece) => (frame = piece),
  })
  await shows(/RUNNING, 0 pull requests/)

  await first.stop()
  removeLocal(place)
  expect(await shows(/lost the server, trying again/)).toMatch(/RUNNING, 0 pull requests/)
  const second = await serve(place)
  await second.client.call('submitPullRequest', { ...queue, pr: { number: 7 } })
  expect(await shows(/#7/)).not.toMatch(/lost/)

  stop.abort()
  expect((await ended).code).toBe(0)
  await second.stop()
})

test('a live queue that a terminal has no room for shows its beginning and its end', async () => {
  const place = temporaryFolder()
  const own = await serve(place)
  await own.client.call('createQueue', queue)
  for (let number = 1; number <= 40; number++)
    await own.client.ok('submitPullRequest', { ...queue, pr: { number } })
  await own.client.ok('cancelPullRequest', { ...queue, pr: { number: 3 } })
  const { code, out } = await home.run(`queue --data '${place}'`, {
    isTerminal: 'stdout',
    height: 14,
    onPrinted: (_piece, _all, interrupt) => interrupt(),
  })
  const lines = out.slice(out.lastIndexOf('[J') + 2).split('\n')
  expect({ code, count: lines.length }).toEqual({ code: 0, count: 12 })
  expect(lines[0]).toMatch(/RUNNING, 39 pull requests/)
  expect(lines[2]).toMatch(/^#1 /)
  expect(lines[7]).toBe('and 32 more: mergeyard queue --once')
  expect(lines[10]).toMatch(/^#3 +cancelled/)
  await own.stop()
})

test('finds a server of start and a demo by their data folder, and says when a token is needed', async () => {
  const [own, demo] = [join(home.path, 'own'), join(home.path, 'demo')]
  const token = { MERGEYARD_TOKEN: childToken }
  const scenario = ['--demo', 'scenarios/a-passing-batch-merges-all.json', '--port', '0']
  const playing = startProgram([process.execPath, executable, 'start', '--data', demo, ...scenario])
  await playing.prints(/^ +token /m)
  const servers = [await startChild(own), playing]
  await home.refuses(`queue --data '${own}'`, 'MERGEYARD_TOKEN')
  await home.refuses(`queue --data '${own}' --queue ${name}`, 'no merge queue', token)
  expect(await home.printed(`queue --data '${demo}'`)).toContain('RUNNING')
  for (const each of servers) await each.end()
  await home.refuses(`queue --data '${own}'`, 'no server runs on', token)
})

describe('who is not answered reads what to do', () => {
  const asked = `why 7 --queue ${name}`

  test('of a server that was killed, and of one that --url names', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    home.write('local.json', JSON.stringify({ url, token: 'a' }))
    const again = /ECONNREFUSED.*: start `mergeyard serve` on .* again/
    await home.refuses(`${asked} --data '${home.path}'`, again)
    const another = /ECONNREFUSED.*: start the server, or name another/
    await home.refuses(`${asked} --url ${url}`, another)
    await home.refuses(`${asked} --url ${url} --data '${home.path}'`, 'no --data beside --url')
    await home.refuses(`${asked} --data '${home.path}'`, again, { MERGEYARD_URL: url })
    await home.refuses(`${asked} --url localhost:3000`, 'an address with http or https')
    const secret = `${asked} --url https://ada:s3cret@queue.example`
    await home.refuses(
      secret,
      /without user, password.*got --url https:\/\/\.\.\.@queue\.example$/m,
    )
    await home.refuses(`${asked} --url ${server.url}`, 'set MERGEYARD_TOKEN to one of', {
      MERGEYARD_TOKEN: 'unknown',
    })
  })

  test.each([
    ['502 Bad Gateway', 'start the server, or name another with --url'],
    ['413 Payload Too Large', 'a proxy refuses it, or --url names something else'],
  ])('of a proxy that answers %s with a page', async (status, remedy) => {
    const proxy = createServer((_request, response) => {
      response.writeHead(Number(status.slice(0, 3)), { 'content-type': 'text/html' })
      response.end(`<html>${status}</html>`)
    })
    const url = `http://127.0.0.1:${await listening(proxy)}`
    const words = `why: ${url} answers ${status}, which is not of Mergeyard: ${remedy}\n`
    await home.refuses(`${asked} --url ${url}`, words)
  })

  test('of one that sends all requests on to https: the token stays here', async () => {
    const followed: unknown[] = []
    const other = createServer(({ headers }, response) => {
      followed.push(headers)
      response.end('{}')
    })
    const to = `http://127.0.0.1:${await listening(other)}`
    const proxy = createServer(({ url = '' }, response) => {
      response.writeHead(307, { location: `${to}${url}` }).end()
    })
    const url = `http://127.0.0.1:${await listening(proxy)}`
    const words = `why: ${url} sends on to ${to}: name the server there with --url\n`
    await home.refuses(`${asked} --url ${url}`, words, { MERGEYARD_TOKEN: admin })
    expect(followed).toEqual([])
  })

  test('of a server of something else, and of a file that no server has written', async () => {
    for (const answer of ['<html>Welcome</html>', '{"status":"ok"}', '[]', 'null']) {
      const site = createServer((_request, response) => response.end(answer))
      const url = `http://127.0.0.1:${await listening(site)}`
      for (const command of ['queue', 'submit 7', 'cancel 7', 'log 7', 'pause', 'quarantine list'])
        await home.refuses(`${command} --queue ${name} --url ${url}`, 'no server of Mergeyard')
    }
    for (const text of ['{"url"', 'null', '[]']) {
      home.write('local.json', text)
      await home.refuses(`${asked} --data '${home.path}'`, 'no server runs on')
    }
  })
})

test('given two in the queue, the second becomes urgent, is tested again, leaves and comes back', async () => {
  const own = { ...queue, targetBranch: 'own' }
  await server.client.ok('createQueue', { ...own, batch: false, concurrency: 1 })
  for (const number of [1, 2]) await submit(number, own)
  const told = (line: string) => home.printed(`${line} --queue ${nameOf('own')}`)
  expect(await told('priority 2 urgent')).toBe('#2: testing, position 1\n')
  expect(await told('retry #2')).toBe('#2: testing, position 1\n')
  expect(await told('cancel 2')).toBe('#2: cancelled\n')
  expect(await told('retry 2')).toBe('#2: pending, position 2\n')
})

test('every command calls a state by one word', async () => {
  const { client } = server
  const own = { ...queue, targetBranch: 'words' }
  await client.ok('createQueue', { ...own, batch: false, concurrency: 2 })
  for (const number of [1, 2]) await client.ok('submitPullRequest', { ...own, pr: { number } })
  const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', own)
  const { testRunId } = testRuns[1] ?? {}
  await client.ok('reportTestRun', { ...own, testRunId, outcome: 'failed' })
  const said = (command: string) => home.printed(`${command} --queue ${nameOf('words')}`)
  expect(await said('queue')).toMatch(/^#2 +failed once /m)
  expect(await said('why 2')).toMatch(/^#2: failed once for /)
  expect(await said('priority 2 low')).toBe('#2: failed once, position 2\n')
})

//
test('why draws the stack, and names the next command of who waits for one below and of who left with it', async () => {
  await submit(42, { dependsOn: [41] })
  await submit(43, { dependsOn: [42] })
  const out = await home.printed('why 42')
  expect(out).toContain('Not ready: waits for #41, which it depends on. #43 depends on it.\n')
  expect(out).toMatch(
    /^stack +#43 +not ready +after #42\n +#42 +not ready +after #41 +this one\n +#41 +never submitted$/m,
  )
  expect(out).toMatch(/^next +mergeyard submit 41 +it waits for that one$/m)
  expect(await home.printed('why 43')).toMatch(/^next +mergeyard submit 41 /m)
  await home.printed('cancel 42')
  const left = await home.printed('why 43')
  expect(left).toContain('#42, which it depends on, has left.')
  expect(left).toMatch(
    /^next +mergeyard why 42 .*\n +mergeyard retry 43 +once #42 is in the queue/m,
  )
})

//
test('submit names what it depends on, and one that waits for others says for whom', async () => {
  const below = ['--depends-on', '51', '--depends-on', '50, #49']
  expect(await home.printed(['submit', '52', ...below])).toBe(
    '#52: not ready: waits for #51, #50 and #49, which it depends on.\n',
  )
  const document = await home.document('submit 52 --depends-on 51 --json')
  expect(document).toMatchObject({ dependsOn: [51] })
  await home.refuses('submit 51 --depends-on 52', 'depend on itself')
  await home.printed('cancel 52')
  for (const list of ['51,', ' ', ',51'])
    await home.refuses(
      ['submit', '52', '--depends-on', list],
      'submit: --depends-on: expected branches or numbers, as in 7,8, got "',
    )
})

test('a paused queue merges nothing and starts nothing until it is resumed', async () => {
  expect(await home.printed('pause')).toBe('main: paused\n')
  expect(await home.document('pause --json')).toMatchObject({ state: 'PAUSED' })
  expect(await home.printed('queue')).toContain('PAUSED')
  expect(await home.printed('submit 3')).toBe('#3: not ready: the queue is paused.\n')
  expect(await home.printed('why 3')).toMatch(/^next +mergeyard resume +the queue goes on$/m)
  expect(await home.printed('resume')).toBe('main: running\n')
})

test.each([
  ['cancel 9', 'cancel: pull request 9 '],
  ['retry no/such', 'retry: '],
  ['priority 1', 'expected <branch or number> <urgent|high|medium|low|number>, got only 1'],
  ['priority 1 soon', 'priority: '],
  ['quarantine remove nothing', 'quarantine remove: test "nothing" is not in quarantine'],
  ['quarantine add x --until 2001-01-01', 'a time to come: 30d, 12h'],
  ['quarantine add', 'expected <test>'],
])('%s changes nothing, and a line says why', (line, words) => home.refuses(line, words))

test('the priority of one that has left the queue is refused', async () => {
  await submit(11)
  await home.printed('cancel 11')
  const words = '#11 is cancelled, not in the queue: submit it, then change its priority\n'
  await home.refuses('priority 11 low', `priority: ${words}`)
})

describe.each([80, 200])('in a terminal of %i columns', (width) => {
  test('the line of a queue fills it, and a longer title ends in an ellipsis', async () => {
    const lines = await home.shownIn(width, 'queue')
    expect(widest(lines)).toBe(width)
    expect(lines.join('\n')).toMatch(/^#8 .*Pay twice.*…/m)
  })

  test.each([
    'why 8',
    'token list',
    'webhook list',
    'webhook undelivered https://ci.example.com/hooks',
  ])('%s fits, and no word is cut', async (line) => {
    const lines = await home.shownIn(width, line)
    expect(widest(lines)).toBeLessThanOrEqual(width)
    const words = (text: string) => text.split(/\s+/).filter((word) => /^[a-z.]+$/i.test(word))
    expect(words(await home.printed(line))).toEqual(words(lines.join(' ')))
  })

  test('what doctor finds and the list of checks fit, and use the room', async () => {
    for (const line of ['doctor --repo shop.git --test make', 'sim --list']) {
      const lines = await home.shownIn(width, line)
      expect(widest(lines)).toBeLessThanOrEqual(width)
      expect(widest(lines)).toBeGreaterThan(0.8 * Math.min(width, 100))
    }
  })
})

describe('the quarantine of another queue', () => {
  const other = { ...queue, targetBranch: 'next' }
  const clock = 'clock.test.ts > strikes twelve'
  const quarantine = (...args: string[]) =>
    home.printed(['quarantine', ...args, '--queue', nameOf('next')])

  async function report(outcome: 'passed' | 'failed'): Promise<void> {
    const { client } = server
    const { testRuns } = await client.ok<wire.TestRuns>('getMergeQueueTestingDetails', other)
    const ofFirst = testRuns.find(({ testedPullRequests: [tested] }) => tested?.prNumber === 1)
    const failedTests = [{ name: 'strikes twelve', file: 'clock.test.ts' }]
    const told = outcome === 'failed' ? { failedTests } : {}
    await client.ok('reportTestRun', { testRunId: ofFirst?.testRunId ?? '', outcome, ...told })
  }

  //
  test('a known flake is proposed, is put there with a reason and an end, and is taken out', async () => {
    const { client } = server
    await client.ok('createQueue', { ...other, pendingFailureDepth: 1, concurrency: 2 })
    const none = '0 tests in quarantine, 0 pull requests merged by it\n'
    expect(await quarantine('list')).toBe(none)
    for (const number of [1, 2]) await client.ok('submitPullRequest', { ...other, pr: { number } })
    await report('failed')
    await client.ok('restartTestsOnPullRequest', { ...other, pr: { number: 1 } })
    await report('passed')
    const proposed = `\nflakes that could be put there\n${clock}  1 flake  of 1 failure\n`
    expect(await quarantine('list')).toBe(`${none}${proposed}`)
    const end = '2999-01-31T12:00:00.000Z'
    const told = ['--why', 'QA-7', '--until', '2999-01-31T12:00Z']
    expect(await quarantine('add', clock, ...told)).toBe(`${clock}: in quarantine until ${end}\n`)
    const out = await quarantine('list')
    expect(out).toMatch(
      /^1 test in quarantine, 0 pull requests merged by it\ntest +by +until +merges/,
    )
    expect(out).toMatch(new RegExp(`^${clock} +\\S.* +${end} +0  QA-7$`, 'm'))
    expect(out).not.toContain('could be put there')
    expect(JSON.parse(await quarantine('list', '--json'))).toMatchObject({
      tests: [{ test: clock, why: 'QA-7', until: end, inForce: true }],
    })
    expect(await quarantine('remove', clock)).toBe(`${clock}: not in quarantine any more\n`)
    expect(await quarantine('list')).toBe(`${none}${proposed}`)
  })
})
