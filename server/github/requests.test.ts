/** Who may ask for what on the fake GitHub. */

import { requestContract } from '../forge/testing/request-contract.ts'
import { githubWorld } from './testing/github-world.ts'

//
requestContract({
  host: 'GitHub',
  worldOf: githubWorld,
  deeds: 'GET /repos/{owner}/{repo}/issues/{issue_number}/timeline',
})
