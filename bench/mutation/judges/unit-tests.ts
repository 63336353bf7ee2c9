/**
 * Judges by the unit tests of the engine. They run in this process: a process of vitest costs
 * several times as much as the tests themselves.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startTests, type Task, type VitestRunner } from '@vitest/runner'
import type { Judge } from './judge.ts'

export const judge: Judge = async ({ repository, onProgress }) => {
  const folder = join(repository, 'dist', 'engine')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.js'))
    .sort()
  const runner = runnerIn(repository)
  for (const path of files) {
    const filepath = join(folder, path)
    const tests = await startTests([{ filepath, testLocations: undefined }], runner)
    onProgress()
    const failed = tests.flatMap(failedIn)[0]
    if (failed !== undefined) return `${path.replace(/\.js$/, '.ts')}: ${failed}`
  }
  return null
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
