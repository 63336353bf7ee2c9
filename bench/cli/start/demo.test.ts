import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { request as openRequest, type ClientRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { executable } from '../../benchmarks/served.ts'
import { type Program, startProgram, childToken, clientOf, startChild } from '../testing/program.ts'
import { main } from '../../../server/testing/client.ts'
import { blocksOf, repositoryRoot } from '../../../server/testing/readme.ts'
import { start } from '../../../server/testing/test-server.ts'
import { temporaryFolder } from '../../../server/terminal/testing/temporary-folder.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const root = fileURLToPath(repositoryRoot)
const scenarios = join(root, 'scenarios')

function startDemo(...args: readonly string[]): Program {
  return startGroup(process.execPath, executable, 'start', '--port', '0', ...args)
}

/** Starts a program in a separate process group, as a terminal does. */
function startGroup(...args: readonly string[]): Program {
  const env = { ...process.env, MERGEYARD_PORT: '0' }
  const demo = startProgram(args, { cwd: root, env, detached: true })
  onTestFinished(async () => void (await demo.end()))
  return demo
}

/** Returns the value behind a label of the introduction. */
function shown({ out }: Program, label: string): string {
  const found = new RegExp(`^  ${label} +(.+)$`, 'm').exec(out())?.[1]
  if (found === undefined) throw new Error(`the demo shows no ${label}: ${out()}`)
  return found
}

/** Sends SIGINT to the whole process group, like Ctrl-C. */
function interrupt({ process: child }: Program): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
}

describe('a demo', () => {
  test('simulates a scenario on a real server, and removes its data', matrix, async () => {
    const scenario = join(scenarios, 'a-failing-batch-loses-only-its-culprit.json')
    const demo = startDemo('--demo', scenario, '--speed', '2400')

    await demo.prints(/The queue is empty/)

    const url = shown(demo, 'docs').replace('/docs', '')
    const headers = { 'x-api-token': shown(demo, 'token'), 'content-type': 'application/json' }
    const queue: object = JSON.parse(/-d '(.+)'/.exec(shown(demo, 'queue'))?.[1] ?? '')
    const metrics = await (await fetch(`${url}/v1/getMergeQueueMetrics`, { headers })).text()
    const request = { method: 'POST', headers, body: JSON.stringify(queue) }
    type Listed = { readonly state: string; readonly prTitle: string; readonly prAuthor: string }
    const listed: { readonly pullRequests: readonly Listed[] } = JSON.parse(
      await (await fetch(`${url}/v1/listPullRequests`, request)).text(),
    )
    expect(listed.pullRequests.map(({ state }) => state).sort()).toEqual([
      'FAILED',
      'MERGED',
      'MERGED',
      'MERGED',
    ])
    expect(listed.pullRequests.every((each) => each.prTitle && each.prAuthor)).toBe(true)
    expect(metrics).toMatch(/mq_test_runs_total\{.*queue_type="main",outcome="failed"\} 1\n/)
    expect(metrics).toMatch(/mq_test_runs_total\{.*queue_type="bisection",outcome="passed"\} [1-9]/)
    expect(demo.out()).toMatch(/merged 3 +failed 1 +cancelled 0 /)
    expect(demo.log()).toBe('')

    const data = shown(demo, 'data')
    expect(existsSync(join(data, 'demo'))).toBe(true)
    interrupt(demo)
    expect(await demo.ended).toBe(0)
    expect(existsSync(data)).toBe(false)
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('keeps its data in the folder of --data, separate from real queues', matrix, async () => {
    const folder = temporaryFolder()
    const scenario = join(scenarios, 'a-passing-batch-merges-all.json')
    const demo = startDemo('--demo', scenario, '--data', folder, '--speed', '2400')
    await demo.prints(/The queue is empty/)
    interrupt(demo)
    await demo.ended

    // One after the other, because each holds the folder while it looks into it.
    const real = startDemo('--data', folder)
    expect(await real.ended).toBe(1)
    expect(real.log()).toContain('was written by a demo')

    const again = startDemo('--demo', scenario, '--data', folder)
    expect(await again.ended).toBe(1)
    expect(again.log()).toContain('already contains this demo')
  })

  const noShell = spawnSync('bash', ['--version']).error !== undefined
  test.skipIf(noShell)('starts with the command of the README', async () => {
    const [command = ''] = blocksOf({ file: 'README.md', section: 'Watch a demo' }, 'sh')
    const demo = startGroup('bash', '-c', command)

    await demo.prints(/merged [1-9]/)

    const url = shown(demo, 'docs')
    const data = shown(demo, 'data')
    interrupt(demo)
    await demo.ended
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect(existsSync(data)).toBe(false)
  })

  test.each([
    ['--demo nowhere.json', 'nowhere.json'],
    ['--demo x.json --speed fast', 'a number above 0'],
    // Only a demo can run faster than real time.
    ['--speed 60', 'also --demo'],
  ])('start %s is refused', (line, words) => new CliFolder().refuses(`start ${line}`, words))
})

// An orderly stop: the server finishes requests in progress and waits for nothing else.

const body = JSON.stringify({ ...main, pr: { number: 7 } })

/** Sends the first half of a submission. `status` resolves after the rest is sent. */
async function startSubmission(
  url: string,
): Promise<{ request: ClientRequest; status: Promise<number> }> {
  const headers = {
    'x-api-token': childToken,
    'content-type': 'application/json',
    'content-length': String(body.length),
    expect: '100-continue',
  }
  const request = openRequest(`${url}/v1/submitPullRequest`, { method: 'POST', headers })
  const status = new Promise<number>((resolve, reject) => {
    request.once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    request.once('error', reject)
  })
  // The server has accepted the request when it sends 100 Continue.
  await new Promise((resolve) => request.once('continue', resolve).flushHeaders())
  request.write(body.slice(0, 20))
  return { request, status }
}

test('given two stop signals, the server finishes and stores the request in progress and exits with 0', async () => {
  const data = temporaryFolder()
  const server = await startChild(data)
  await clientOf(server).ok('createQueue', main)
  const { request, status } = await startSubmission(server.url)

  // `timeout`, `npm` and service managers also send two signals: to the process and to its group.
  server.process.kill('SIGTERM')
  await expect.poll(server.log).toContain('"stopping"')
  server.process.kill('SIGTERM')
  request.end(body.slice(20))

  expect(await status).toBe(200)
  expect(await server.ended).toBe(0)
  expect(server.log().match(/"stopping"/g)).toHaveLength(1)
  const again = await start(data)
  await again.client.ok('getSubmittedPullRequest', { ...main, pr: { number: 7 } })
  await again.stop()
})

test('closes connections without a request, and ends one in progress', matrix, async () => {
  const server = await start(temporaryFolder(), { token: childToken })
  await clientOf(server).ok('createQueue', main)
  const { hostname, port } = new URL(server.url)
  const opened = await new Promise<Socket>((resolve) => {
    const socket = connect(Number(port), hostname, () => resolve(socket.resume()))
  })
  const closed = new Promise((resolve) => opened.once('close', resolve))
  const { request, status } = await startSubmission(server.url)

  const stopped = server.stop()
  // If the server waited for this connection, the timeout would also end the request.
  await closed
  request.end(body.slice(20))

  expect(await status).toBe(200)
  await stopped
})

//
test('SIGHUP, which comes when a terminal closes, stops the server in order', async () => {
  const server = await startChild(temporaryFolder())
  expect(await server.end('SIGHUP')).toBe(0)
  expect(server.log()).toContain('"signal":"SIGHUP"')
  expect(server.log()).toContain('"stopped"')
})

//
test('a killed npm hands no signal on, but the server stops in order', matrix, async () => {
  // The part of npm is taken by a process that starts the server and waits for it.
  const args = [executable, 'start', '--port', '0', '--data', temporaryFolder()]
  const npm = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(args)}, { stdio: 'inherit' })`
  const env = { ...process.env, npm_lifecycle_event: 'start', MERGEYARD_TOKEN: childToken }
  const parent = startProgram([process.execPath, '-e', npm], { env })
  await parent.prints(/listens on/)
  await parent.end('SIGKILL')
  expect(parent.log()).toContain('"signal":"npm is gone"')
  expect(parent.log()).toContain('"stopped"')
})
