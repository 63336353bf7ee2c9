/**
 * The tests of a story whose server is killed after an effect: `MERGEYARD_EFFECTS=all` tries every one, and
 * first that nobody is killed.
 */

import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { execFile, execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test, type TestContext } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { crashEnds, type CrashStory } from './crash-story.ts'

type Ended = {
  /** How many servers were killed. */
  readonly kills: number
  readonly effects: number
}

type Story<Played extends Ended> = {
  /** Plays it; the server dies after effect `last`, and is started again. */
  readonly play: (last: number, context: TestContext) => Promise<Played>
  readonly judge: (ended: Played) => Promise<void>
  /** It has about so many effects; a later one is never reached, and then nobody is killed. */
  readonly most: number
  /** By default every so many is tried. */
  readonly step: number
}

export function crashTests<Played extends Ended>(story: Story<Played>): void {
  const { play, judge, most } = story
  const asked = process.env['MERGEYARD_EFFECTS']
  const step = asked === 'all' ? 1 : Number(asked ?? story.step)

  test.skipIf(asked === undefined)('the story ends as promised', async (context) => {
    const ended = await play(0, context)
    expect(ended.kills).toBe(0)
    await judge(ended)
    process.stdout.write(`the story has ${ended.effects} effects\n`)
  })

  const chosen = Array.from({ length: Math.floor(most / step) }, (_, index) => (index + 1) * step)
  test.concurrent.for(chosen)(
    'the end is the same, killed at effect %i',
    matrix,
    async (last, context) => {
      const ended = await play(last, context)
      const { kills, effects } = ended
      expect({ kills, effects }).toEqual({ kills: effects >= last ? 1 : 0, effects })
      await judge(ended)
    },
  )
}

/** Holds the end of a story against its promise. Returns the numbers that have merged, in order. */
export function mergedInCrash(states: Readonly<Record<string, string>>): string[] {
  expect(crashEnds).toContainEqual(states)
  return Object.keys(states).filter((number) => states[number] === 'MERGED')
}

const crashProgram = fileURLToPath(new URL('./crash-program.js', import.meta.url))

type Life = {
  /** The data folder. */
  readonly data: string
  readonly story: CrashStory
  readonly env: NodeJS.ProcessEnv
  /** Run after each durable command. Default: nothing is counted. */
  readonly count?: string
  /** The merge is over when it is there. */
  readonly file: string
  readonly onStart?: (pid: number) => void
}

type Lived = { readonly stdout: string; readonly kills: number }

/**
 * Starts the program again until it ends by itself. Returns what it printed last, and how often it was killed: a second
 * time nobody here did it.
 */
export async function live(
  what: 'poll' | 'enter' | 'merge',
  { data, story, env, count = 'true', file, onStart }: Life,
): Promise<Lived> {
  const args = [crashProgram, what, data, count, file, JSON.stringify(story)]
  for (let kills = 0; ; kills++) {
    try {
      const running = promisify(execFile)(process.execPath, args, { env })
      onStart?.(running.child.pid ?? 0)
      return { stdout: (await running).stdout, kills }
    } catch (error) {
      const isKilled = error instanceof Error && 'signal' in error && error.signal === 'SIGKILL'
      if (!isKilled || kills > 0) throw error
    }
  }
}

// Numbers what a server does outside of its memory, and kills the server after one of them: each call
// of git that changes something, the end of each test command, and each durable command.
//
// Git is replaced by a program that runs git, counts, and kills its parent. So the server dies at the
// moment at which the effect has happened and nobody knows of it.

/** What only reads is no effect. */
const reading =
  'ls-remote|merge-base|log|rev-list|rev-parse|cat-file|diff|--version|for-each-ref|show'

type Effects = {
  /** First in PATH: here is the git that counts. */
  readonly path: string
  /** To be run after something has happened. Kills its parent if it is the chosen effect. */
  readonly count: string
  /** How many have happened so far. */
  readonly number: () => number
}

/** Prepares a folder. The server dies after effect `last`; 0: never. */
export function effectsIn(folder: string, last: number): Effects {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  const counter = join(folder, 'effects')
  const count = join(folder, 'count')
  // A process id could belong to somebody else by now. Appending a byte and reading the size is exact only if one does it at a time.
  program(
    count,
    `exec 9>"${folder}/lock"; flock 9
printf x >> "${counter}"
[ "$(stat -c %s "${counter}")" -eq ${last} ] || exit 0
grep -q crash-program "/proc/$1/cmdline" && kill -9 "$1"
exit 0`,
  )
  program(
    join(folder, 'bin', 'git'),
    `"${realGit()}" "$@"; code=$?
for word in "$@"; do case "$word" in ${reading}) exit $code;; esac; done
"${count}" $PPID
exit $code`,
  )
  return {
    path: `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    count,
    number: () => (existsSync(counter) ? statSync(counter).size : 0),
  }
}

function program(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

function realGit(): string {
  return execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
}
