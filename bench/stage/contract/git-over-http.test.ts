import { contractOf, oneLanding } from './testing/contract-of.ts'
import { gitOverHttp } from './testing/git-host.ts'

// Only the way to the repository differs from that by path, which is played with all stories.
//
contractOf(gitOverHttp, oneLanding)
