/** The defaults of `mergeyard start`. Who only reads options, or prints them, loads nothing else of the server. */

import { requestTimeouts } from './http/limits.ts'
import type { ServerOptions } from './server.ts'

export const serverDefaults = {
  port: 3000,
  host: '127.0.0.1',
  token: null,
  stateCase: 'upper',
  keepDays: null,
  rememberDays: 90,
  timeouts: requestTimeouts,
  speed: null,
} as const satisfies Omit<ServerOptions, 'data'>
