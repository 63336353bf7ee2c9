/** Pull requests that a bot opened. They cost test runs like all others, so they stay. */

import type { Change } from './rule.ts'

/** These merge the pull requests of others. */
const merging = /kodiak|mergify|bors|prow|k8s-ci-robot|merge-queue/i

const opening = /\[bot\]$|dependabot|renovate|greenkeeper|scala-steward/i

const branches = /(?:^|[/:])(?:dependabot|renovate|greenkeeper)\//

/** A change is of a bot if its author or its branch says so. */
export function isOfBot({ author, branch = '' }: Change): boolean {
  const isAuthor = author !== null && opening.test(author) && !merging.test(author)
  return isAuthor || branches.test(branch)
}
