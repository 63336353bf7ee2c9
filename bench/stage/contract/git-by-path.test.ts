import { contractOf } from './testing/contract-of.ts'
import { gitByPath } from './testing/git-host.ts'

//
contractOf(gitByPath)
