import { contractOf, noneFirst } from './testing/contract-of.ts'
import { githubByButton } from './testing/forge-host.ts'

//
contractOf(githubByButton, noneFirst)
