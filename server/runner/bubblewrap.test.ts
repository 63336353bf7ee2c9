/** What a test command reaches of the server, with namespaces and without, and what it may use. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { hasBubblewrap } from './bubblewrap.ts'
import { exceeded, RunWatcher, type Limits, type Ticks } from './limits.ts'
import { benchWith } from './testing/bench.ts'

const isLinux = process.platform === 'linux'
const alone = ['without a namespace', false] as const
/** CI installs bubblewrap. */
const inNamespace = hasBubblewrap() ? [['in a namespace', true] as const] : []

/**
 * A runner beside a server: `data` is in a folder that tests may use, and `mark` in the environment of its
 * process. Returns what of these commands succeeded in a test run.
 */
async function reachedIn(
  bubblewrap: boolean,
  attempts: (server: Server) => Readonly<Record<string, string>>,
): Promise<{ readonly reached: readonly string[]; readonly server: Server }> {
  const shared = temporaryFolder()
  const data = join(shared, 'data')
  mkdirSync(data)
  const tokenFile = join(shared, 'token')
  for (const path of [join(data, 'local.json'), tokenFile]) writeFileSync(path, 'secret\n')
  // Not the word itself: the command would find it in its own environment.
  const mark = `of-the-server-${process.pid}`
  const child = spawn('sleep', ['1000'], { env: { PATH: process.env['PATH'], MARK: mark } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const script = join(shared, 'attempts')
  const { folder, test: run } = await benchWith({
    bubblewrap,
    bind: [shared],
    hidden: [data, tokenFile],
    command: `sh '${script}'`,
  })
  const server = { folder, shared, data, tokenFile, mark, pid: child.pid ?? 0 }
  const lines = Object.entries(attempts(server)).map(
    ([name, command], index) =>
      `{ ${command}; } > /dev/null 2>&1 && touch "${shared}/reached-${index} ${name}"`,
  )
  writeFileSync(script, `${lines.join('\n')}\ntrue\n`)
  expect(await run()).toMatchObject({ outcome: 'passed' })
  const made = readdirSync(shared).filter((name) => name.startsWith('reached-'))
  return { reached: made.map((name) => name.replace(/^\S+ /, '')), server }
}

type Server = {
  /** Of the runner: the mirror, the slots and the logs. */
  readonly folder: string
  readonly shared: string
  readonly data: string
  readonly tokenFile: string
  readonly mark: string
  readonly pid: number
}

const secrets = ({ folder, data, tokenFile, mark, pid }: Server) => ({
  'the admin token in the data folder': `grep secret '${data}/local.json'`,
  'a file with a token of the code host': `grep secret '${tokenFile}'`,
  'the configuration of the mirror': `cat '${folder}/mirror.git/config'`,
  'a hook of the mirror': `test -e '${folder}/mirror.git/HEAD' && touch '${folder}/mirror.git/hooks/mine'`,
  'the objects of the mirror, to write': `touch '${folder}/mirror.git/objects/mine'`,
  'the logs of other runs': `ls '${folder}/runs'`,
  'a process of the server': `grep -s sleep /proc/${pid}/comm && kill -0 ${pid}`,
  'the environment of the server': `grep -alsx 'MARK=${mark}' /proc/[0-9]*/environ -z | grep .`,
})

test.skipIf(!hasBubblewrap())('in a namespace a test run sees nothing of the server', async () => {
  const { reached } = await reachedIn(true, (made) => ({
    ...secrets(made),
    'system folders, to write': 'touch /usr/bin/mine || touch /etc/mine || touch /mine',
  }))
  expect(reached).toEqual([])
})

test.runIf(isLinux)('without a namespace a test run reaches all of that', async () => {
  const { reached, server } = await reachedIn(false, secrets)
  expect(reached).toEqual(Object.keys(secrets(server)))
})

test.skipIf(!hasBubblewrap())('in a namespace a test run has what tests need', async () => {
  const needs = {
    'git with the objects of the mirror': 'test "$(git show HEAD:shop.txt)" = open',
    'its work tree and its home': 'touch made && touch "$HOME/made"',
    'temporary folders': `test -O "$TMPDIR" && touch '${tmpdir()}/made' && touch /var/tmp/made`,
    'shared memory, devices and pipes':
      'touch /dev/shm/made && echo | cat /dev/stdin | tee /dev/null',
    'programs, and names of users': 'command -v node && id',
    'the folder that the configuration binds': 'touch "$(dirname "$0")/made"',
    'signals between its own processes': 'sleep 100 & kill $!',
  }
  const { reached } = await reachedIn(true, () => needs)
  expect(reached).toEqual(Object.keys(needs))
})

test.skipIf(!hasBubblewrap())('of the home a test run sees programs, and no keys', async () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const home = temporaryFolder()
  const at = (path: string): string => join(home, path)
  const files = {
    '.local/share/pipx/tool': '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/part"\n',
    '.local/share/pipx/part': 'of the tool\n',
    '.local/lib/part': 'of a library\n',
    '.local/share/keyrings/login': 'secret\n',
    '.local/state/mergeyard/other/local.json': 'secret\n',
    '.cargo/bin/cargo-tool': '#!/bin/sh\n',
    '.cargo/credentials.toml': 'secret\n',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text, { mode: 0o755 })
  }
  mkdirSync(at('.local/bin'))
  symlinkSync('../share/pipx/tool', at('.local/bin/tool'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('PATH', [at('.local/bin'), at('.cargo/bin'), process.env['PATH']].join(':'))
  const { reached } = await reachedIn(true, () => ({
    'a program with its parts': 'tool | grep "of the tool" && cargo-tool',
    'the libraries beside it': `cat '${at('.local/lib/part')}'`,
    'a key of another program': `cat '${at('.local/share/keyrings/login')}'`,
    'the data folder of another server': `cat '${at('.local/state/mergeyard/other/local.json')}'`,
    'the token of a registry': `grep secret '${at('.cargo/credentials.toml')}'`,
  }))
  expect(reached).toEqual(['a program with its parts', 'the libraries beside it'])
})

const limits: Limits = { processes: 100, memoryMiB: 200, diskMiB: 300 }

test.each([
  [{ processes: 100, memoryMiB: 200, diskMiB: null }, null],
  [
    { processes: 101, memoryMiB: 201, diskMiB: 301 },
    'the run used more than 100 processes and threads, its limit "processes"',
  ],
  [
    { processes: 1, memoryMiB: 201, diskMiB: 301 },
    'the run used more than 200 MiB of memory, its limit "memoryMiB"',
  ],
  [
    { processes: 1, memoryMiB: 1, diskMiB: 301 },
    'the run used more than 300 MiB of disk, its limit "diskMiB"',
  ],
])('the usage %j exceeds: %s', (usage, words) => {
  expect(exceeded(usage, limits)).toBe(words)
})

test.runIf(isLinux)('a bomb of processes is ended before their memory is measured', async () => {
  const sleepers = 60
  const shell = `for i in $(seq ${sleepers}); do sleep 1000 & done; echo there; wait`
  const bomb = spawn('/bin/sh', ['-c', shell], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { pid = 0 } = bomb
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'))
  await once(bomb.stdout, 'data')
  let tick = (): void => undefined
  const said: string[] = []
  new RunWatcher((onTick) => {
    tick = onTick
    return () => undefined
  }).watch({
    pid,
    isInNamespace: false,
    slot: 'a bomb',
    folders: [temporaryFolder()],
    limits: { processes: sleepers / 2, memoryMiB: 1, diskMiB: 1 },
    onExceeded: (words) => void said.push(words),
  })
  tick()
  // The list of processes is read in pieces; their memory would take a turn for each.
  const turns = Math.ceil(readdirSync('/proc').length / 200) + 5
  for (let turn = 0; turn < turns; turn++) await nextTurn()
  expect(said).toEqual([expect.stringContaining('its limit "processes"')])
})

describe.runIf(isLinux).each([alone, ...inNamespace])('%s', (_, bubblewrap) => {
  test.each([
    ['processes', 'for i in 1 2 3 4 5 6 7 8; do sleep 1000 & done; wait'],
    ['processes', 'for i in 1 2 3 4 5 6 7 8; do setsid sleep 1000 & done; sleep 1000'],
    ['memoryMiB', 'head -c 67108864 /dev/zero | tail -c 67108864 | sleep 1000'],
    ['diskMiB', 'head -c 16777216 /dev/zero > "$TMPDIR/much"; sleep 1000'],
  ] as const)('a run over its limit of %s has failed, and says so: %s', async (name, command) => {
    const most = { processes: 8, memoryMiB: 32, diskMiB: 8 }
    const ticks: Ticks = (onTick) => {
      const timer = setInterval(onTick, 1)
      return () => clearInterval(timer)
    }
    const { test: run } = await benchWith({
      bubblewrap,
      command,
      ticks,
      limits: { [name]: most[name] },
    })
    expect(await run()).toMatchObject({
      outcome: 'failed',
      failedTests: [{ name: command }],
      words: expect.stringContaining(`its limit "${name}"`),
    })
  })
})
