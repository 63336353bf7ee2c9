import { contractOf } from './testing/contract-of.ts'
import { simulatedHost } from './testing/simulated-host.ts'

// S-245, S-246
contractOf(simulatedHost, () => true)
