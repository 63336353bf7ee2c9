/** serve as a newcomer uses it, in a process of its own: killed in the middle, started again, stopped. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { executable } from '../../api/executable.ts'
import { landedIn } from '../../stage/proof.ts'
import { makeRepository } from '../../stage/repository.ts'
import { CliFolder } from '../testing/cli-folder.ts'

const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')

beforeAll(() => makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }]))
afterAll(() => home.remove())

/** Starts a server; settles when it listens. */
async function serve(testCommand: string): Promise<ChildProcess> {
  const options = ['--repo', shop, '--test', testCommand, '--junit', 'report.xml']
  const args = [executable, 'serve', ...options, '--batch', '2', '--data', data, '--port', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  return child
}

async function ended(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
  return child.exitCode
}

/** The test processes of this server: their home is below its data folder. Linux only. */
function testProcesses(): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${data}`)
    } catch {
      return false
    }
  })
}

test('given kill -9 during the tests, the next start goes on; SIGTERM stops in order', async () => {
  const first = await serve('sleep 600')
  for (const number of ['1', '2', '3']) {
    const { code, out } = await home.run(['submit', number, '--data', data])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`#${number}`) })
  }
  await expect.poll(testProcesses).not.toEqual([])
  await ended(first, 'SIGKILL')

  const second = await serve('node test.mjs')
  const shown = async (): Promise<string> => (await home.run(['queue', '--data', data])).out
  await expect.poll(shown, { timeout: 30_000 }).toContain('0 pull requests')
  const line = await shown()
  expect(line).toMatch(/^#1 +MERGED/m)
  expect(line).toMatch(/^#2 +FAILED/m)
  expect(line).toMatch(/^#3 +MERGED/m)
  const landed = (await landedIn(shop)).flatMap(({ numbers }) => numbers)
  expect(new Set(landed)).toEqual(new Set([1, 3]))
  expect(await ended(second, 'SIGTERM')).toBe(0)
  expect(testProcesses()).toEqual([])
  expect(existsSync(join(data, 'local.json'))).toBe(false)
}, 60_000)
