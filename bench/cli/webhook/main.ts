/** `mergeyard webhook`: manages webhooks. A running server reads changes within a second. */

import {
  groupOf,
  withPlainErrors,
  type ListedCommand,
  type Main,
} from '../../../sim/terminal/command.ts'
import { withStoreFaults } from '../admin/with-store-faults.ts'
import { add, remove, resend, test } from './change.ts'
import { list, undelivered } from './list.ts'

const listed = (summary: string, main: Main): ListedCommand => {
  return { summary, load: () => Promise.resolve({ main }) }
}

export const main = withPlainErrors(
  withStoreFaults(
    groupOf({
      name: 'webhook',
      about:
        'Manage the webhooks of a server, in its data folder or in the PostgreSQL that servers share. Servers may be running or stopped.',
      commands: {
        add: listed('add a webhook', add),
        list: listed('list the webhooks and their numbers of messages', list),
        undelivered: listed('list the undelivered messages of one webhook', undelivered),
        resend: listed('send the undelivered messages of one webhook again', resend),
        test: listed('send a message of the type mergeyard.test to one webhook', test),
        remove: listed('remove a webhook', remove),
      },
    }),
  ),
)
