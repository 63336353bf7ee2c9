import { contractOf, noneFirst } from './testing/contract-of.ts'
import { githubByPush } from './testing/forge-host.ts'

//
contractOf(githubByPush, noneFirst)
