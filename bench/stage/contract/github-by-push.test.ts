import { contractOf, ofLandings } from './testing/contract-of.ts'
import { githubByPush } from './testing/forge-host.ts'

// Only the landing differs from that by the merge button, which is played with more stories.
//
contractOf(githubByPush, ofLandings)
