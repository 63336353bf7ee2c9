/** GitLab's merge trains: a setting of a project. */

import { gitlabTrain } from '../strategies/gitlab.ts'
import { type Owner, closed, wholeFrom, yesOrNo } from './owner-schema.ts'
import { numberIn, slotCount } from './parameters.ts'
import type { OtherQueue } from './queue.ts'

// What GitLab accepts: the attributes of a project that are printed.

const gitlabProject = {
  merge_pipelines_enabled: yesOrNo,
  merge_trains_enabled: yesOrNo,
  max_pipelines_per_merge_train: wholeFrom(1),
} as const

export const gitlabOwner: Owner = {
  schema: closed(gitlabProject),
  source:
    'the projects API of GitLab 18.11, as merged in gitlab-org/gitlab !228371 and !228488 (read 2026-08-21); GitLab publishes no schema of it',
}

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
