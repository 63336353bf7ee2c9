/**
 * A server is killed after each of its effects, and started again on the same data folder: the end is
 * the same as without. `npm test` tries every fortieth effect, `MERGEYARD_EFFECTS=all` every one.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, type TestContext } from 'vitest'
import { git } from '../git/git.ts'
import { effectsIn } from './testing/crash-effects.ts'
import { crashEnd, pushAll } from './testing/crash-story.ts'
import { TestRepository } from './testing/test-repository.ts'

const program = fileURLToPath(new URL('./testing/crash-program.js', import.meta.url))
const isAll = process.env['MERGEYARD_EFFECTS'] === 'all'
const step = isAll ? 1 : Number(process.env['MERGEYARD_EFFECTS'] ?? 40)

type Ended = {
  readonly states: unknown
  /** How many servers were killed. */
  readonly kills: number
  readonly effects: number
  readonly repository: TestRepository
  readonly data: string
}

/** Plays the story; the server dies after effect `last`, and is started again. */
async function play(last: number, { onTestFinished }: TestContext): Promise<Ended> {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard-'))
  // Of the context: these tests run side by side, and `temporaryFolder` could take another one.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const repository = new TestRepository(join(folder, 'shop.git'))
  await repository.make()
  await pushAll(repository)
  const effects = effectsIn(folder, last)
  const command = `FLAKED=${join(folder, 'flaked')} sh test.sh; code=$?; ${effects.count} $PPID; exit $code`
  const env = { ...process.env, PATH: effects.path }
  let kills = 0
  const live = async (what: 'enter' | 'merge'): Promise<string> => {
    const args = [program, what, data, repository.path, command, effects.count]
    for (;;) {
      try {
        return (await promisify(execFile)(process.execPath, args, { env })).stdout
      } catch (error) {
        const isKilled = error instanceof Error && 'signal' in error && error.signal === 'SIGKILL'
        if (!isKilled) throw error
        kills++
      }
    }
  }
  await live('enter')
  const states: unknown = JSON.parse(await live('merge'))
  return { states, kills, effects: effects.number(), repository, data }
}

/** What is promised: who merged, that each commit passes, and that nothing is left. */
async function judge({ states, repository, data }: Ended): Promise<void> {
  expect(states).toEqual(crashEnd)
  expect((await repository.landed()).sort((a, b) => a.localeCompare(b))).toEqual([
    '1',
    '2',
    '3',
    '4',
  ])
  expect(await repository.files()).toEqual(['b.txt', 'd.txt', 'flaky', 'line.txt', 'test.sh'])
  expect(await repository.text('line.txt')).toBe('c')
  for (const commit of (await repository.git(['rev-list', 'main'])).split('\n')) {
    expect((await repository.files(commit)).filter((file) => file.startsWith('broken'))).toEqual([])
  }
  const branches = ['refs/heads/main', 'refs/heads/queue/e', 'refs/heads/queue/f']
  expect(await repository.refs()).toEqual(branches)
  expect(locksIn(data)).toEqual([])
  expect(processesOf(data)).toEqual([])
  const mirror = join(data, 'mirrors', readdirSync(join(data, 'mirrors'))[0] ?? '')
  await git(['--git-dir', mirror, 'fsck', '--connectivity-only'])
}

function locksIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return all.filter((path) => path.endsWith('.lock'))
}

/** The processes whose environment names the data folder: tests that nobody waits for. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`HOME=${folder}`)
    } catch {
      return false
    }
  })
}

test('the story ends as promised when nobody is killed', async (context) => {
  const ended = await play(0, context)
  expect(ended.kills).toBe(0)
  await judge(ended)
  if (process.env['MERGEYARD_EFFECTS'] !== undefined)
    process.stdout.write(`the story has ${ended.effects} effects\n`)
})

/** The story has about so many; a later number is never reached, and then nobody is killed. */
const most = 180
const chosen = Array.from({ length: Math.floor(most / step) }, (_, index) => (index + 1) * step)

test.concurrent.for(chosen)(
  'the end is the same after a kill at effect %i',
  async (last, context) => {
    const ended = await play(last, context)
    const { kills, effects } = ended
    expect({ kills, effects }).toEqual({ kills: effects >= last ? 1 : 0, effects })
    await judge(ended)
  },
)
