/** serve as a newcomer uses it, in a process of its own: killed in the middle, started again, stopped. */

import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { hostOverHttp } from '../../../server/git/testing/git-backend.ts'
import { landedIn } from '../../stage/proof.ts'
import { makeRepository } from '../../stage/repository.ts'
import { type ChildServer, startServe } from '../start/testing/child-server.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { testProcesses } from '../testing/test-processes.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')
const away = join(home.path, 'away.git')
const awayData = join(home.path, 'away-data')

beforeAll(() => makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }]))
afterAll(() => home.remove())

/** Starts a server; settles when it listens. */
function serve(testCommand: string, repo = shop): Promise<ChildServer> {
  const options = ['--repo', repo, '--test', testCommand, '--junit', 'report.xml']
  return startServe([...options, '--batch', '2', '--data', repo === shop ? data : awayData])
}

test('given kill -9 during the tests, the next start goes on; SIGTERM stops in order', async () => {
  const first = await serve('sleep 600')
  for (const number of ['1', '2', '3']) {
    const { code, out } = await home.run(['submit', number, '--data', data])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`#${number}`) })
  }
  await expect.poll(() => testProcesses(data)).not.toEqual([])
  await first.end('SIGKILL')

  const second = await serve('node test.mjs')
  const shown = async (): Promise<string> => (await home.run(['queue', '--data', data])).out
  await expect.poll(shown).toContain('0 pull requests')
  const line = await shown()
  expect(line).toMatch(/^#1 +MERGED/m)
  expect(line).toMatch(/^#2 +FAILED/m)
  expect(line).toMatch(/^#3 +MERGED/m)
  const why = await home.run(['why', '2', '--data', data])
  expect(why.out).toMatch(/^#2 .*: failed .* ago\nIts tests failed; without it they passed\.$/m)
  expect(why.out).toMatch(/^run \d+ +failed .*#2/m)
  expect(why.out).toMatch(/^run \d+ +passed +without #2: /m)
  expect(why.out).toMatch(/^failed test {2}what pull request 2 breaks$/m)
  expect(why.out).toMatch(/^the last 12 lines of run|^run \d+:$/m)
  expect(why.out).toMatch(/^next +mergeyard log 2 .*\n +mergeyard retry 2 +once it is mended$/m)
  const never = await home.run(['why', '9', '--data', data])
  expect(never).toMatchObject({ code: 2, err: expect.stringContaining('mergeyard submit 9') })
  const log = await home.run(['log', '2', '--data', data])
  expect(log.out).toContain('$ node test.mjs')
  const [, run = ''] = /^run (\d+) +failed/m.exec(why.out) ?? []
  expect((await home.run(['log', 'run', run, '--data', data])).out).toBe(log.out)
  const landed = (await landedIn(shop)).flatMap(({ numbers }) => numbers)
  expect(new Set(landed)).toEqual(new Set([1, 3]))
  expect(await second.end()).toBe(0)
  expect(testProcesses(data)).toEqual([])
  expect(existsSync(join(data, 'local.json'))).toBe(false)
})

test('given a known repository that is away, serve starts and waits for it', matrix, async () => {
  await makeRepository(away, [{ number: 1 }])
  const address = `${(await hostOverHttp(home.path)).url}/away.git`
  await (await serve('node test.mjs', address)).end()
  renameSync(away, `${away}.gone`)
  const server = await serve('node test.mjs', address)
  const shown = async (): Promise<string> => (await home.run(['queue', '--data', awayData])).out
  await expect.poll(shown).toContain('not found')
  renameSync(`${away}.gone`, away)
  expect(await home.run(['submit', '1', '--data', awayData])).toMatchObject({ code: 0 })
  await expect.poll(shown).toMatch(/^#1 +MERGED/m)
  expect(await server.end()).toBe(0)
})

//
test('given MERGEYARD_TOKEN, serve writes none, and commands need it too', matrix, async () => {
  const given = 'a-token-of-the-environment'
  const options = ['--repo', shop, '--test', 'true', '--data', data]
  const server = await startServe(options, { MERGEYARD_TOKEN: given })
  expect(readFileSync(join(data, 'local.json'), 'utf8')).not.toContain(given)
  const { code, err } = await home.run(['queue', '--data', data])
  expect(code).toBe(2)
  expect(err).toContain('set MERGEYARD_TOKEN to one')
  expect(await home.run(['queue', '--data', data, '--token', given])).toMatchObject({ code: 0 })
  expect(await server.end()).toBe(0)
})
