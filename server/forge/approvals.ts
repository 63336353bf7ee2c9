/** Whether a pull request has the approvals that its branch needs. */

export type Review = { readonly by: string; readonly state: string }

/**
 * The last review of each person counts, if it approves or objects; a comment changes nothing. One
 * objection is enough. A branch that needs no approval ignores reviews, as the host does.
 */
export function isApproved(reviews: readonly Review[], needed: number): boolean {
  if (needed === 0) return true
  const last = new Map<string, string>()
  for (const { by, state } of reviews) {
    if (state === 'DISMISSED') last.delete(by)
    else if (state === 'APPROVED' || state === 'CHANGES_REQUESTED') last.set(by, state)
  }
  const states = [...last.values()]
  if (states.includes('CHANGES_REQUESTED')) return false
  return states.length >= needed
}
