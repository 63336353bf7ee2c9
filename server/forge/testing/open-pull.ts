/** Opens a pull request on a fake host, as a person does. */

import type { Files } from '../../hosting/testing/test-repository.ts'
import type { FakeForge } from './fake-forge.ts'
import { change, nextId, type FakePull } from './state.ts'

export type Opening = {
  readonly by?: string
  readonly labels?: readonly string[]
  /** Who sets the labels. Default: `ada`, who may write. */
  readonly labelledBy?: string
  readonly isDraft?: boolean
  readonly isFork?: boolean
  readonly title?: string
  readonly body?: string
  readonly from?: string
  /** Default: `main`. */
  readonly base?: string
}

export async function openPull(
  { state, hooks, dialect }: FakeForge,
  number: number,
  files: Files,
  options: Opening = {},
): Promise<FakePull> {
  const { by = 'bob', labels = [], labelledBy = 'ada', isDraft = false, isFork = false } = options
  const { base = 'main', from = base } = options
  const { repository } = state
  if (state.pulls.has(number)) throw new Error(`the fake has a pull request ${number} already`)
  const branch = `change-${number}`
  const ref = isFork ? dialect.pullRef(number) : `refs/heads/${branch}`
  const head = await repository.commit(ref, files, from)
  if (!isFork) await repository.set(dialect.pullRef(number), head)
  const pull: FakePull = {
    ...{ number, head, branch, isFork, isDraft, author: by, base, state: 'open' },
    title: options.title ?? `Change ${number}`,
    body: options.body ?? `Why ${number}.`,
    ...{ mergedAt: null, mergeCommit: null, labels: [], reviews: [] },
    updatedAt: state.now(),
  }
  state.pulls.set(number, pull)
  const about = { id: nextId(state), number, at: state.now(), by }
  const created = { before: null, after: head, isForced: false, wasOpen: true }
  state.deeds.push({ ...about, ...created, is: 'branch' })
  if (labels.length > 0) change(state, pull, { labels: [...labels], by: labelledBy })
  hooks.look(state)
  return pull
}
