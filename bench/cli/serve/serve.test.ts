/** serve as a newcomer uses it, in a process of its own: killed in the middle, started again, stopped. */

import { existsSync, readFileSync, renameSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, test, onTestFinished, describe } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { hostOverHttp } from '../../../server/git/testing/git-backend.ts'
import { landedIn } from '../../rehearsal/play.ts'
import { makeRepository } from '../../rehearsal/repository.ts'
import { startServe, startWith, testProcesses, startProgram } from '../testing/program.ts'
import type { ChildServer, Program } from '../testing/program.ts'
import { CliFolder } from '../testing/cli-folder.ts'
import { Story as EngineStory } from '../../../engine/testing/story.ts'
import { Story } from '../../../server/cli/story.ts'
import { introOf } from '../../../server/cli/serve.ts'
import { onlyCommand } from '../../../server/runner/command-runner.ts'
import { git } from '../../../server/git/git.ts'
import { isMissing } from '../../../server/testing/system-program.ts'
import { executable } from '../../benchmarks/served.ts'

/** The messages of a log in JSON. */
const messagesIn = (log: string): string[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { msg }: { readonly msg: string } = JSON.parse(line)
      return msg
    })

describe('serve as a newcomer uses it', () => {
  const home = new CliFolder()
  const shop = join(home.path, 'shop.git')
  const data = join(home.path, 'data')
  const away = join(home.path, 'away.git')
  const awayData = join(home.path, 'away-data')
  home.env['MERGEYARD_DATA'] = data

  beforeAll(() => makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }]))

  /** Starts a server; settles when it listens. */
  function serve(testCommand: string, repo = shop): Promise<ChildServer> {
    const options = ['--repo', repo, '--test', testCommand, '--junit', 'report.xml']
    return startServe([...options, '--batch', '2', '--data', repo === shop ? data : awayData])
  }

  test('given kill -9 during the tests, the next start goes on; SIGTERM stops in order', async () => {
    const first = await serve('sleep 600')
    for (const number of [1, 2, 3])
      expect(await home.printed(`submit ${number}`)).toContain(`#${number}`)
    await expect.poll(() => testProcesses(data)).not.toEqual([])
    await first.end('SIGKILL')
    expect(first.all()).toContain(`Fetches the history of ${shop}, this once, and then answers\n`)

    const long = `node -e "console.error('long '.repeat(1e5))"`
    const second = await serve(`node test.mjs || { ${long}; exit 1; }`)
    const shown = () => home.printed('queue')
    await expect.poll(shown).toContain('0 pull requests')
    expect(await shown()).toMatch(/^#3 +MERGED.*\n#2 +FAILED.*\n#1 +MERGED/m)
    const why = await home.printed('why 2')
    expect(why).toMatch(/^#2 .*: failed .* ago\nIts tests failed; without it they passed\.$/m)
    expect(why).toMatch(/^run \d+ +failed .*#2/m)
    expect(why).toMatch(/^run \d+ +passed +without #2: /m)
    expect(why).toMatch(/^failed test {2}what pull request 2 breaks$/m)
    expect(why).toMatch(/^the last 12 lines of run|^run \d+:$/m)
    expect(why).toMatch(/^ {2}(long ){79}.*…$/m)
    expect(why.length).toBeLessThan(10_000)
    expect(why).toMatch(/^next +mergeyard log 2 .*\n +mergeyard retry 2 +once it is mended$/m)
    await home.refuses('why 9', 'mergeyard submit 9')
    await git(['--git-dir', shop, 'branch', 'queue/none', 'main'])
    const refused = async (): Promise<string> => (await home.run('why none')).err
    await expect.poll(refused).toContain('its branch cannot enter')
    expect(await refused()).toMatch(/changes nothing on main: .*mergeyard submit none\n$/)
    const log = await home.printed('log 2')
    expect(log).toContain('$ node test.mjs')
    expect(log.length).toBeGreaterThan(500_000)
    const [, run = ''] = /^run (\d+) +failed/m.exec(why) ?? []
    expect(await home.printed(`log run ${run}`)).toBe(log)
    await home.refuses('log 2 3', 'expected a branch, a number, or run 15, got "2 3"')
    const landed = (await landedIn(shop)).flatMap(({ numbers }) => numbers)
    expect(new Set(landed)).toEqual(new Set([1, 3]))
    expect(await second.end()).toBe(0)
    expect(second.all()).not.toContain('Fetches')
    expect(testProcesses(data)).toEqual([])
    expect(existsSync(join(data, 'local.json'))).toBe(false)
    //
    expect(messagesIn(second.log())).toContain('listening')
    expect(messagesIn(second.log())).not.toContain('request')
  })

  test('given a known repository that is away, serve starts and waits for it', matrix, async () => {
    await makeRepository(away, [{ number: 1 }])
    // its default branch cannot be asked for then.
    await git(['--git-dir', away, 'branch', '--move', 'main', 'trunk'])
    const address = `${(await hostOverHttp(home.path)).url}/away.git`
    await (await serve('node test.mjs', address)).end()
    renameSync(away, `${away}.gone`)
    const server = await serve('node test.mjs', address)
    const shown = () => home.printed(`queue --data '${awayData}'`)
    await expect.poll(shown).toMatch(/^FAULT .*'[^\\]* not found[^\\]*$/m)
    renameSync(`${away}.gone`, away)
    await home.printed(`submit 1 --data '${awayData}'`)
    await expect.poll(shown).toMatch(/^#1 +MERGED/m)
    expect(await server.end()).toBe(0)
  })

  //
  test('given MERGEYARD_TOKEN, serve writes none, and commands need it too', matrix, async () => {
    const given = 'a-token-of-the-environment'
    const options = ['--repo', shop, '--test', 'true', '--data', data]
    const server = await startServe(options, { MERGEYARD_TOKEN: given })
    expect(readFileSync(join(data, 'local.json'), 'utf8')).not.toContain(given)
    await home.refuses('queue', 'needs a token: set MERGEYARD_TOKEN to the one')
    await home.printed(`queue --token ${given}`)
    expect(await server.end()).toBe(0)
  })
})

describe('what serve prints', () => {
  const home = new CliFolder()
  const shop = join(home.path, 'shop.git')

  beforeAll(() => makeRepository(shop, [{ number: 1 }, { number: 2, breaks: true }, { number: 3 }]))

  function serve(log: string): Promise<ChildServer> {
    const options = ['--repo', shop, '--test', 'node test.mjs', '--batch', '2']
    return startServe([...options, '--data', join(home.path, log), '--log', log])
  }

  //
  test('who watches reads who entered, what is tested, what failed and why, and what merged', async () => {
    const server = await serve('story')
    for (const number of [1, 2, 3]) await home.printed(`submit ${number} --data story`)
    await git(['--git-dir', shop, 'branch', 'queue/none', 'main'])
    for (const each of [
      /FAILED +#2/,
      /MERGED .*#3/,
      /MERGED .*#1/,
      /^.{8} {2}WARNING {4}queue\/none +a branch cannot enter: .* changes nothing on main/m,
    ])
      await expect.poll(server.log).toMatch(each)
    await server.end()
    const told = server.log()
    expect(told).toMatch(/^\d\d:\d\d:\d\d {2}entered {4}#1 +\S/m)
    expect(told).toMatch(/^.{8} {2}testing {4}#1/m)
    expect(told).toMatch(/^.{8} {2}failed .*#2/m)
    expect(told).toMatch(
      /^.{8} {2}FAILED {5}#2 +run \d+ passed without it, run \d+ did not with it$/m,
    )
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
  test('a program reads JSON, with the requests if it asks for them', async () => {
    const server = await serve('debug')
    await home.printed('queue --data debug')
    await server.end()
    expect(messagesIn(server.log())).toContain('request')
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
    const api = { api: '', owner: 'acme', name: 'shop', token: () => '', webhookSecrets: [] }
    const codeHost = { kind: 'gitea', ...api } as const
    const onHost = { ...host, codeHost, set: { commandsEnabled: false } }
    expect(introOf(url, { hosting: [onHost], token: null })).toContain(
      'next     the label merge-queue, or mergeyard submit <branch or number>',
    )
  })
})

describe('given a machine that lacks something, and at Ctrl-C', () => {
  const run = promisify(execFile)
  const home = new CliFolder()
  const shop = join(home.path, 'shop.git')
  const data = join(home.path, 'data')
  const began = join(home.path, 'began')
  home.env['MERGEYARD_DATA'] = data
  const never = join(home.path, 'never')

  beforeAll(async () => {
    await makeRepository(shop, [{ number: 1 }])
    await run('mkfifo', [began, never])
  })

  function serve(tests: string, env: NodeJS.ProcessEnv = process.env, folder = data): Program {
    const place = ['--data', folder, '--port', '0']
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
    const unused = join(home.path, `${name} serves nothing`)
    const { ended, out, log } = serve('true', env, unused)
    expect({ code: await ended, out: out() }).toEqual({ code: 2, out: '' })
    expect(log()).toContain(words)
    expect(log().trim().split('\n')).toHaveLength(1)
    expect(existsSync(unused)).toBe(false)
  })

  const inClone = ['serve', 'doctor'].map((command) => `${command} --repo origin --test true`)
  test.each([...inClone, 'doctor', 'init', 'sim import --git .', 'try'])(
    '%s says in one line that git is missing',
    async (line) => {
      const clone = join(home.path, 'clone')
      mkdirSync(join(clone, '.git'), { recursive: true })
      const env = { ...process.env, INIT_CWD: clone, PATH: join(home.path, 'nowhere') }
      const { ended, log } = startProgram([process.execPath, executable, ...line.split(' ')], {
        env,
      })
      expect(await ended).toBeGreaterThan(0)
      const words = 'this machine has no git: install it, or put its folder on the PATH'
      expect(log()).toMatch(new RegExp(`^[^\\n]*${words}\\n$`))
    },
  )

  const isRoot = process.getuid?.() === 0
  test.skipIf(!isRoot || isMissing('setpriv'))('a user of a number alone has no home', async () => {
    const own = join(home.path, 'own')
    await makeRepository(join(own, 'shop.git'), [{ number: 1 }])
    const user = '54321'
    await run('chown', ['-R', `${user}:${user}`, own])
    chmodSync(home.path, 0o711)
    const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
    // The checkout may be where only root reads.
    const reads = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']
    const place = ['--repo', join(own, 'shop.git'), '--data', join(own, 'data')]
    const variables = { HOME: undefined, MERGEYARD_TOKEN: undefined }
    const program = [...as, ...reads, process.execPath]
    const server = await startWith(program, [...place, '--test', 'true'], variables, 'serve')
    onTestFinished(async () => void (await server.end()))
    await home.printed(`submit 1 --data '${join(own, 'data')}'`)
    const shown = () => home.printed(`queue --data '${join(own, 'data')}'`)
    await expect.poll(shown).toMatch(/^#1 +MERGED/m)
  })

  test('given a repository that takes no push, doctor names it, and changes nothing', async () => {
    await git(['--git-dir', shop, 'config', 'http.receivepack', 'false'])
    const { url } = await hostOverHttp(home.path)
    const before = await refs()
    const { code, out } = await home.run(`doctor --repo ${url}/shop.git --test true --json`)
    expect(code).toBe(1)
    const checks: { what: string; isOk: boolean }[] = JSON.parse(out)
    expect(checks.filter(({ isOk }) => !isOk).map(({ what }) => what)).toEqual(['push'])
    expect(await refs()).toBe(before)
  })

  test('a start that fails when it already listens leaves no server behind', async () => {
    const own = join(home.path, 'own')
    mkdirSync(join(own, 'local.json'), { recursive: true })
    const server = serve('true', process.env, own)
    expect(await server.ended).toBe(1)
    expect(server.log()).toContain('local.json')
  })

  test('Ctrl-C during a test stops in order; log shows its output before', async () => {
    const server = serve(`echo the tests of "$MERGEYARD_PULLS"; echo > '${began}'; cat '${never}'`)
    await server.prints(/listens on/)
    await home.printed('submit 1')
    const reading = run('cat', [began])
    onTestFinished(() => void reading.child.kill())
    await reading
    const id = /\brun (\S+)$/m.exec(await home.printed('queue'))?.[1] ?? ''
    expect(await home.printed(`log ${id}`)).toMatch(/^the tests of 1$/m)
    expect(await server.end('SIGINT')).toBe(0)
    expect(testProcesses(data)).toEqual([])
    expect(existsSync(join(data, 'local.json'))).toBe(false)
  })

  const refs = (): Promise<string> => git(['--git-dir', shop, 'for-each-ref'])
})
