/**
 * Loads every module of the engine. Coverage takes a file that nothing loads for one large
 * uncovered branch, and files of nothing but types are loaded by nobody else.
 */

import { expect, test } from 'vitest'
import { compiledPaths } from './repository.ts'

const modules = compiledPaths().filter((path) => /^engine\/.*(?<!\.test)\.js$/.test(path))

test('every module of the engine loads', async () => {
  expect(modules).toContain('engine/index.js')
  const loaded: unknown[] = await Promise.all(
    modules.map((path) => import(new URL(`../../${path}`, import.meta.url).href)),
  )
  expect(loaded).toHaveLength(modules.length)
})
