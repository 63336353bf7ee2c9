/** Commits that make a release. They are left out, because nobody queues for them. */

import type { Change } from './rule.ts'

const version = String.raw`v?\d+\.(?:\d|alpha|beta|rc)\S*`

/** Matches the whole title, apart from what follows a semicolon or a comma. */
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}(?=$|[;,])`, 'i')

/** What tools and people write; each needs a version or a fixed phrase. */
const titles: readonly RegExp[] = [
  // npm version
  whole(version),
  // release-please: one component or all
  whole(String.raw`(?:chore|build)(?:\([^)]*\))?!?: release(?: [\w./@-]+)?(?: ${version})?`),
  // semantic-release, standard-version
  whole(String.raw`(?:chore|build)\(release\)!?: (?:\S+ )?${version}(?: \[skip ci\])?`),
  // changesets, lerna, Maven
  /^version packages\b/i,
  /^publish$/i,
  /^\[maven-release-plugin\]/,
  whole(`(?:chore: )?bump(?:ed)?(?: version| release)?(?: to)? ${version}`),
  whole(`(?:prepare )?(?:release|version|set version to)[: ]+(?:of |version )?${version}`),
]

const branches = /(?:^|[/:])(?:release-please--|changeset-release\/)/

/** A change makes a release if its title or its branch says so. */
export function isRelease({ title, branch = '' }: Change): boolean {
  return titles.some((each) => each.test(title)) || branches.test(branch)
}

// Pull requests that a bot opened. They cost test runs like all others, so they stay.

/** These merge the pull requests of others. */
const merging = /kodiak|mergify|bors|prow|k8s-ci-robot|merge-queue/i

const opening = /\[bot\]$|dependabot|renovate|greenkeeper|scala-steward/i

const botBranches = /(?:^|[/:])(?:dependabot|renovate|greenkeeper)\//

/** A change is of a bot if its author or its branch says so. */
export function isOfBot({ author, branch = '' }: Change): boolean {
  const isAuthor = author !== null && opening.test(author) && !merging.test(author)
  return isAuthor || botBranches.test(branch)
}
