/** Commits that no other rule fits: nothing in them names a pull request. */

import { isMerge, type Commit, type Rule } from './rule.ts'
import { isOfBot } from './releases.ts'

/** A commit of a bot that GitHub committed is a pull request, merged under a title of its own. */
export const botWithoutNumber: Rule = {
  names: ["bot's commit without a number", "bots' commits without a number"],
  batch: 'commit',
  caveat: "Bots' commits without a number that GitHub committed count as pull requests.",
  read(commit) {
    const change = { number: null, title: commit.subject, author: commit.author }
    return !isMerge(commit) && commit.committer === 'GitHub' && isOfBot(change) ? [change] : null
  },
}

/** Where hardly any commit has a number, a merge is a pull request. */
export const mergeWithoutNumber: Rule = {
  names: ['merge without a number', 'merges without a number'],
  batch: 'commit',
  read: (commit) =>
    isMerge(commit) ? [{ number: null, title: commit.subject, author: null }] : null,
}

/** Where hardly any commit has a number, commits in a row by one committer are a pull request. */
export const rebase: Rule = {
  names: ['rebase merge', 'rebase merges'],
  batch: 'commit',
  caveat:
    'Hardly any commit has a number, so commits by one committer within 2 s count as one pull request, merged by rebase; direct pushes cannot be told from them.',
  read: (commit) =>
    isMerge(commit) || isRobot(commit.committer)
      ? null
      : [{ number: null, title: commit.subject, author: commit.author }],
}

const rebasedWithinMs = 2000

/** Commits belong to one rebased pull request if one committer made them within two seconds. */
export function isSameRebase(before: Commit, next: Commit): boolean {
  const isClose = Math.abs(next.atMs - before.atMs) <= rebasedWithinMs
  return isClose && next.committer === before.committer
}

/** Robots that push translations and the like. */
const isRobot = (name: string): boolean => /\[bot\]|\b(?:bot|robot)\b/i.test(name)

/** The share of commits that a rule above fits, below which the history has no numbers. */
const leastNamed = 0.1

/** A history lands by rebase if hardly any of its commits names a pull request. */
export function landsByRebase(named: number, all: number): boolean {
  return named < leastNamed * all
}

/** A release that was kept on request, though nothing else in it names a pull request. */
export const releaseWithoutNumber: Rule = {
  names: ['release without a number', 'releases without a number'],
  batch: 'commit',
  read: ({ subject, author }) => [{ number: null, title: subject, author }],
}
