/** Who may ask for what on the fake GitLab. */

import { requestContract } from '../forge/testing/request-contract.ts'
import { gitlabWorld } from './testing/gitlab-world.ts'

//
requestContract({
  host: 'GitLab',
  worldOf: gitlabWorld,
  deeds: 'GET /projects/{id}/merge_requests/{eventable_id}/resource_label_events',
  hasTriage: false,
})
