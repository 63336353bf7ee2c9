import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished, TestRunner } from 'vitest'

type AtEnd = (act: () => void) => void

/**
 * An empty folder that is removed after the test, or, made outside of one, after those of its file or `describe`. Of
 * tests that run at once each must say when it ends.
 */
export function temporaryFolder(
  atEnd: AtEnd = TestRunner.getCurrentTest() ? onTestFinished : afterAll,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'mergeyard tést-'))
  atEnd(() => {
    // A hostile pull request leaves folders that nobody may read.
    if (process.getuid?.() !== 0) spawnSync('chmod', ['-R', 'u+rwX', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}
