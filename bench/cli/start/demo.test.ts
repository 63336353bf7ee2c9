import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { executable } from '../../benchmarks/served.ts'
import { type Program, startProgram } from '../testing/program.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const scenarios = join(root, 'scenarios')

/** Starts a demo with the command of `npm start`. */
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
    const folder = mkdtempSync(join(tmpdir(), 'mergeyard-demo-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
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
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const command = /^## Watch a demo\n[^`]*^```sh\n(.+)\n```$/m.exec(readme)?.[1] ?? ''
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
    [['--demo', 'nowhere.json'], 'nowhere.json'],
    [['--demo', 'x.json', '--speed', 'fast'], 'a number above 0'],
    // Only a demo can run faster than real time.
    [['--speed', '60'], 'also --demo'],
  ])('given %j, reports the error', async (args, fault) => {
    const demo = startDemo(...args)

    expect(await demo.ended).toBe(2)
    expect(demo.log()).toContain(fault)
  })
})
