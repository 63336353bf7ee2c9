import { contractCases } from './cases.ts'
import { contractOf } from './testing/contract-of.ts'
import { githubByPush } from './testing/forge-host.ts'

/** Only the landing differs from that by the merge button, which is played with all stories. */
const ofLandings = contractCases.filter(({ happening }) => {
  return happening && happening.when !== 'testing'
})

//
contractOf(githubByPush, ofLandings)
