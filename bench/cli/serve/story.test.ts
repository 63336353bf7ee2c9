/** What serve prints: the story of the queue for people, JSON for programs, requests only when asked for. */

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Story as EngineStory } from '../../../engine/testing/story.ts'
import { Story } from '../../../server/cli/story.ts'
import { introOf } from '../../../server/cli/serve.ts'
import { makeRepository } from '../../stage/repository.ts'
import { startServe } from '../start/testing/child-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { onlyCommand } from '../../../server/runner/command-runner.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')

beforeAll(() => makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }]))
afterAll(() => home.remove())

/** Runs a server until its log has all of this; returns the log. */
async function logUntil(log: readonly string[], has: readonly RegExp[]): Promise<string> {
  const data = join(home.path, `data-${log.join('-')}`)
  const options = ['--repo', shop, '--test', 'node test.mjs', '--batch', '2']
  const server = await startServe([...options, '--data', data, ...log])
  for (const number of ['1', '2', '3']) await home.run(['submit', number, '--data', data])
  execFileSync('git', ['-C', shop, 'branch', '--force', 'queue/none', 'main'])
  for (const each of has) await expect.poll(server.log).toMatch(each)
  await server.end()
  return server.log()
}

//
test('who watches reads who entered, what is tested, what failed and why, and what merged', async () => {
  const told = await logUntil(
    ['--log', 'story'],
    [
      /FAILED +#2/,
      /MERGED .*#3/,
      /MERGED .*#1/,
      /^.{8} {2}WARNING {4}queue\/none +a branch cannot enter: .* changes nothing on main/m,
    ],
  )
  expect(told).toMatch(/^\d\d:\d\d:\d\d {2}entered {4}#1 +\S/m)
  expect(told).toMatch(/^.{8} {2}testing {4}#1/m)
  expect(told).toMatch(/^.{8} {2}failed .*#2/m)
  expect(told).toMatch(/^.{8} {2}FAILED {5}#2 +run \d+ passed without it, run \d+ failed with it$/m)
  expect(told).not.toContain('{')
})

test('of very many tests that failed, a line names twelve', () => {
  const played = new EngineStory()
  played.submit(1)
  const failedTests = Array.from({ length: 3_000 }, (_, index) => ({ name: `test ${index}` }))
  played.send({ type: 'finishTestRun', testRun: 1, outcome: 'failed', failedTests })
  const told = new Story().linesOf(played.events, '00:00')
  expect(told).toMatch(/^00:00 {2}failed {5}#1 +test 0, .*, test 11 and 2,988 more$/m)
})

//
test('a program reads JSON, with the requests only if it asks for them', async () => {
  const messagesIn = (text: string): string[] =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { msg }: { readonly msg: string } = JSON.parse(line)
        return msg
      })
  const piped = messagesIn(await logUntil([], [/"listening"/]))
  expect(piped).toContain('listening')
  expect(piped).not.toContain('request')
  const debug = messagesIn(await logUntil(['--log', 'debug'], [/"request"/]))
  expect(debug).toContain('request')
})

//
test('who has just started it reads where the page is, how to sign in and what to do next', () => {
  const ref = { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'main' }
  const tests = { ...onlyCommand, kind: 'command', run: 'npm test' } as const
  const host = { ref, url: '../shop.git', set: {}, pollMs: 1, tests }
  const url = 'http://127.0.0.1:3000'
  expect(introOf(url, { hosting: [host], token: 'secret' })).toBe(
    [
      'merges   into main of ../shop.git, tested by `npm test`',
      'page     http://127.0.0.1:3000',
      'sign in  with the token secret',
      'next     mergeyard submit <branch or number>',
      '         mergeyard why <branch or number>, mergeyard queue',
      '',
    ].join('\n'),
  )
  expect(introOf(url, { hosting: [host], token: null })).toContain('the text of MERGEYARD_TOKEN')
})
