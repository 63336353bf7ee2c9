/**
 * Loads every module of the engine. Coverage counts a file that is never loaded as one uncovered
 * branch, and no other test loads files that contain only types.
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
