import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadScenario } from '../scenario/load.ts'
import { leftOut } from './left-out.ts'
import { readDemoOptions } from './options.ts'

const frontDoor = fileURLToPath(new URL('../mergeyard.js', import.meta.url))
const root = fileURLToPath(new URL('../../../', import.meta.url))
const scenarios = join(root, 'scenarios')
const patience = { timeout: 60_000, interval: 50 }

type Demo = {
  readonly process: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | null>
}

/** Starts a demo as `npm start` does. */
function startDemo(...args: readonly string[]): Demo {
  return started(process.execPath, frontDoor, 'start', '--port', '0', ...args)
}

/** Starts it in a process group of its own, as a terminal does. */
function started(program: string, ...args: readonly string[]): Demo {
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, MERGEYARD_PORT: '0' },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  return { process: child, out: () => out, err: () => err, ended }
}

/** What stands behind a word of the introduction. */
function shown({ out }: Demo, word: string): string {
  const found = new RegExp(`^  ${word} +(.+)$`, 'm').exec(out())?.[1]
  if (found === undefined) throw new Error(`the demo shows no ${word}: ${out()}`)
  return found
}

/** What Ctrl-C does: everybody in the group hears it. */
function interrupt({ process: child }: Demo): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
}

describe('a demo', () => {
  test(
    'plays a scenario against a real server, and ends without a trace',
    { timeout: 90_000 },
    async () => {
      const scenario = join(scenarios, 'a-failing-batch-loses-only-its-culprit.json')
      const demo = startDemo('--demo', scenario, '--speed', '2400')

      await expect.poll(demo.out, patience).toContain('Everybody has left the queue')

      const url = shown(demo, 'docs').replace('/docs', '')
      const headers = { 'x-api-token': shown(demo, 'token'), 'content-type': 'application/json' }
      const queue: object = JSON.parse(/-d '(.+)'/.exec(shown(demo, 'queue'))?.[1] ?? '')
      const metrics = await (await fetch(`${url}/v1/getMergeQueueMetrics`, { headers })).text()
      const request = { method: 'POST', headers, body: JSON.stringify(queue) }
      const listed: { readonly pullRequests: readonly { readonly state: string }[] } = JSON.parse(
        await (await fetch(`${url}/v1/listPullRequests`, request)).text(),
      )
      expect(listed.pullRequests.map(({ state }) => state).sort()).toEqual([
        'FAILED',
        'MERGED',
        'MERGED',
        'MERGED',
      ])
      expect(metrics).toMatch(/mq_test_runs_total\{.*queue_type="main",outcome="failed"\} 1\n/)
      expect(metrics).toMatch(
        /mq_test_runs_total\{.*queue_type="bisection",outcome="passed"\} [1-9]/,
      )
      expect(demo.out()).toMatch(/merged 3 +failed 1 +cancelled 0 .* webhooks, all genuine/)
      expect(demo.err()).toBe('')

      const data = shown(demo, 'data')
      expect(existsSync(join(data, 'demo'))).toBe(true)
      interrupt(demo)
      expect(await demo.ended).toBe(0)
      expect(existsSync(data)).toBe(false)
      await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed')
    },
  )

  test(
    'keeps its data where it is told to, and apart from real queues',
    { timeout: 60_000 },
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'mergeyard-demo-test-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const scenario = join(scenarios, 'a-passing-batch-merges-all.json')
      const demo = startDemo('--demo', scenario, '--data', folder, '--speed', '2400')
      await expect.poll(demo.out, patience).toContain('Everybody has left the queue')
      interrupt(demo)
      await demo.ended

      const real = startDemo('--data', folder)
      const again = startDemo('--demo', scenario, '--data', folder)

      expect(await real.ended).toBe(1)
      expect(real.err()).toContain('was written by a demo')
      expect(await again.ended).toBe(1)
      expect(again.err()).toContain('remove it, or give another one')
    },
  )

  const noShell = spawnSync('bash', ['--version']).error !== undefined
  test.skipIf(noShell)('starts as the README says', { timeout: 90_000 }, async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const command = /^## Watch a demo\n[^`]*^```sh\n(.+)\n```$/m.exec(readme)?.[1] ?? ''
    const demo = started('bash', '-c', command)

    await expect.poll(demo.out, patience).toMatch(/merged [1-9].* webhooks, all genuine/)

    const url = shown(demo, 'docs')
    const data = shown(demo, 'data')
    interrupt(demo)
    await demo.ended
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect(existsSync(data)).toBe(false)
  })

  test.each([
    [['--demo', 'nowhere.json'], 'nowhere.json'],
    [['--demo', 'x.json', '--speed', 'fast'], 'a number above 0'],
    // A real queue's clock is that on the wall.
    [['--speed', '60'], 'give --demo as well'],
  ])('says what is wrong with %j', async (args, fault) => {
    const demo = startDemo(...args)

    expect(await demo.ended).toBe(2)
    expect(demo.err()).toContain(fault)
  })
})

test('what is not the demo’s goes to the server as it is', () => {
  const options = readDemoOptions(
    ['--port', '0', '--demo=a.json', '--state-case', 'lower', '--speed', '600', '--data', 'here'],
    {},
  )

  expect(options.rest).toEqual(['--port', '0', '--state-case', 'lower'])
  expect(options).toMatchObject({ name: 'a.json', speed: 600, token: null })
})

test('what a scenario asks of a code host is left out, by name', () => {
  const left = leftOut(loadScenario(join(scenarios, 'flaky-storm.json')))

  expect(left).toEqual(['text conflicts'])
})
