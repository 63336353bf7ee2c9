/** The history behind the recorded answers in `testing/github/shop`: a morning with a merge queue. */

import {
  approved,
  commented,
  event,
  GitHubStory,
  pushed,
  queued,
  queueRule,
  removed,
  repository,
  shaOf,
} from './github-story.ts'

const renovate = { login: 'renovate[bot]', type: 'Bot' }

export const shopStory = new GitHubStory({
  repository,
  rules: [queueRule],
  files: new Map([
    [7, [{ filename: 'web/shop.ts' }, { filename: 'web/shop.test.ts' }]],
    [8, [{ filename: 'api/till.ts' }]],
    [9, [{ filename: 'web/basket.ts' }, { filename: 'api/basket.ts' }]],
    [10, [{ filename: 'web/banner.ts' }]],
    [11, [{ filename: 'docs/till.md' }]],
    [12, [{ filename: 'package.json' }]],
  ]),
  checks: [
    {
      ...{ name: 'build', head_sha: shaOf(11), status: 'completed', conclusion: 'success' },
      ...{ started_at: '2026-03-02T09:20:00Z', completed_at: '2026-03-02T09:34:00Z' },
      app: { slug: 'buildkite' },
    },
  ],
  statuses: new Map([
    [
      shaOf(11),
      [
        { context: 'lint', state: 'success', created_at: '2026-03-02T09:22:00Z' },
        { context: 'lint', state: 'pending', created_at: '2026-03-02T09:20:00Z' },
      ],
    ],
  ]),
})
  .pull(7, { merged: 14 }, pushed(-40, shaOf(7)), approved(-3), queued(0), removed(14))
  .pull(
    8,
    { merged: 81 },
    ...[pushed(-30, shaOf('8a')), approved(1), queued(2), removed(15)],
    ...[commented(20, 'It rounds twice.'), pushed(40, shaOf(8)), queued(60), removed(81)],
  )
  .pull(9, { merged: 45 }, approved(5), queued(6), removed(45))
  .pull(10, { closed: 70 }, queued(30), removed(33, 'person'), event('closed', 70))
  .pull(11, { merged: 55 }, event('labeled', 18, 'bug'), approved(25))
  .pull(12, { merged: 58, user: renovate, title: 'Update dependency ajv' }, queued(40), removed(58))
  .pull(13, { merged: 90, title: 'chore(main): release 1.3.0' }, queued(80), removed(90))
  .pull(14, { closed: 60, title: 'Try something' })
  .pull(15, { merged: 62, base: 'docs' })
  .group(7, 1, { minutes: 12 })
  .group(8, 3, { minutes: 11, conclusion: 'failure', on: 7 })
  .group(9, 7, { minutes: 9, conclusion: 'failure', on: 8 })
  .group(9, 16, { on: 7, sha: shaOf('b9'), id: 40, minutes: 10, conclusion: 'failure' })
  .group(9, 30, { on: 7, sha: shaOf('b9'), id: 40, minutes: 13, attempt: 2 })
  .group(12, 41, { minutes: 15 })
  .group(8, 62, { on: 7, sha: shaOf('b8'), minutes: 17 })

const { checks, statuses } = shopStory.records

/** A small one, in which everything occurs that a download asks for. */
export const smallStory = new GitHubStory({ checks, statuses })
  .pull(7, { merged: 40 }, queued(0), removed(40))
  .group(7, 1, { id: 9, conclusion: 'failure' })
  .group(7, 20, { id: 9, attempt: 2 })
  .pull(11, { merged: 55 }, approved(25))
