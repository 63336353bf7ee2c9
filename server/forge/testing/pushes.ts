/** What a host notices after a push: new heads of pull requests, closed and merged ones. */

import type { FakeDialect } from './dialect.ts'
import { markMerged, type FakeState } from './state.ts'

/**
 * A pull request whose recorded head is reachable from its base is merged. One whose branch is gone is
 * closed. One whose branch was pushed to has a new head.
 */
export async function afterPush(
  state: FakeState,
  { pullRef, seesMerges }: Pick<FakeDialect, 'pullRef' | 'seesMerges'>,
): Promise<void> {
  const { repository, pulls } = state
  // One that is opened meanwhile has a branch that is not in this list.
  const known = [...pulls.values()]
  const text = await repository.git(['for-each-ref', '--format=%(objectname) %(refname)'])
  const refs = new Map(
    text.split('\n').map((line) => {
      const [oid = '', ref = ''] = line.split(' ')
      return [ref, oid] as const
    }),
  )
  for (const pull of known) {
    if (pull.state === 'closed') continue
    const target = refs.get(`refs/heads/${pull.base}`) ?? ''
    const head = pull.isFork ? pull.head : refs.get(`refs/heads/${pull.branch}`)
    if (seesMerges && target !== '' && (await isMerged(state, pull.head, target))) {
      markMerged(state, pull, target)
    } else if (head === undefined) {
      pull.state = 'closed'
      pull.updatedAt = state.now()
    } else if (head !== pull.head) {
      pull.head = head
      pull.updatedAt = state.now()
      await repository.set(pullRef(pull.number), head)
    }
  }
}

async function isMerged(
  { repository, reachable }: FakeState,
  head: string,
  target: string,
): Promise<boolean> {
  const key = `${head} from ${target}`
  const known = reachable.get(key)
  if (known !== undefined) return known
  const isReachable = (await repository.git(['rev-list', '--count', head, `^${target}`])) === '0'
  reachable.set(key, isReachable)
  return isReachable
}
