/** A machine without a git that can merge, a repository that nobody can push to, and Ctrl-C. */

import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { hostOverHttp } from '../../../server/git/testing/git-backend.ts'
import { executable } from '../../benchmarks/served.ts'
import { makeRepository } from '../../stage/repository.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { type Program, startProgram } from '../testing/program.ts'
import { testProcesses } from '../testing/test-processes.ts'

const run = promisify(execFile)
const home = new CliFolder()
const shop = join(home.path, 'shop.git')
const data = join(home.path, 'data')
const began = join(home.path, 'began')
const never = join(home.path, 'never')

beforeAll(async () => {
  await makeRepository(shop, [{ number: 1 }])
  await run('mkfifo', [began, never])
})
afterAll(() => home.remove())

function serve(tests: string, env: NodeJS.ProcessEnv = process.env): Program {
  const place = ['--data', data, '--port', '0']
  const args = ['--repo', shop, '--test', tests, '--bind', home.path, ...place]
  const server = startProgram([process.execPath, executable, 'serve', ...args], { env })
  onTestFinished(() => void server.process.kill('SIGKILL'))
  return server
}

/** A folder with a program `git` that says this version; without one it is empty. */
function pathWith(name: string, version: string | null): string {
  const folder = join(home.path, name)
  mkdirSync(folder)
  if (version !== null) {
    writeFileSync(join(folder, 'git'), `#!/bin/sh\necho git version ${version}\n`)
    chmodSync(join(folder, 'git'), 0o755)
  }
  return folder
}

test.each([
  ['no git', null, 'serve: git cannot be started'],
  ['an old git', '2.30.2', 'serve: git 2.38 or newer is needed, this is git version 2.30.2'],
])('given %s, serve says so in one line and writes nothing', async (name, version, words) => {
  const env = { ...process.env, PATH: pathWith(name, version) }
  const { ended, out, log } = serve('true', env)
  expect({ code: await ended, out: out() }).toEqual({ code: 2, out: '' })
  expect(log()).toContain(words)
  expect(log().trim().split('\n')).toHaveLength(1)
  expect(existsSync(data)).toBe(false)
})

test('given a repository that takes no push, doctor names it, and changes nothing', async () => {
  await git(['--git-dir', shop, 'config', 'http.receivepack', 'false'])
  const { url } = await hostOverHttp(home.path)
  const before = await refs()
  const args = ['doctor', '--repo', `${url}/shop.git`, '--test', 'true', '--json']
  const { code, out } = await home.run(args)
  expect(code).toBe(1)
  const checks: { what: string; isOk: boolean }[] = JSON.parse(out)
  expect(checks.filter(({ isOk }) => !isOk).map(({ what }) => what)).toEqual(['push'])
  expect(await refs()).toBe(before)
})

test('Ctrl-C during a test stops in order; log shows its output before', async () => {
  const server = serve(`echo the tests of "$MERGEYARD_PULLS"; echo > ${began}; cat ${never}`)
  await server.prints(/listens on/)
  await command('submit', '1')
  const reading = run('cat', [began])
  onTestFinished(() => void reading.child.kill())
  await reading
  const id = /\brun (\S+)$/m.exec(await command('queue'))?.[1] ?? ''
  expect(await command('log', id)).toMatch(/^the tests of 1$/m)
  expect(await server.end('SIGINT')).toBe(0)
  expect(testProcesses(data)).toEqual([])
  expect(existsSync(join(data, 'local.json'))).toBe(false)
})

async function command(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await home.run([...args, '--data', data])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
}

function refs(): Promise<string> {
  return git(['--git-dir', shop, 'for-each-ref'])
}
