/** The GitHub Action that says what a pull request with other settings would do: its script, with real git. */

import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { executable } from '../../benchmarks/served.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
afterAll(() => home.remove())

const git = (...args: readonly string[]): string => {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  return execFileSync('git', [...who, ...args], { cwd: home.path, encoding: 'utf8' })
}

/** What the Action would comment on the work tree. */
function comment(scenario = ''): string {
  const script = resolve('.ci/what-if.mjs')
  const env = {
    ...process.env,
    BASE: 'HEAD',
    MERGEYARD: executable,
    SEEDS: '10',
    SCENARIO: scenario,
  }
  return execFileSync(process.execPath, [script], { cwd: home.path, encoding: 'utf8', env })
}

const writeJson = (name: string, value: object): void => home.write(name, JSON.stringify(value))

const team = { name: 'team', traffic: { count: 15, breakRate: 0.2 }, queue: { concurrency: 2 } }
const config = { queues: [{ url: 'shop.git', set: { concurrency: 1 } }] }

test('given other settings, the comment shows the difference and its interval', () => {
  git('init', '--quiet')
  writeJson('team.json', team)
  writeJson('mergeyard.json', config)
  git('add', '.')
  git('commit', '--quiet', '--message=first')
  expect(comment('team.json')).toBe('')

  writeJson('mergeyard.json', { queues: [{ url: 'shop.git', set: { concurrency: 4 } }] })
  expect(comment()).toContain('With the input `scenario` this says what that does.')
  const ofConfig = comment('team.json')
  expect(ofConfig).toMatch(/^<!-- mergeyard what-if -->\n/)
  expect(ofConfig).toContain('**mergeyard.json, queue of main**, 10 days')
  expect(ofConfig).toContain('with queue.concurrency=4\n')
  expect(ofConfig).toMatch(/^time in queue, median +-\d.* to -\d/m)
  expect(ofConfig).not.toContain('minimum')

  writeJson('mergeyard.json', config)
  writeJson('team.json', { ...team, queue: { batch: true, batchingMinSize: 4 } })
  const ofScenario = comment()
  expect(ofScenario).toContain('with queue.batch=true, queue.batchingMinSize=4\n')
  expect(ofScenario).toContain('`queue.concurrency` is gone; that is not simulated.')

  writeJson('team.json', { ...team, queue: { concurrency: -1 } })
  expect(comment()).toContain('queue/concurrency')
})
