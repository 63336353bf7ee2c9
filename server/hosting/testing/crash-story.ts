/** A story of six pull requests: one flakes, one breaks, two change the same line. */

import type { RecordedSettings } from '../../../engine/index.ts'
import type { HostOptions } from '../options.ts'
import type { Files, TestRepository } from './test-repository.ts'

/** What a test says about the queue of its story, as it goes to another process. */
export type CrashStory = Pick<HostOptions, 'url' | 'tests'> & {
  readonly set?: RecordedSettings
  /** The address of the API of a GitHub; absent: the repository is on none. */
  readonly github?: string
}

export const crashQueue = {
  ref: { host: 'local', owner: 'acme', name: 'shop', targetBranch: 'main' },
  set: { concurrency: 3, batch: true, batchingMinSize: 2, batchingMaxWaitTimeMinutes: 0 },
  pollMs: 50,
} as const satisfies Omit<HostOptions, 'url' | 'tests'>

/**
 * The branches are numbered in the order of their names. The batches are a and b, c and d, e and f: the
 * first one flakes, and of the last one a part breaks and the other conflicts with c.
 */
export const crashChanges: readonly (readonly [name: string, files: Files])[] = [
  ['a', { flaky: 'once\n' }],
  ['b', { 'b.txt': 'b\n' }],
  ['c', { 'line.txt': 'c\n' }],
  ['d', { 'd.txt': 'd\n' }],
  ['e', { 'broken/e': 'yes\n' }],
  ['f', { 'line.txt': 'f\n' }],
]

const conflict = 'FAILED START_TEST_RUN_MERGE_CONFLICT'

/** Of the two that change the same line, the one whose tests end first merges. */
const lineEnds = [
  { 3: 'MERGED', 6: conflict },
  { 3: conflict, 6: 'MERGED' },
] as const

/** Whatever is killed, and when: one of these is promised. */
export const crashEnds = lineEnds.map((lineEnd) => ({
  1: 'MERGED',
  2: 'MERGED',
  4: 'MERGED',
  5: 'FAILED TEST_RUN_REQUIRED_STATUS_FAILED',
  ...lineEnd,
}))

export async function pushAll(repository: TestRepository): Promise<void> {
  for (const [name, files] of crashChanges)
    await repository.commit(`refs/heads/queue/${name}`, files)
}
