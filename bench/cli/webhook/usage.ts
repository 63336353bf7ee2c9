/** The usage and the operand of commands that work on one webhook. */

import type { Endpoint } from '../../../server/webhooks/endpoints.ts'
import { badUsage, type OptionTable, type Usage } from '../../../terminal/options.ts'
import { findByIdOrName } from '../admin/find.ts'
import type { WebhookPlace } from './place.ts'

/** Returns the usage of a command that takes the id of a webhook. */
export function usageOfOne<Table extends OptionTable>(
  name: string,
  about: string,
  table: Table,
): Usage<Table> {
  return {
    command: `webhook ${name}`,
    npm: `npm run mergeyard -- webhook ${name}`,
    about: `${about}\nName the webhook by its id, the beginning of its id, or its URL.`,
    operands: ['<id>'],
    table,
  }
}

/** Returns the webhook that the operand names. Throws `BadInput` if none or several match. */
export async function endpointIn(
  place: WebhookPlace,
  { command }: Usage,
  [text = '']: readonly string[],
): Promise<Endpoint> {
  return findByIdOrName(
    await place.endpoints(),
    text,
    ({ url }) => url,
    (expected) => badUsage(command, `"${text}"`, expected),
  )
}
