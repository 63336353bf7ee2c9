/** The result of a simulation as the history that GitHub would tell of it: one pull request a group. */

import type { ResultDocument } from '../../result/result-document.ts'
import { GitHubStory, queued, removed, shaOf } from './github-story.ts'

type Run = ResultDocument['testRuns'][number]

const conclusions: Readonly<Record<string, string>> = {
  passed: 'success',
  failed: 'failure',
  cancelled: 'cancelled',
}

/** `concurrency` is what the rule of the branch says. */
export function writtenHistory(result: ResultDocument, concurrency: number): GitHubStory {
  const parameters = { max_entries_to_build: concurrency }
  const story = new GitHubStory({ rules: [{ type: 'merge_queue', parameters }] })
  for (const { number, state, submittedAt, concludedAt } of result.pullRequests) {
    const [began, ended] = [submittedAt, concludedAt ?? 0]
    const by = state === 'CANCELLED' ? 'person' : 'queue'
    const ends = state === 'MERGED' ? { merged: ended } : { closed: ended + 60 }
    story.pull(number, ends, queued(began), removed(ended, by))
  }
  for (const run of result.testRuns) {
    const [number = 0] = run.tested
    const below = baseOf(run, result.testRuns)
    const base = below ? shaOf(`b${below.id}`) : shaOf('ba5e')
    const branch = `gh-readonly-queue/main/pr-${number}-${base}`
    const conclusion = conclusions[run.outcome ?? ''] ?? 'cancelled'
    const minutes = (run.finishedAt ?? run.startedAt) - run.startedAt
    const at = { branch, sha: shaOf(`b${run.id}`), start: run.startedAt }
    story.run('merge_group', at, { minutes, conclusion })
  }
  return story
}

/** The last run of the pull request directly below. What has merged meanwhile is in its commit as well. */
function baseOf({ base, id }: Run, all: readonly Run[]): Run | undefined {
  return all.findLast((other) => other.id < id && other.tested[0] === base.at(-1))
}
