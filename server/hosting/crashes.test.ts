/**
 * A server is killed after each of its effects, and started again on the same data folder: the end is
 * the same as without. `npm run test:matrix` tries effect 110, `MERGEYARD_EFFECTS=all` every one.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, type TestContext } from 'vitest'
import { git } from '../git/git.ts'
import { effectsIn, crashTests, untilItEnds } from './testing/crash-tests.ts'
import { crashEnd, pushAll } from './testing/crash-server.ts'
import { TestRepository } from './testing/test-repository.ts'

const program = fileURLToPath(new URL('./testing/crash-program.js', import.meta.url))

type Ended = {
  readonly states: unknown
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
  const effects = effectsIn(folder, last)
  const command = `FLAKED=${join(folder, 'flaked')} sh test.sh; code=$?; ${effects.count} $PPID; exit $code`
  const env = { ...process.env, PATH: effects.path }
  const live = (what: 'look' | 'enter' | 'merge') => {
    const args = [program, what, data, repository.path, command, effects.count]
    return untilItEnds(() => promisify(execFile)(process.execPath, args, { env }))
  }
  const looked = await live('look')
  await pushAll(repository)
  const entered = await live('enter')
  const merged = await live('merge')
  const states: unknown = JSON.parse(merged.stdout)
  const kills = looked.kills + entered.kills + merged.kills
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
  expect(repository.refs()).toEqual(branches)
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

crashTests({ play, judge, most: 180, step: 110 })
