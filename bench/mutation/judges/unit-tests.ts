/**
 * Judges by the unit tests of the engine, and for the rooms of it that only others use, by the tests
 * of these others. They run in this process: a process of vitest costs
 * several times as much as the tests themselves.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startTests, type Task, type VitestRunner } from '@vitest/runner'
import { roomOf } from '../mutants/rooms.ts'
import type { Judge } from './judge.ts'

/** Further tests of a room, without their ending. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  'engine/recording': [
    'sim/replay/recorded',
    'server/store/command-log',
    'server/store/recorded',
    'server/store/recover',
    'server/store/snapshot-lines',
  ],
  'engine/documents': ['sim/scenario/load', 'server/http/bodies'],
}

export const judge: Judge = async ({ repository, file, onProgress }) => {
  const compiled = join(repository, 'dist')
  const runner = runnerIn(repository)
  const room = file === null ? '' : roomOf({ file })
  for (const path of [...testsOfEngine(compiled), ...(testsOf[room] ?? [])]) {
    const filepath = join(compiled, `${path}.test.js`)
    const tests = await startTests([{ filepath, testLocations: undefined }], runner)
    onProgress()
    const [failed] = tests.flatMap(failedIn)
    if (failed !== undefined) return `${path}.test.ts: ${failed}`
  }
  return null
}

function testsOfEngine(compiled: string): string[] {
  return readdirSync(join(compiled, 'engine'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .map((path) => `engine/${path.replace(/\.test\.js$/, '')}`)
    .sort()
}

/** Returns the names of the failed tests, or of the file if it does not load. */
function failedIn(task: Task): string[] {
  const within = 'tasks' in task ? task.tasks.flatMap(failedIn) : []
  return within.length === 0 && task.result?.state === 'fail' ? [task.name] : within
}

const forever = 2 ** 31 - 1

const runnerIn = (root: string): VitestRunner => ({
  config: {
    root,
    setupFiles: [],
    name: undefined,
    passWithNoTests: false,
    testNamePattern: undefined,
    allowOnly: false,
    sequence: { seed: 1, hooks: 'stack', setupFiles: 'list' },
    chaiConfig: undefined,
    maxConcurrency: 1,
    testTimeout: forever,
    hookTimeout: forever,
    retry: 0,
    includeTaskLocation: false,
    tags: [],
    tagsFilter: undefined,
    strictTags: false,
  },
  importFile: (path) => import(pathToFileURL(path).href),
})
