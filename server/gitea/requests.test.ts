/** Who may ask for what on the fake Gitea. */

import { requestContract } from '../forge/testing/request-contract.ts'
import { giteaWorld } from './testing/gitea-world.ts'

//
requestContract({
  host: 'Gitea',
  worldOf: giteaWorld,
  deeds: 'GET /repos/{owner}/{repo}/issues/{index}/timeline',
  hasTriage: false,
})
