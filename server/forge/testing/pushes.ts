/** What a host notices after a push: new heads of pull requests, closed and merged ones. */

import { refsIn } from '../../git/testing/commits.ts'
import type { FakeDialect } from './dialect.ts'
import { branchHeadOf, change, markMerged, noteBranch, type FakeState } from './state.ts'

/**
 * A pull request whose recorded head is reachable from its base is merged. One whose branch is gone is
 * closed. One whose branch was pushed to has a new head.
 */
export async function afterPush(
  state: FakeState,
  { pullRef, mark }: Pick<FakeDialect, 'pullRef' | 'mark'>,
): Promise<void> {
  const { repository, pulls } = state
  // One that is opened meanwhile has a branch that is not in this list.
  const known = [...pulls.values()]
  const refs = refsIn(repository.path)
  for (const pull of known) {
    const target = refs.get(`refs/heads/${pull.base}`) ?? ''
    const head = pull.isFork ? pull.head : refs.get(`refs/heads/${pull.branch}`)
    const before = branchHeadOf(state, pull.number)
    if (!pull.isFork && head !== undefined && head !== before) {
      const isForced = before !== null && !(await repository.isReachable(before, head))
      noteBranch(state, pull, { after: head, isForced })
    }
    // The host sets the head of a closed one when it is reopened.
    if (pull.state === 'closed') continue
    if (mark === null && target !== '' && (await repository.isReachable(pull.head, target))) {
      markMerged(state, pull, target)
    } else if (head === undefined) {
      change(state, pull, { state: 'closed', by: pull.author })
    } else if (head !== pull.head) {
      change(state, pull, { head, by: pull.author })
      await repository.set(pullRef(pull.number), head)
    }
  }
}
