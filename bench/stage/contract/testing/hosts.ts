/** Every code host that keeps the contract. A new one is one entry. */

import type { ContractHost } from '../contract-case.ts'
import { gitByPath, gitOverHttp } from './git-host.ts'
import { simulatedHost } from './simulated-host.ts'

export const hosts: readonly ContractHost[] = [simulatedHost, gitByPath, gitOverHttp]
