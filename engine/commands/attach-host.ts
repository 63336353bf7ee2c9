import type { AttachHost } from '../protocol/commands.ts'
import type { Decide } from './decide.ts'

/**
 * From here on each merge is requested from a code host. Refused while anybody is in the line or in a
 * bisection, because how a group merges does not change halfway. Rule: E-223.
 */
export const attachHost: Decide<AttachHost> = (step, { codeHost }) => {
  const { queue } = step
  if (codeHost === queue.codeHost) return null
  if (queue.line.length > 0 || queue.bisections.length > 0) return { code: 'line is not empty' }
  step.emit({ type: 'hostAttached', codeHost })
  return null
}
