import { contractOf, noneFirst } from './testing/contract-of.ts'
import { gitea } from './testing/forge-host.ts'

//
contractOf(gitea, noneFirst)
