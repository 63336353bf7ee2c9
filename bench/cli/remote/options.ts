/** Options of the commands that talk to a running server. */

import type { OptionTable } from '../../../terminal/options.ts'
import { dataOption } from '../admin/data-folder.ts'

export const remoteTable = {
  queue: {
    kind: 'value',
    value: 'name',
    help: 'the queue, as host/owner/name:branch; not needed if the server works on one',
    variable: 'MERGEYARD_QUEUE',
  },
  url: {
    kind: 'value',
    value: 'address',
    help: 'the server; by default the one that serves the data folder',
    variable: 'MERGEYARD_URL',
  },
  token: {
    kind: 'value',
    value: 'text',
    help: 'the API token for --url, or that of a server that was started with one; ps shows the option, but not the variable',
    variable: 'MERGEYARD_TOKEN',
    isSecret: true,
  },
  ...dataOption,
} as const satisfies OptionTable
