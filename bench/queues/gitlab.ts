/** GitLab's merge trains: a setting of a project. */

import { gitlabTrain } from '../strategies/gitlab.ts'
import { gitlabOwner, gitlabProject } from './owners/gitlab.ts'
import { numberIn, slotCount } from './parameters.ts'
import type { OtherQueue } from './queue.ts'

const pipelines = 'max_pipelines_per_merge_train'

export const gitlab: OtherQueue = {
  name: 'gitlab',
  title: "GitLab's merge trains",
  after: 'docs.gitlab.com, "Merge trains"',
  leavesOut: 'merging immediately and skipping the train',
  parameters: [
    slotCount(pipelines, {
      title: 'pipelines of a train',
      accepted: gitlabProject[pipelines],
      usual: 20,
      ladder: [1, 2, 4, 8, 20],
    }),
  ],
  normal: (values) => values,
  kinds: () => [],
  slots: (values) => numberIn(values, pipelines),
  policy: (values) => gitlabTrain({ pipelines: numberIn(values, pipelines) }),
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
      checked: gitlabOwner.source,
    }
  },
}
