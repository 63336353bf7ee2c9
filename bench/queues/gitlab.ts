/**
 * GitLab's merge trains: a setting of a project.
 *
 * Modelled on GitLab's merge trains (docs.gitlab.com, "Merge trains"). Each car is tested on top of
 * all cars ahead. Only so many cars from the head have a pipeline: 20, unless the project or the
 * instance has a lower limit (`max_pipelines_per_merge_train`). A car whose pipeline fails leaves at once,
 * at any position, even if the culprit is a car ahead. All cars behind it start over.
 *
 * A merge request that depends on others can join the train only when they have merged (docs.gitlab.com,
 * "Merge request dependencies"; gitlab-org/gitlab#385034).
 *
 * Not modelled: "merge immediately" and skipping the train. Both merge untested states.
 */

import { Chain } from './chain.ts'
import { numberIn, slotCount } from './queue.ts'
import type { OtherQueue } from './queue.ts'

const source =
  'the projects API of GitLab 18.11, as merged in gitlab-org/gitlab !228371 and !228488 (read 2026-08-21); GitLab publishes no schema of it'

const pipelines = 'max_pipelines_per_merge_train'

export const gitlab: OtherQueue = {
  name: 'gitlab',
  title: "GitLab's merge trains",
  after: 'docs.gitlab.com, "Merge trains"',
  leavesOut: 'merging immediately and skipping the train: both merge untested states',
  parameters: [
    slotCount(pipelines, {
      title: 'pipelines of a train',
      usual: 20,
      ladder: [1, 2, 4, 8, 20],
    }),
  ],
  normal: (values) => values,
  kinds: () => [],
  slots: (values) => numberIn(values, pipelines),
  policy: (values) => (host) =>
    new Chain(host, {
      takesStacks: false,
      underTest: numberIn(values, pipelines),
      isHeadGreen: false,
      // What has passed merges at once.
      least: 1,
      most: Infinity,
      waitMs: 0,
    }),
  configuration: (values, { repo }) => {
    // The option --repo names a host of GitHub unless it is given.
    const host = repo.host === 'github.com' ? 'gitlab.com' : repo.host
    const project = encodeURIComponent(`${repo.owner}/${repo.name}`)
    const body = {
      merge_pipelines_enabled: true,
      merge_trains_enabled: true,
      [pipelines]: numberIn(values, pipelines),
    }
    return {
      target: 'PUT /projects/:id',
      language: 'shell',
      text: [
        `curl -fsS -X PUT 'https://${host}/api/v4/projects/${project}' \\`,
        '  -H "PRIVATE-TOKEN: $GITLAB_TOKEN" \\',
        "  -H 'content-type: application/json' \\",
        `  -d '${JSON.stringify(body)}'`,
        '',
      ].join('\n'),
      apply: [
        'the limit of the instance, 20 unless its administrator changed it, holds as well',
        'an instance without this attribute always uses 20',
      ],
      checked: source,
    }
  },
}
