import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { hasBubblewrap } from './bubblewrap.ts'
import { CommandRunner, onlyCommand } from './command-runner.ts'
import { RunWatcher } from './limits.ts'
import { startGroup } from './process-group.ts'
import { noReports, verdictOf, type Exit } from './verdict.ts'
import { benchWith, made, processesWith } from './testing/bench.ts'

/** Others have no `/proc`, in which processes of other sessions are found. */
const isLinux = process.platform === 'linux'

let sleepers = 0

/** A number of seconds that no other process sleeps: so its processes are found. */
const seconds = (): string => `${100_000 + process.pid}.${++sleepers}5`

const asGroup = ['as a group of processes', false] as const
/** CI installs bubblewrap. */
const inNamespace = hasBubblewrap() ? [['in a namespace', true] as const] : []

describe.each([asGroup, ...inNamespace])('%s', (_, bubblewrap) => {
  /** Cancels a run when it has made the file `ready` of its folder. */
  async function cancelled(options: (folder: string) => Parameters<typeof benchWith>[0]) {
    const folder = temporaryFolder()
    const bench = await benchWith({ bubblewrap, bind: [folder], ...options(folder) })
    const verdict = bench.test(0, 'cancelled')
    await made(join(folder, 'ready'))
    bench.runner.cancel('cancelled')
    return { verdict: await verdict, folder, log: bench.log('cancelled') }
  }

  test('a cancelled run has no verdict, and ends at once when the command does', async () => {
    const { verdict } = await cancelled((folder) => ({
      command: `touch '${folder}/ready'; exec sleep 1000`,
    }))
    expect(verdict).toBeNull()
  })

  test('a cancelled run leaves the same run of another server on this machine alone', async () => {
    const folder = temporaryFolder()
    const [ready, gate] = [join(folder, 'ready'), join(folder, 'gate')]
    const command = (name: string): string =>
      `touch '${ready}-${name}'; until test -e '${gate}'; do sleep 0.01; done`
    const one = await benchWith({ bubblewrap, bind: [folder], command: command('one') })
    const other = await benchWith({ bubblewrap, bind: [folder], command: command('other') })
    const [ended, verdict] = [one.test(0, 'same'), other.test(0, 'same')]
    await Promise.all([made(`${ready}-one`), made(`${ready}-other`)])
    one.runner.cancel('same')
    expect(await ended).toBeNull()
    writeFileSync(gate, '')
    expect(await verdict).toMatchObject({ outcome: 'passed' })
  })

  test('a run that is cancelled in its setup does not run its tests', async () => {
    const { verdict, log } = await cancelled((folder) => ({
      command: 'echo tests',
      setup: `touch '${folder}/ready'; exec sleep 1000`,
    }))
    expect({ verdict, log }).toEqual({ verdict: null, log: expect.not.stringContaining('tests') })
  })

  test('a run that is cancelled before it starts runs nothing', async () => {
    const { runner, test: run, log } = await benchWith({ bubblewrap, command: 'echo tests' })
    const verdict = run(0, 'cancelled')
    runner.cancel('cancelled')
    expect(await verdict).toBeNull()
    expect(log('cancelled')).toBe('')
  })

  test('a command that ignores SIGTERM is killed after the grace', async () => {
    const sleep = seconds()
    const { verdict } = await cancelled((folder) => ({
      command: `trap "" TERM; sleep ${sleep} & touch '${folder}/ready'; while :; do wait; done`,
    }))
    expect(verdict).toBeNull()
    expect(processesWith(sleep)).toEqual([])
  })

  test.runIf(isLinux)('nothing of a command is left, even in a session of its own', async () => {
    const [folder, sleep] = [temporaryFolder(), seconds()]
    const ready = join(folder, 'ready')
    const inOwnSession = `setsid sh -c 'touch "${ready}"; exec sleep ${sleep}' &`
    const command = `sleep ${sleep} & ${inOwnSession} until test -e '${ready}'; do :; done`
    const { test: run } = await benchWith({ bubblewrap, bind: [folder], command })
    expect(await run()).toMatchObject({ outcome: 'passed' })
    await expect.poll(() => processesWith(sleep)).toEqual([])
  })

  test.runIf(isLinux)('a process that starts itself again and again is ended', async () => {
    // Its folder goes with the test, and then it ends by itself.
    const folder = temporaryFolder()
    const mark = join(folder, 'again')
    const program = `test -e "${mark}" && echo >> "${mark}" && setsid "$0" -c "$1" "$0" "$1" &`
    const first = `touch '${mark}'; setsid sh -c '${program}' sh '${program}' &`
    const command = `${first} until test $(wc -l < '${mark}') -gt 3; do :; done`
    const { test: run } = await benchWith({ bubblewrap, bind: [folder], command })
    expect(await run()).toMatchObject({ outcome: 'passed' })
    await expect.poll(() => processesWith(mark)).toEqual([])
  })

  test('a process that hides from the sweep does not hold up the verdict', async () => {
    const sleep = seconds()
    const folder = temporaryFolder()
    const pid = join(folder, 'pid')
    const command = `setsid env -i /bin/sh -c 'echo $$ > "${pid}"; exec sleep ${sleep}' & until test -s '${pid}'; do :; done`
    const { test: run } = await benchWith({ bubblewrap, bind: [folder], command })
    onTestFinished(() => {
      for (const left of processesWith(sleep)) process.kill(Number(left), 'SIGKILL')
    })
    expect(await run()).toMatchObject({ outcome: 'passed' })
    // Only the kernel finds it.
    expect(processesWith(sleep)).toHaveLength(bubblewrap ? 0 : 1)
  })

  test('a command that is asked to end can tidy up', async () => {
    const { verdict, folder } = await cancelled((at) => ({
      graceMs: 60_000,
      command: `trap 'touch "${at}/tidy"; exit 0' TERM; touch '${at}/ready'; while :; do sleep 0.05; done`,
    }))
    expect(verdict).toBeNull()
    expect(existsSync(join(folder, 'tidy'))).toBe(true)
  })

  test('a command that a signal has ended is told with its signal', async () => {
    const { test: run } = await benchWith({ bubblewrap, command: 'kill -SEGV $$' })
    expect(await run()).toMatchObject({
      outcome: 'failed',
      words: 'the test command ended with SIGSEGV',
    })
    const { test: killed } = await benchWith({ bubblewrap, command: 'kill -TERM $$' })
    expect(await killed()).toMatchObject({
      outcome: 'errored',
      words: 'the test command was killed by SIGTERM',
    })
  })

  test('the last words of a command are in its log', async () => {
    const command = `seq 1 200000; echo the end; exit 3`
    const { test: run, log } = await benchWith({ bubblewrap, command })
    expect(await run()).toMatchObject({ outcome: 'failed' })
    expect(log()).toMatch(/199999\n200000\nthe end\nfailed: the test command ended with 3\n$/)
  })

  test('a closed runner has ended all runs', async () => {
    const [folder, sleep] = [temporaryFolder(), seconds()]
    const command = `touch '${folder}'/$MERGEYARD_RUN; exec sleep ${sleep}`
    const { runner, test: run } = await benchWith({ bubblewrap, bind: [folder], command })
    const verdicts = [run(0, 'a'), run(0, 'b')]
    await Promise.all([made(join(folder, 'a')), made(join(folder, 'b'))])
    await runner.close()
    expect(await Promise.all(verdicts)).toEqual([null, null])
    expect(processesWith(sleep)).toEqual([])
  })
})

test.runIf(isLinux)('a new runner ends what a killed server has left in its slots', async () => {
  const { folder } = await benchWith({ command: 'true' })
  const slots = join(folder, 'slots')
  const left = (home: string, sleep: string): void => {
    const env = { PATH: process.env['PATH'], MERGEYARD_RUN: 'run', HOME: home }
    const child = spawn('sleep', [sleep], { env, detached: true })
    onTestFinished(() => void child.kill('SIGKILL'))
  }
  const [ours, other] = [seconds(), seconds()]
  left(join(slots, '0/home'), ours)
  left(`${slots}-of-others/0/home`, other)
  await expect.poll(() => [processesWith(ours), processesWith(other)].flat()).toHaveLength(2)
  const next = new CommandRunner({
    slots,
    logs: join(folder, 'runs'),
    mirror: join(folder, 'mirror.git'),
    command: 'true',
    ...onlyCommand,
    readReports: noReports,
  })
  await expect.poll(() => processesWith(ours)).toEqual([])
  expect(processesWith(other)).toHaveLength(1)
  await next.close()
})

test.skipIf(!hasBubblewrap())('a namespace ends with the process that made it', async () => {
  const [folder, sleep] = [temporaryFolder(), seconds()]
  const ready = join(folder, 'ready')
  mkdirSync(join(folder, 'tmp'))
  const group = JSON.stringify(new URL('process-group.js', import.meta.url).href)
  const text = `setsid env -i /bin/sh -c 'touch "${ready}"; exec sleep ${sleep}' & wait`
  const view = { readOnly: [], bind: [], hidden: [] }
  const limits = { processes: 100, memoryMiB: 1_024, diskMiB: 1_024 }
  const env = { PATH: process.env['PATH'], HOME: folder }
  const command = { text, folder, env, view, limits }
  const program = `const { startGroup } = await import(${group})
startGroup({ ...${JSON.stringify(command)}, onOutput: () => undefined }, 1000, { watch: () => () => undefined })`
  const server = spawn(process.execPath, ['--input-type=module', '-e', program])
  onTestFinished(() => void server.kill('SIGKILL'))
  await made(ready)
  server.kill('SIGKILL')
  await expect.poll(() => processesWith(sleep)).toEqual([])
})

test.runIf(hasBubblewrap())('what cannot begin in a namespace has not failed', async () => {
  const command = { text: 'true', folder: temporaryFolder(), env: {}, onOutput: () => undefined }
  const limits = { processes: 100, memoryMiB: 1_024, diskMiB: 1_024 }
  const ended = (readOnly: readonly string[]): Promise<Exit> => {
    const view = { readOnly, bind: [], hidden: [] }
    return startGroup({ ...command, limits, view }, 1, new RunWatcher()).ended
  }
  mkdirSync(join(command.folder, 'tmp'))
  const [begun, unmade] = await Promise.all([ended([]), ended(['/no/such/objects'])])
  expect(verdictOf(begun, await noReports('', []), 'true')).toMatchObject({ outcome: 'passed' })
  expect(verdictOf(unmade, await noReports('', []), 'true')).toMatchObject({
    outcome: 'errored',
    words: 'bubblewrap could not make the namespaces of the test command',
  })
})

test('given a server without a file descriptor left, a command is refused in words', () => {
  const here = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href)
  const script = `
    import { openSync } from 'node:fs'
    import { RunWatcher } from ${here('./limits.js')}
    import { startGroup } from ${here('./process-group.js')}
    const command = { text: 'true', folder: '/', env: {}, onOutput: () => {}, view: null, limits: {} }
    try { for (;;) openSync('/dev/null') } catch {}
    const { message } = await startGroup(command, 1, new RunWatcher()).ended.catch((error) => error)
    process.stdout.write(message, () => process.exit())`
  const command = 'ulimit -n 200; exec "$0" --input-type=module -e "$1"'
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command, process.execPath, script])
  expect([String(stdout), String(stderr)]).toEqual(['spawn /bin/sh EMFILE', ''])
})
